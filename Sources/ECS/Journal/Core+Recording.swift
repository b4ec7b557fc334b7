// Whether changes are noted.
extension Core {
  /// Whether there are journals.
  @inlinable
  @inline(__always)
  var isJournaling: Bool { pointer.pointee.section.mode.contains(.journaling) }

  /// Whether a transaction runs.
  @inlinable
  @inline(__always)
  var isRecording: Bool { pointer.pointee.section.mode.contains(.recording) }

  /// Whether changes are noted, for a transaction or for journals, or rows are copied before for
  /// pictures of them.
  @inlinable
  @inline(__always)
  var isNoting: Bool { pointer.pointee.section.mode.notes }

  /// Whether rows are copied before they change.
  var isFreezing: Bool { pointer.pointee.section.mode.contains(.frozen) }

  var recording: UnsafeMutablePointer<Recording> {
    guard let recording = unsafe pointer.pointee.journaling.recording else {
      stop("A change was to be noted although nobody wants it.")
    }
    return unsafe recording
  }

  /// Carries out a reaction list, and notes what it changes, if a transaction runs.
  // PERFORMANCE: E1, X1, V1: what is asked without a transaction is one bit.
  @inline(__always)
  func reactGenerally(_ list: ReactionListPointer?, _ handle: Handle) {
    if isRecording { unsafe recorder.react(list, handle) } else { unsafe react(list, handle) }
  }
}
