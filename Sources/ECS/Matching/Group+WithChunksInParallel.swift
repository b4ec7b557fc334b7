// Written by Scripts/generate-iteration, which says why. Change it there.
extension Group {
  /// Visits on all cores chunks of the entities of the group that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group, with one component to read where it is there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [A.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.optionalSpan(A.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a)
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid], optional: [A.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.optionalSpan(A.self), view.span(B.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid], optional: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.optionalSpan(B.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group, with two components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [A.cid, B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [], optional: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.optionalSpan(B.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b)
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid, C.cid], optional: [A.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, C.cid], optional: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [C.cid], optional: [A.cid, B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid], optional: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid], optional: [A.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid], optional: [B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group, with three components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [A.cid, B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self)
      )
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [C.cid], optional: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.optionalSpan(B.self), view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid], optional: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [], optional: [B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.optionalSpan(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.span(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [], optional: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.optionalSpan(C.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
      -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c)
    }
  }

  /// Visits on all cores chunks of the entities of the group that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid, C.cid, D.cid], optional: [A.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.span(C.self),
        view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, C.cid, D.cid], optional: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [C.cid, D.cid], optional: [A.cid, B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>?, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, D.cid], optional: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, Span<C>?, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid, D.cid], optional: [A.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, Span<C>?, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, D.cid], optional: [B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self),
        view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, Span<C>?, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [D.cid], optional: [A.cid, B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self),
        view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid], optional: [D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, Span<C>, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid, C.cid], optional: [A.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, Span<C>, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, C.cid], optional: [B.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, Span<C>, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [C.cid], optional: [A.cid, B.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>?, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid], optional: [C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, Span<C>?, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [B.cid], optional: [A.cid, C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, Span<C>?, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid], optional: [B.cid, C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group, with four components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, Span<C>?, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [A.cid, B.cid, C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self),
        view.optionalSpan(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [C.cid, D.cid], optional: [B.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.optionalSpan(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>?, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, D.cid], optional: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>?, Span<D>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [D.cid], optional: [B.cid, C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.optionalSpan(B.self), view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid], optional: [D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.span(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [C.cid], optional: [B.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.optionalSpan(B.self), view.span(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>?, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid], optional: [C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(Chunk(view), &a, view.span(B.self), view.optionalSpan(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have one component, to change; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>?, Span<D>?) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [], optional: [B.cid, C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.optionalSpan(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>) ->
      Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.span(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>?, Span<D>) ->
      Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [D.cid], optional: [C.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>?) ->
      Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid], optional: [D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.span(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have two components, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>?, Span<D>?) ->
      Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [], optional: [C.cid, D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.optionalSpan(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have four components, to change three and read one.
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
      mutated: [A.cid, B.cid, C.cid], read: [D.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.span(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have three components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>?
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [], optional: [D.cid], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.optionalSpan(D.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have four components, to change.
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
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d)
    }
  }

  /// Visits on all cores chunks of the entities of the group that have five components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid, E.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have five components, to change one and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid, E.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have five components, to change two and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid, E.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have five components, to change three and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
        Span<E>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid, E.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have five components, to change four and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, Span<E>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [E.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d, view.span(E.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have five components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid], read: [], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e)
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self), view.span(F.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to change one and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>)
      -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid, E.cid, F.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to change two and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>,
        Span<F>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid, E.cid, F.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(
        Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to change three and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
        Span<E>, Span<F>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid, E.cid, F.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self), view.span(F.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to change four and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, Span<E>, Span<F>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [E.cid, F.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d, view.span(E.self), view.span(F.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to change five and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, Span<F>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid], read: [F.cid], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e, view.span(F.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have six components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid], read: [], optional: [], isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f)
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>) ->
      Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self), view.span(F.self), view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change one and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid, E.cid, F.cid, G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change two and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>,
        Span<F>, Span<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid, E.cid, F.cid, G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(
        Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change three and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
        Span<E>, Span<F>, Span<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid, E.cid, F.cid, G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(
        Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self), view.span(F.self),
        view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change four and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, Span<E>, Span<F>, Span<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [E.cid, F.cid, G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(Chunk(view), &a, &b, &c, &d, view.span(E.self), view.span(F.self), view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change five and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, Span<F>, Span<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid], read: [F.cid, G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e, view.span(F.self), view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change six and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, Span<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid], read: [G.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, view.span(G.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have seven components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component, G: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid], read: [], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
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

  /// Visits on all cores chunks of the entities of the group that have eight components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>, Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self), view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change one and read seven.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>,
        Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change two and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>,
        Span<F>, Span<G>, Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid, E.cid, F.cid, G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      body(
        Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change three and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
        Span<E>, Span<F>, Span<G>, Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid, E.cid, F.cid, G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      body(
        Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self), view.span(F.self),
        view.span(G.self), view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change four and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, Span<E>, Span<F>, Span<G>, Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [E.cid, F.cid, G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      body(
        Chunk(view), &a, &b, &c, &d, view.span(E.self), view.span(F.self), view.span(G.self),
        view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change five and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, Span<F>, Span<G>, Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid], read: [F.cid, G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      body(Chunk(view), &a, &b, &c, &d, &e, view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change six and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, Span<G>, Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid], read: [G.cid, H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, view.span(G.self), view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change seven and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunksInParallel<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component
  >(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
        inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>,
        Span<H>
      ) -> Void
  ) {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid], read: [H.cid], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      body(Chunk(view), &a, &b, &c, &d, &e, &f, &g, view.span(H.self))
    }
  }

  /// Visits on all cores chunks of the entities of the group that have eight components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
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
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid], read: [], optional: [],
      isDirect: true)
    core.iterateInParallel(tables, request) { view in
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
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, inout MutableSpan<B>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, inout MutableSpan<B>, Span<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body:
      @Sendable (borrowing Chunk, Span<A>?, inout MutableSpan<B>, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>?, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>?, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, Span<B>?, inout MutableSpan<C>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>?) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>?, inout MutableSpan<B>, Span<C>?) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>, Span<D>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, inout MutableSpan<C>, Span<D>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, inout MutableSpan<C>, Span<D>) ->
      Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>) ->
      Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body: @Sendable (borrowing Chunk, Span<A>, Span<B>, Span<C>, inout MutableSpan<D>) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, inout MutableSpan<D>) ->
      Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>, inout MutableSpan<D>) ->
      Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, inout MutableSpan<D>
      ) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (borrowing Chunk, Span<A>, Span<B>, inout MutableSpan<C>, inout MutableSpan<D>) ->
      Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, inout MutableSpan<A>, Span<B>, inout MutableSpan<C>, inout MutableSpan<D>
      ) -> Void
  ) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunksInParallel<A: Component, B: Component, C: Component, D: Component>(
    _ body:
      @Sendable (
        borrowing Chunk, Span<A>, inout MutableSpan<B>, inout MutableSpan<C>, inout MutableSpan<D>
      ) -> Void
  ) {
  }

}
