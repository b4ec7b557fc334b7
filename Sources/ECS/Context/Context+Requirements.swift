extension Context {
  /// Makes several calls one atomic section that puts entities where they were: components come
  /// without those that they require, and go without regard to those that require them.
  package func ignoringRequirements<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.section { () throws(Failure) in try Completion(core: core).ignored(body) }
  }
}
