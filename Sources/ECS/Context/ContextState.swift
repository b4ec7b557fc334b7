/// The state of a context beyond storage.
// Guarded by the lock of the context's core.
final class ContextState: RelatedState, @unchecked Sendable {
  weak var context: Context?

  override func deliver() {
    // Who is told nothing any more need not be asked who is gone.
    if context != nil { super.deliver() }
  }
}

extension Core {
  /// The context that uses this core at present.
  var context: Context? { client(as: ContextState.self)?.context }
}
