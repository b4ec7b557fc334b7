// Written by Scripts/generate-iteration, which says why. Change it there.
extension EntitySource {
  /// The same with one component to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: ChunkValues & ~Escapable, Failure: Error>(
    _ body: (borrowing Chunk, A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.values(A.self))
    }
  }

  /// The same with one component to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a)
    }
  }

  /// The same with two components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, Failure: Error>(
    _ body: (borrowing Chunk, A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.values(A.self), view.values(B.self))
    }
  }

  /// Visits the entities that have some components in chunks, with spans over the values of these.
  ///
  /// ```swift
  /// group.withChunks { (_, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
  ///   for offset in positions.indices { positions[offset].x += velocities[offset].dx }
  /// }
  /// ```
  ///
  /// The types of the closure's parameters, which have to be written out, say what to visit: up to
  /// eight components, first mutable spans of those to change, which are `inout`, then spans of those
  /// to read. Optional spans among the latter are nil for chunks of entities that lack the component.
  /// Entities that lack another one are left out.
  ///
  /// The closure runs in the context's critical section. All values of a mutable span count as
  /// changed. <doc:Iteration> says what the closure may change besides, and what is notified of what.
  ///
  /// - Parameter body: Called with each chunk and its spans.
  /// - Throws: What the body throws. The chunks behind the one for which it threw are not visited.
  /// - Precondition: A component that is changed is asked for once, and by no iteration around this
  ///   one.
  /// - Complexity: O(*t*), besides the body, where *t* is the number of combinations of component
  ///   types that match.
  @_alwaysEmitIntoClient
  public func withChunks<A: Component, B: ChunkValues & ~Escapable, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.values(B.self))
    }
  }

  /// The same with two components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b)
    }
  }

  /// The same with three components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self))
    }
  }

  /// The same with one component to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.values(B.self), view.values(C.self))
    }
  }

  /// The same with two components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: Component, B: Component, C: ChunkValues & ~Escapable, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.values(C.self))
    }
  }

  /// The same with three components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c)
    }
  }

  /// The same with four components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self))
    }
  }

  /// The same with one component to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self))
    }
  }

  /// The same with two components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.values(C.self), view.values(D.self))
    }
  }

  /// The same with three components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.values(D.self))
    }
  }

  /// The same with four components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d)
    }
  }

  /// The same with five components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self))
    }
  }

  /// The same with one component to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self))
    }
  }

  /// The same with two components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self))
    }
  }

  /// The same with three components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self))
    }
  }

  /// The same with four components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, E
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d, view.values(E.self))
    }
  }

  /// The same with five components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(Chunk(view), &a, &b, &c, &d, &e)
    }
  }

  /// The same with six components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self), view.values(F.self))
    }
  }

  /// The same with one component to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self), view.values(F.self))
    }
  }

  /// The same with two components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E, F)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(
        Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self),
        view.values(F.self))
    }
  }

  /// The same with three components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E, F
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(
        Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self), view.values(F.self))
    }
  }

  /// The same with four components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    F: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, E, F
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d, view.values(E.self), view.values(F.self))
    }
  }

  /// The same with five components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component,
    F: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, F
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, view.values(F.self))
    }
  }

  /// The same with six components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f)
    }
  }

  /// The same with seven components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self), view.values(F.self), view.values(G.self))
    }
  }

  /// The same with one component to change and six to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self), view.values(F.self), view.values(G.self))
    }
  }

  /// The same with two components to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E, F, G)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(
        Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self),
        view.values(F.self), view.values(G.self))
    }
  }

  /// The same with three components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E, F, G
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(
        Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self), view.values(F.self),
        view.values(G.self))
    }
  }

  /// The same with four components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, E, F, G
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(
        Chunk(view), &a, &b, &c, &d, view.values(E.self), view.values(F.self), view.values(G.self))
    }
  }

  /// The same with five components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, F, G
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, view.values(F.self), view.values(G.self))
    }
  }

  /// The same with six components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, G
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).reading(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, view.values(G.self))
    }
  }

  /// The same with seven components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, &g)
    }
  }

  /// The same with eight components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self), view.values(F.self), view.values(G.self),
        view.values(H.self))
    }
  }

  /// The same with one component to change and seven to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self), view.values(F.self), view.values(G.self), view.values(H.self))
    }
  }

  /// The same with two components to change and six to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable,
    H: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E, F, G, H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(
        Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self),
        view.values(F.self), view.values(G.self), view.values(H.self))
    }
  }

  /// The same with three components to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable,
    H: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E, F, G,
      H
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(
        Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self), view.values(F.self),
        view.values(G.self), view.values(H.self))
    }
  }

  /// The same with four components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, E, F, G, H
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(
        Chunk(view), &a, &b, &c, &d, view.values(E.self), view.values(F.self), view.values(G.self),
        view.values(H.self))
    }
  }

  /// The same with five components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, F, G, H
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(
        Chunk(view), &a, &b, &c, &d, &e, view.values(F.self), view.values(G.self),
        view.values(H.self))
    }
  }

  /// The same with six components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, G, H
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).reading(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, view.values(G.self), view.values(H.self))
    }
  }

  /// The same with seven components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>, H
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self).reading(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, &g, view.values(H.self))
    }
  }

  /// The same with eight components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>,
      inout MutableSpan<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self).changing(H.self)
    try iterate(request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      var h = view.mutableSpan(H.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, &g, &h)
    }
  }

  // MARK: Wrong orders

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: ChunkValues & ~Escapable, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: Component, C: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>, C) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: ChunkValues & ~Escapable, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<A: Component, B: ChunkValues & ~Escapable, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, C, inout MutableSpan<D>) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: Component,
    D: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, inout MutableSpan<C>, D) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: Component, D: Component,
    Failure: Error
  >(
    _ body: (borrowing Chunk, A, B, inout MutableSpan<C>, inout MutableSpan<D>) throws(Failure) ->
      Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: Component, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, Failure: Error
  >(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>, C, D) throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: Component, C: ChunkValues & ~Escapable, D: Component,
    Failure: Error
  >(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>, C, inout MutableSpan<D>) throws(Failure) ->
      Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: Component, C: Component, D: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>, inout MutableSpan<C>, D) throws(Failure) ->
      Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: ChunkValues & ~Escapable, B: Component, C: Component, D: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, A, inout MutableSpan<B>, inout MutableSpan<C>, inout MutableSpan<D>)
      throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable, D: Component,
    Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, C, inout MutableSpan<D>) throws(Failure) ->
      Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: Component, D: ChunkValues & ~Escapable,
    Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, inout MutableSpan<C>, D) throws(Failure) ->
      Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: ChunkValues & ~Escapable, C: Component, D: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, B, inout MutableSpan<C>, inout MutableSpan<D>)
      throws(Failure) -> Void
  ) throws(Failure) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunks<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, inout MutableSpan<D>)
      throws(Failure) -> Void
  ) throws(Failure) {}

}
