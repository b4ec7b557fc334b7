/// Entities that iterations visit: those of a ``Group``, or all of a ``Context``.
///
/// What a closure asks for says which of them it visits. So a context needs no group for that; it
/// looks one up each time: keep a ``Group`` where that counts. See <doc:Iteration>.
public protocol EntitySource: Sendable {
  /// The group whose entities an iteration visits.
  @_documentation(visibility: internal)
  func group(for request: IterationRequest) -> Group
}

extension Group: EntitySource {
  /// The group itself.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func group(for request: IterationRequest) -> Group { self }
}

extension EntitySource {
  /// Calls a body with each table that has all components of a request.
  @inlinable
  @inline(__always)
  func iterate<Failure: Error>(
    _ request: IterationRequest, _ body: (TableView, inout Int) throws(Failure) -> Void
  ) throws(Failure) {
    // PERFORMANCE: I0.context: while the group lives, its tables need not be retained.
    let group = group(for: request)
    try withExtendedLifetime(group) { () throws(Failure) in
      try group.core.iterate(group.tables, request, body)
    }
  }

  /// Calls a body with each table that has all components of a request, until it returns something.
  @inlinable
  @inline(__always)
  func search<Result, Failure: Error>(
    _ request: IterationRequest, _ body: (TableView, inout Int) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let group = group(for: request)
    return try withExtendedLifetime(group) { () throws(Failure) in
      try group.core.search(group.tables, request, body)
    }
  }

  /// Calls a body with slices of the tables that have all components of a request, on all cores.
  @inlinable
  @inline(__always)
  func iterateInParallel(_ request: IterationRequest, _ body: @Sendable (TableView) -> Void) {
    let group = group(for: request)
    withExtendedLifetime(group) { group.core.iterateInParallel(group.tables, request, body) }
  }
}
