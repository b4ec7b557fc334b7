extension FrozenContext {
  /// Calls a closure with each entity that had what it asks for.
  ///
  /// ```swift
  /// frozen.withEach { (entity, order: Order, paid: Paid?) in … }
  /// ```
  ///
  /// The closure runs outside of the context's critical section, and may change the context.
  ///
  /// - Parameters:
  ///   - matcher: Which components entities had besides, of any type; nil for any.
  ///   - body: Called with each entity and values, in the order in which groups have them. Of up to
  ///     four components; those that are optional need not be there.
  /// - Precondition: The picture was made of these components.
  /// - Throws: What the closure throws.
  /// - Complexity: O(*n*), where *n* is the number of these entities.
  @inlinable
  public func withEach<A: IterationValue, Failure: Error>(
    matching matcher: Matcher? = nil, _ body: (Entity, A) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachPage(of: tables(matcher, [A.iteratedType])) { (page) throws(Failure) in
      let a = page.column(of: A.iteratedType.key)
      for row in 0..<page.count {
        try body(entity(row, of: page), A.iterationValue(at: row, in: a))
      }
    }
  }

  /// As with one component.
  @inlinable
  public func withEach<A: IterationValue, B: IterationValue, Failure: Error>(
    matching matcher: Matcher? = nil, _ body: (Entity, A, B) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachPage(of: tables(matcher, [A.iteratedType, B.iteratedType])) {
      (page) throws(Failure) in
      let a = page.column(of: A.iteratedType.key)
      let b = page.column(of: B.iteratedType.key)
      for row in 0..<page.count {
        try body(
          entity(row, of: page), A.iterationValue(at: row, in: a), B.iterationValue(at: row, in: b))
      }
    }
  }

  /// As with one component.
  @inlinable
  public func withEach<A: IterationValue, B: IterationValue, C: IterationValue, Failure: Error>(
    matching matcher: Matcher? = nil, _ body: (Entity, A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachPage(of: tables(matcher, [A.iteratedType, B.iteratedType, C.iteratedType])) {
      (page) throws(Failure) in
      let a = page.column(of: A.iteratedType.key)
      let b = page.column(of: B.iteratedType.key)
      let c = page.column(of: C.iteratedType.key)
      for row in 0..<page.count {
        try body(
          entity(row, of: page), A.iterationValue(at: row, in: a), B.iterationValue(at: row, in: b),
          C.iterationValue(at: row, in: c))
      }
    }
  }

  /// As with one component.
  @inlinable
  public func withEach<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, Failure: Error
  >(
    matching matcher: Matcher? = nil, _ body: (Entity, A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachPage(
      of: tables(matcher, [A.iteratedType, B.iteratedType, C.iteratedType, D.iteratedType])
    ) { (page) throws(Failure) in
      let a = page.column(of: A.iteratedType.key)
      let b = page.column(of: B.iteratedType.key)
      let c = page.column(of: C.iteratedType.key)
      let d = page.column(of: D.iteratedType.key)
      for row in 0..<page.count {
        try body(
          entity(row, of: page), A.iterationValue(at: row, in: a), B.iterationValue(at: row, in: b),
          C.iterationValue(at: row, in: c), D.iterationValue(at: row, in: d))
      }
    }
  }
}
