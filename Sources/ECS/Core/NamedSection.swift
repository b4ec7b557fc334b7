private import CPlatform

/// A section of the user's that has a name, from its beginning to its end: what perform(_:) with a
/// name is about its body.
@safe
@usableFromInline
package struct NamedSection: ~Copyable {
  private let core: Core

  /// What changes are made for; nil without journals.
  private let cause: CurrentCause?

  private let outerCause: UnsafeMutableRawPointer?
  private let outerDepth: Int

  /// Begins a section; each is ended, the innermost one first.
  @usableFromInline
  init(_ core: Core, _ name: () -> String, _ file: StaticString, _ line: Int) {
    core.enter()
    self.core = core
    outerDepth = core.pointer.pointee.section.userDepth
    core.pointer.pointee.section.userDepth = core.pointer.pointee.lock.depth
    unsafe outerCause = c_current_cause()
    guard core.isJournaling else {
      cause = nil
      return
    }
    let cause = NamedSection.cause(core, name(), file, line)
    self.cause = cause
    // SAFETY: it is kept until it is taken away again in `end()`.
    unsafe c_set_current_cause(Unmanaged.passUnretained(cause).toOpaque())
  }

  /// The cause of a section, which has begun.
  ///
  /// It is that of an earlier one, if both are outermost ones of the same name in the same place:
  /// those of one commit differ.
  private static func cause(
    _ core: Core, _ name: String, _ file: StaticString, _ line: Int
  ) -> CurrentCause {
    let isOutermost = core.pointer.pointee.lock.depth == 1
    if isOutermost, let last = core.pointer.pointee.journaling.lastSection,
      last.names(section: name, file: file, line: line)
    {
      return last
    }
    let cause = CurrentCause(section: name, file: file, line: line)
    if isOutermost { core.pointer.pointee.journaling.lastSection = cause }
    return cause
  }

  @usableFromInline
  package func end() {
    if cause != nil { unsafe c_set_current_cause(outerCause) }
    withExtendedLifetime(cause) {}
    core.pointer.pointee.section.userDepth = outerDepth
    core.leave()
  }
}
