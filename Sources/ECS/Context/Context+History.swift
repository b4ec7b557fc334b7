extension EntityRetainer {
  /// Begins to hold slots of a context.
  package convenience init(in context: Context) { self.init(context.core) }
}

extension SignalOwner {
  /// Makes something observable whose changes belong to a context.
  package convenience init(in context: Context, name: String) {
    self.init(context.core, name: name)
  }
}
