// Written by Scripts/generate-iteration, which says why. Change it there.
extension Group {
  /// Searches the entities of the group that have one component, to read.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, Result, Failure: Error>(
    _ body: (Entity, A) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row])
      }
    }
  }

  /// Searches the entities of the group that have one component, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, Result, Failure: Error>(
    _ body: (Entity, inout A) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA)
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// Searches the entities of the group that have two components, to read.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, A, B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row])
      }
    }
  }

  /// Searches the entities of the group that have two components, to change one and read one.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA, b[row])
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// Searches the entities of the group that have two components, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
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

  /// Searches the entities of the group that have three components, to read.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A, B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row])
      }
    }
  }

  /// Searches the entities of the group that have three components, to change one and read two.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA, b[row], c[row])
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// Searches the entities of the group that have three components, to change two and read one.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [], isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
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

  /// Searches the entities of the group that have three components, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
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

  /// Searches the entities of the group that have four components, to read.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row])
      }
    }
  }

  /// Searches the entities of the group that have four components, to change one and read three.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      return try view.firstRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        let result = try body(view.entity(row), &newA, b[row], c[row], d[row])
        view.put(newA, a, row, Failure.self)
        return result
      }
    }
  }

  /// Searches the entities of the group that have four components, to change two and read two.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
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

  /// Searches the entities of the group that have four components, to change three and read one.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self)], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
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

  /// Searches the entities of the group that have four components, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [], optional: [],
      isDirect: false)
    return try core.search(tables, request) { (view, visited) throws(Failure) in
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
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, A, inout B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, A?, inout B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A, inout B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A?, inout B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A, B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A?, B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A, inout B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A?, inout B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A, B?, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, B?, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A?, B?, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A, inout B, C?) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, A?, inout B, C?) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, inout B, C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, B, inout C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, B, inout C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, inout B, inout C, D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, B, C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, inout B, C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, B, inout C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, inout A, B, inout C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func firstNonNil<
    A: Component, B: Component, C: Component, D: Component, Result, Failure: Error
  >(
    _ body: (Entity, A, inout B, inout C, inout D) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    nil
  }

}
