// Written by Scripts/generate-iteration, which says why. Change it there.
extension EntitySource {
  /// The same with one component to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<A: IterationValue, Result, Failure: Error>(
    _ body: (Entity, A) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).reading(A.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        return try body(view.entity(row), a[row])
      }
    }
  }

  /// The same with one component to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<A: Component, Result, Failure: Error>(
    _ body: (Entity, inout A) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA)
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// The same with two components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<A: IterationValue, B: IterationValue, Result, Failure: Error>(
    _ body: (Entity, A, B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        return try body(view.entity(row), a[row], b[row])
      }
    }
  }

  /// Visits the entities that have some components until the body returns something, and returns that.
  ///
  /// ```swift
  /// let far = group.firstNonNil { (entity, position: Position) in position.x > 9 ? entity : nil }
  /// ```
  ///
  /// The types of the closure's parameters say what to visit, as with `withEach`: up to four
  /// components, first those to change. What was visited counts as changed, the last entity included.
  ///
  /// - Parameter body: Called with each entity and its components.
  /// - Returns: The first result that is not nil; nil if there is none.
  /// - Throws: What the body throws. The entity for which it threw is not changed, and those behind
  ///   it are not visited.
  /// - Precondition: A component that is changed is asked for once, and by no iteration around this
  ///   one.
  /// - Complexity: O(*t* + *n*), besides the body, where *t* is the number of combinations of
  ///   component types that match, and *n* that of entities visited.
  @_alwaysEmitIntoClient
  public func firstNonNil<A: Component, B: IterationValue, Result, Failure: Error>(
    _ body: (Entity, inout A, B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA, b[row])
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// The same with two components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        let result = try body(view.entity(row), &newA, &newB)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        return result
      }
    }
  }

  /// The same with three components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: IterationValue, B: IterationValue, C: IterationValue, Result, Failure: Error
  >(
    _ body: (Entity, A, B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        return try body(view.entity(row), a[row], b[row], c[row])
      }
    }
  }

  /// The same with one component to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: Component, B: IterationValue, C: IterationValue, Result, Failure: Error
  >(
    _ body: (Entity, inout A, B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA, b[row], c[row])
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// The same with two components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<A: Component, B: Component, C: IterationValue, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        let result = try body(view.entity(row), &newA, &newB, c[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        return result
      }
    }
  }

  /// The same with three components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        let result = try body(view.entity(row), &newA, &newB, &newC)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        return result
      }
    }
  }

  /// The same with four components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, Result,
    Failure: Error
  >(
    _ body: (Entity, A, B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        return try body(view.entity(row), a[row], b[row], c[row], d[row])
      }
    }
  }

  /// The same with one component to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: Component, B: IterationValue, C: IterationValue, D: IterationValue, Result, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA, b[row], c[row], d[row])
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// The same with two components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: Component, B: Component, C: IterationValue, D: IterationValue, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self
    ).reading(D.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        let result = try body(view.entity(row), &newA, &newB, c[row], d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        return result
      }
    }
  }

  /// The same with three components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: IterationValue, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.values(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        let result = try body(view.entity(row), &newA, &newB, &newC, d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        return result
      }
    }
  }

  /// The same with four components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self)
    return try search(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        let result = try body(view.entity(row), &newA, &newB, &newC, &newD)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        return result
      }
    }
  }

  // MARK: Wrong orders

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, then those to read; four at most."
  )
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func firstNonNil<each A: IterationValue, Result, Failure: Error>(
    _ body: (Entity, repeat each A) throws(Failure) -> Result?
  ) throws(Failure) -> Result? { nil }

}
