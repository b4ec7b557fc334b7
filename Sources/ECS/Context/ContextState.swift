/// What a context knows beyond storage.
// Guarded by the lock of the context's core.
final class ContextState: CoreClient, @unchecked Sendable {
  let core: Core
  weak var context: Context?

  let notifier: Notifier
  var groups: [Matcher: Group] = [:]

  /// All relations, if one has been used.
  var relations: Relations?

  /// The number of live views at work.
  var viewCount = 0

  init(core: Core) {
    self.core = core
    notifier = Notifier(core)
  }

  func entityEnded(_ handle: Handle) { notifier.entityEnded(handle) }

  func deliver() {
    // Who is told nothing any more need not be asked who is gone.
    if context != nil { notifier.deliver() }
  }

  func coreEnded() {
    notifier.end()
    // They may own what is not ours.
    core.retire(Kept((groups, relations)))
    (groups, relations) = ([:], nil)
  }
}

extension Core {
  var state: ContextState? { client(as: ContextState.self) }

  /// The context that uses this core at present.
  var context: Context? { state?.context }
}
