extension EntityRetainer {
  /// Begins to hold slots of a context.
  package convenience init(in context: Context) { self.init(context.core) }
}

extension ValueTracker {
  /// Begins to track values of some components of a context, or of all of them.
  package convenience init(in context: Context, _ cids: [CID]?) { self.init(context.core, cids) }
}

extension SignalOwner {
  /// Makes something observable whose changes belong to a context.
  package convenience init(in context: Context, name: String) {
    self.init(context.core, name: name)
  }
}
