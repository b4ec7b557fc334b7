// Written by Scripts/generate-iteration, which says why. Change it there.
extension EntitySource {
  /// The same with one component to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: ChunkValues & ~Escapable>(
    _ body: @Sendable (borrowing Chunk, A) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self)
    iterateInParallel(request) { view in
      body(Chunk(view), view.values(A.self))
    }
  }

  /// The same with one component to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a)
    }
  }

  /// The same with two components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable>(
    _ body: @Sendable (borrowing Chunk, A, B) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self)
    iterateInParallel(request) { view in
      body(Chunk(view), view.values(A.self), view.values(B.self))
    }
  }

  /// Visits the entities that have some components in chunks, as `withChunks` does, on all cores.
  ///
  /// ```swift
  /// group.withChunksInParallel { (_, velocities: inout MutableSpan<Velocity>) in
  ///   for offset in velocities.indices { velocities[offset].dy -= 9.81 }
  /// }
  /// ```
  ///
  /// Several chunks are visited at a time, and large ones in pieces. The call returns when all have
  /// been.
  ///
  /// - Parameter body: Called with each chunk and its spans, on any thread. It must not call the
  ///   context or its entities, which stops with a message.
  /// - Precondition: A component that is changed is asked for once, and by no iteration around this
  ///   one.
  /// - Complexity: O(*t*), besides the body, where *t* is the number of combinations of component
  ///   types that match, and of pieces.
  @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component, B: ChunkValues & ~Escapable>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.values(B.self))
    }
  }

  /// The same with two components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b)
    }
  }

  /// The same with three components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
    iterateInParallel(request) { view in
      body(Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self))
    }
  }

  /// The same with one component to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.values(B.self), view.values(C.self))
    }
  }

  /// The same with two components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component, B: Component, C: ChunkValues & ~Escapable>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.values(C.self))
    }
  }

  /// The same with three components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
      -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c)
    }
  }

  /// The same with four components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C, D) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    iterateInParallel(request) { view in
      body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self))
    }
  }

  /// The same with one component to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C, D) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self))
    }
  }

  /// The same with two components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.values(C.self), view.values(D.self))
    }
  }

  /// The same with three components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.values(D.self))
    }
  }

  /// The same with four components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d)
    }
  }

  /// The same with five components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C, D, E) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    iterateInParallel(request) { view in
      body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self))
    }
  }

  /// The same with one component to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C, D, E) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self))
    }
  }

  /// The same with two components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self))
    }
  }

  /// The same with three components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self))
    }
  }

  /// The same with four components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, E
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d, view.values(E.self))
    }
  }

  /// The same with five components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e)
    }
  }

  /// The same with six components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C, D, E, F) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    iterateInParallel(request) { view in
      body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self), view.values(F.self))
    }
  }

  /// The same with one component to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C, D, E, F) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self), view.values(F.self))
    }
  }

  /// The same with two components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E, F) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(
        Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self),
        view.values(F.self))
    }
  }

  /// The same with three components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E, F
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self), view.values(F.self))
    }
  }

  /// The same with four components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    F: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, E, F
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d, view.values(E.self), view.values(F.self))
    }
  }

  /// The same with five components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component,
    F: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, F
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e, view.values(F.self))
    }
  }

  /// The same with six components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f)
    }
  }

  /// The same with seven components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C, D, E, F, G) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    iterateInParallel(request) { view in
      body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self), view.values(F.self), view.values(G.self))
    }
  }

  /// The same with one component to change and six to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C, D, E, F, G) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self), view.values(F.self), view.values(G.self))
    }
  }

  /// The same with two components to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E, F, G) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(
        Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self),
        view.values(F.self), view.values(G.self))
    }
  }

  /// The same with three components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E, F,
        G
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(
        Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self), view.values(F.self),
        view.values(G.self))
    }
  }

  /// The same with four components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, E, F, G
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self).reading(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(
        Chunk(view), &a, &b, &c, &d, view.values(E.self), view.values(F.self), view.values(G.self))
    }
  }

  /// The same with five components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, F, G
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self).reading(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e, view.values(F.self), view.values(G.self))
    }
  }

  /// The same with six components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, G
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).reading(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, view.values(G.self))
    }
  }

  /// The same with seven components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, &g)
    }
  }

  /// The same with eight components to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C, D, E, F, G, H) -> Void
  ) {
    let request = IterationRequest(isDirect: true).reading(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      body(
        Chunk(view), view.values(A.self), view.values(B.self), view.values(C.self),
        view.values(D.self), view.values(E.self), view.values(F.self), view.values(G.self),
        view.values(H.self))
    }
  }

  /// The same with one component to change and seven to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable, E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable,
    G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C, D, E, F, G, H) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).reading(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.values(B.self), view.values(C.self), view.values(D.self),
        view.values(E.self), view.values(F.self), view.values(G.self), view.values(H.self))
    }
  }

  /// The same with two components to change and six to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable,
    H: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, D, E, F, G, H) ->
      Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).reading(C.self)
      .reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(
        Chunk(view), &a, &b, view.values(C.self), view.values(D.self), view.values(E.self),
        view.values(F.self), view.values(G.self), view.values(H.self))
    }
  }

  /// The same with three components to change and five to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: ChunkValues & ~Escapable,
    E: ChunkValues & ~Escapable, F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable,
    H: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, D, E, F,
        G, H
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).reading(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(
        Chunk(view), &a, &b, &c, view.values(D.self), view.values(E.self), view.values(F.self),
        view.values(G.self), view.values(H.self))
    }
  }

  /// The same with four components to change and four to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: ChunkValues & ~Escapable,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, E, F, G, H
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).reading(E.self).reading(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(
        Chunk(view), &a, &b, &c, &d, view.values(E.self), view.values(F.self), view.values(G.self),
        view.values(H.self))
    }
  }

  /// The same with five components to change and three to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component,
    F: ChunkValues & ~Escapable, G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, F, G, H
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).reading(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(
        Chunk(view), &a, &b, &c, &d, &e, view.values(F.self), view.values(G.self),
        view.values(H.self))
    }
  }

  /// The same with six components to change and two to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: ChunkValues & ~Escapable, H: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, G, H
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).reading(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, view.values(G.self), view.values(H.self))
    }
  }

  /// The same with seven components to change and one to read.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: ChunkValues & ~Escapable
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>, H
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self).reading(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, &g, view.values(H.self))
    }
  }

  /// The same with eight components to change.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>,
        inout MutableSpan<H>
      ) -> Void
  ) {
    let request = IterationRequest(isDirect: true).changing(A.self).changing(B.self).changing(
      C.self
    ).changing(D.self).changing(E.self).changing(F.self).changing(G.self).changing(H.self)
    iterateInParallel(request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      var h = view.mutableSpan(H.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, &g, &h)
    }
  }

  // MARK: Wrong orders

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: ChunkValues & ~Escapable, B: Component>(
    _ body: @Sendable (borrowing Chunk, A, inout MutableSpan<B>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: Component
  >(
    _ body: @Sendable (borrowing Chunk, A, B, inout MutableSpan<C>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: Component, C: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, inout MutableSpan<B>, C) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: ChunkValues & ~Escapable, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, A, inout MutableSpan<B>, inout MutableSpan<C>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<A: Component, B: ChunkValues & ~Escapable, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, inout MutableSpan<C>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable,
    D: Component
  >(
    _ body: @Sendable (borrowing Chunk, A, B, C, inout MutableSpan<D>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: Component,
    D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, B, inout MutableSpan<C>, D) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: ChunkValues & ~Escapable, C: Component, D: Component
  >(
    _ body: @Sendable (borrowing Chunk, A, B, inout MutableSpan<C>, inout MutableSpan<D>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: Component, C: ChunkValues & ~Escapable,
    D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, inout MutableSpan<B>, C, D) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: Component, C: ChunkValues & ~Escapable, D: Component
  >(
    _ body: @Sendable (borrowing Chunk, A, inout MutableSpan<B>, C, inout MutableSpan<D>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: Component, C: Component, D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, A, inout MutableSpan<B>, inout MutableSpan<C>, D) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: ChunkValues & ~Escapable, B: Component, C: Component, D: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, A, inout MutableSpan<B>, inout MutableSpan<C>, inout MutableSpan<D>
      ) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: ChunkValues & ~Escapable, D: Component
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, C, inout MutableSpan<D>) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: Component, D: ChunkValues & ~Escapable
  >(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, B, inout MutableSpan<C>, D) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: ChunkValues & ~Escapable, C: Component, D: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, B, inout MutableSpan<C>, inout MutableSpan<D>
      ) -> Void
  ) {}

  /// Unavailable: components to change come first.
  @available(*, unavailable, message: "Components to change (inout) come first.")
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  public func withChunksInParallel<
    A: Component, B: Component, C: ChunkValues & ~Escapable, D: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, C, inout MutableSpan<D>
      ) -> Void
  ) {}

}
