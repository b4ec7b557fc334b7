private import CPlatform

/// A section of the user's that has a name, from its beginning to its end: what perform(_:) with a
/// name is about its body.
@safe
@usableFromInline
package struct NamedSection {
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
    let cause = CurrentCause(section: name(), file: file, line: line)
    self.cause = cause
    // SAFETY: it is kept until it is taken away again in `end()`.
    unsafe c_set_current_cause(Unmanaged.passUnretained(cause).toOpaque())
  }

  @usableFromInline
  package func end() {
    if cause != nil { unsafe c_set_current_cause(outerCause) }
    withExtendedLifetime(cause) {}
    core.pointer.pointee.section.userDepth = outerDepth
    core.leave()
  }
}
