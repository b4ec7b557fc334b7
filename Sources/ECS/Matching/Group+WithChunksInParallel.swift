// One overload for each choice of mutated and read components: Swift has no other way to say which
// parameters of a closure are `inout`.
extension Group {
  /// Visits, on all cores, chunks of the entities that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a)
    }
  }

  /// Visits, on all cores, chunks of the entities that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.span(C.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b)
    }
  }

  /// Visits, on all cores, chunks of the entities that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.span(C.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>) ->
      Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.span(C.self), view.span(D.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
      -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c)
    }
  }

  /// Visits, on all cores, chunks of the entities that have four components, to change three and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.span(D.self))
    }
  }

  /// Visits, on all cores, chunks of the entities that have four components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d)
    }
  }
}
