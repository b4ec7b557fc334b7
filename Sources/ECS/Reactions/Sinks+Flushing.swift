// Sinks may carry changes out later, many together: when they are asked, before a closure has
// values in hand, and when the outermost change ends, at the latest. So it is never seen that they
// were late.
extension Sinks {
  /// Whether a sink may be late: values are where they belong, and changes are not noted.
  var allowsLateness: Bool {
    // PERFORMANCE: B4.view: what follows an aggregate is notified while its keys are being built.
    core.pointer.pointee.section.mode.subtracting(.buildingKeys).isEmpty
      && core.pointer.pointee.taken.count == 0
  }

  /// Lets a sink carry its changes out when the outermost change ends.
  func settleAfterwards(_ sink: EntitySink) {
    guard !sink.isDirty else { return }
    sink.isDirty = true
    core.pointer.pointee.listeners.dirtySinks.append(sink)
    core.pointer.pointee.section.pending.insert(.late)
  }

  /// Lets all sinks carry out what they have put off.
  @inline(__always)
  func flush() {
    if core.pointer.pointee.section.pending.contains(.late) { flushDirty() }
  }

  @inline(never)
  private func flushDirty() {
    var sinks: [EntitySink] = []
    swap(&sinks, &core.pointer.pointee.listeners.dirtySinks)
    core.pointer.pointee.section.pending.remove(.late)
    for sink in sinks {
      sink.isDirty = false
      sink.settle()
    }
    // The memory is used again.
    guard core.pointer.pointee.listeners.dirtySinks.isEmpty else { return }
    sinks.removeAll(keepingCapacity: sinks.count < 1024)
    swap(&sinks, &core.pointer.pointee.listeners.dirtySinks)
  }
}
