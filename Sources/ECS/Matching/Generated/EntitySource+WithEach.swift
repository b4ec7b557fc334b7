// Written by Scripts/generate-iteration, which says why. Change it there.
extension EntitySource {
  /// The same with one component to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: IterationValue, Failure: Error>(
    _ body: (Entity, A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row])
      }
    }
  }

  /// The same with one component to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, Failure: Error>(
    _ body: (Entity, inout A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA)
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: IterationValue, B: IterationValue, Failure: Error>(
    _ body: (Entity, A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row])
      }
    }
  }

  /// Visits the entities that have some components, with the values of these.
  ///
  /// ```swift
  /// group.withEach { (entity, position: inout Position, velocity: Velocity, wind: Wind?) in
  ///   position.x += velocity.dx + (wind?.dx ?? 0)
  /// }
  /// ```
  ///
  /// The types of the closure's parameters, which have to be written out, say what to visit: up to
  /// eight components, first those to change, which are `inout`, then those to read. Optional ones
  /// among the latter are nil for entities that lack them. Entities that lack another one are left
  /// out.
  ///
  /// The closure runs in the context's critical section. <doc:Iteration> says what it may change
  /// besides its parameters, and what is notified of what.
  ///
  /// - Parameter body: Called with each entity and its components.
  /// - Throws: What the body throws. The entity for which it threw is not changed, and those behind
  ///   it are not visited.
  /// - Precondition: A component that is changed is asked for once, and by no iteration around this
  ///   one.
  /// - Complexity: O(*t* + *n*), besides the body, where *t* is the number of combinations of
  ///   component types that match, and *n* that of entities.
  @_alwaysEmitIntoClient
  public func withEach<A: Component, B: IterationValue, Failure: Error>(
    _ body: (Entity, inout A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: IterationValue, B: IterationValue, C: IterationValue, Failure: Error>(
    _ body: (Entity, A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row])
      }
    }
  }

  /// The same with one component to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, B: IterationValue, C: IterationValue, Failure: Error>(
    _ body: (Entity, inout A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, B: Component, C: IterationValue, Failure: Error>(
    _ body: (Entity, inout A, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// The same with four components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, Failure: Error
  >(
    _ body: (Entity, A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row])
      }
    }
  }

  /// The same with one component to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: IterationValue, C: IterationValue, D: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: IterationValue, D: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self
    ).reading(D.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, B: Component, C: Component, D: IterationValue, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.values(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// The same with four components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// The same with five components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row])
      }
    }
  }

  /// The same with one component to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: IterationValue, D: IterationValue, E: IterationValue,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self
    ).reading(D.self).reading(E.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: IterationValue, E: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// The same with four components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.values(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// The same with five components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// The same with six components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row], f[row])
      }
    }
  }

  /// The same with one component to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row], f[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row], f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: IterationValue, E: IterationValue,
    F: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row], f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// The same with four components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: IterationValue, F: IterationValue,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row], f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// The same with five components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: IterationValue,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.values(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// The same with six components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
      }
    }
  }

  /// The same with seven components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row], f[row], g[row])
      }
    }
  }

  /// The same with one component to change and six to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// The same with four components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: IterationValue, F: IterationValue,
    G: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// The same with five components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: IterationValue,
    G: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// The same with six components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, G) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).reading(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.values(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
      }
    }
  }

  /// The same with seven components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        var newG = view.take(g, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, &newG)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
        view.put(newG, g, row, Failure.self)
      }
    }
  }

  /// The same with eight components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: IterationValue, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.values(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row], f[row], g[row], h[row])
      }
    }
  }

  /// The same with one component to change and seven to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: IterationValue, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.values(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// The same with two components to change and six to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: IterationValue, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).reading(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.values(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// The same with three components to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: IterationValue, E: IterationValue,
    F: IterationValue, G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.values(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// The same with four components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: IterationValue, F: IterationValue,
    G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.values(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// The same with five components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: IterationValue,
    G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.values(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// The same with six components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: IterationValue, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, G, H) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.values(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
      }
    }
  }

  /// The same with seven components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: IterationValue, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G, H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self).reading(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.values(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        var newG = view.take(g, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, &newG, h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
        view.put(newG, g, row, Failure.self)
      }
    }
  }

  /// The same with eight components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G, inout H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: false).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self).changing(H.self)
    try iterate(request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        var newG = view.take(g, row, Failure.self)
        var newH = view.take(h, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, &newG, &newH)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
        view.put(newG, g, row, Failure.self)
        view.put(newH, h, row, Failure.self)
      }
    }
  }

  // MARK: Wrong orders

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, then those to read; eight at most."
  )
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withEach<each A: IterationValue, Failure: Error>(
    _ body: (Entity, repeat each A) throws(Failure) -> Void
  ) throws(Failure) {}

}
