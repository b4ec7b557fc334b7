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
      mutated: [], read: [.init(A.self)], optional: [], isDirect: true)
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
      mutated: [], read: [], optional: [.init(A.self)], isDirect: true)
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
      mutated: [.init(A.self)], read: [], optional: [], isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: true)
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
      mutated: [], read: [.init(B.self)], optional: [.init(A.self)], isDirect: true)
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
      mutated: [], read: [.init(A.self)], optional: [.init(B.self)], isDirect: true)
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
      mutated: [], read: [], optional: [.init(A.self), .init(B.self)], isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [], isDirect: true)
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
      mutated: [.init(A.self)], read: [], optional: [.init(B.self)], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [], isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [], isDirect: true
    )
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
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [.init(A.self)], isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [.init(B.self)], isDirect: true)
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
      mutated: [], read: [.init(C.self)], optional: [.init(A.self), .init(B.self)], isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [.init(C.self)], isDirect: true)
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
      mutated: [], read: [.init(B.self)], optional: [.init(A.self), .init(C.self)], isDirect: true)
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
      mutated: [], read: [.init(A.self)], optional: [.init(B.self), .init(C.self)], isDirect: true)
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
      mutated: [], read: [], optional: [.init(A.self), .init(B.self), .init(C.self)], isDirect: true
    )
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
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [], isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(C.self)], optional: [.init(B.self)], isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [.init(C.self)], isDirect: true)
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
      mutated: [.init(A.self)], read: [], optional: [.init(B.self), .init(C.self)], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [.init(C.self)], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [], isDirect: true
    )
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: true)
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
      mutated: [], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [.init(A.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(C.self), .init(D.self)], optional: [.init(B.self)],
      isDirect: true)
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
      mutated: [], read: [.init(C.self), .init(D.self)], optional: [.init(A.self), .init(B.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(D.self)], optional: [.init(C.self)],
      isDirect: true)
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
      mutated: [], read: [.init(B.self), .init(D.self)], optional: [.init(A.self), .init(C.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(D.self)], optional: [.init(B.self), .init(C.self)],
      isDirect: true)
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
      mutated: [], read: [.init(D.self)], optional: [.init(A.self), .init(B.self), .init(C.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [.init(D.self)],
      isDirect: true)
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
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [.init(A.self), .init(D.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [.init(B.self), .init(D.self)],
      isDirect: true)
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
      mutated: [], read: [.init(C.self)], optional: [.init(A.self), .init(B.self), .init(D.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [.init(C.self), .init(D.self)],
      isDirect: true)
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
      mutated: [], read: [.init(B.self)], optional: [.init(A.self), .init(C.self), .init(D.self)],
      isDirect: true)
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
      mutated: [], read: [.init(A.self)], optional: [.init(B.self), .init(C.self), .init(D.self)],
      isDirect: true)
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
      mutated: [], read: [],
      optional: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(C.self), .init(D.self)], optional: [.init(B.self)],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self), .init(D.self)], optional: [.init(C.self)],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(D.self)], optional: [.init(B.self), .init(C.self)],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [.init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(C.self)], optional: [.init(B.self), .init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [.init(C.self), .init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self)], read: [], optional: [.init(B.self), .init(C.self), .init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self)], optional: [],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [.init(D.self)], optional: [.init(C.self)],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [.init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [.init(C.self), .init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self)], optional: [],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [.init(D.self)],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [], optional: [],
      isDirect: true)
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
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self), .init(E.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [.init(E.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [], optional: [], isDirect: true)
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
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: true)
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
      mutated: [.init(A.self)],
      read: [.init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)],
      read: [.init(C.self), .init(D.self), .init(E.self), .init(F.self)], optional: [],
      isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self)], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self)], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self)], optional: [], isDirect: true)
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
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [], optional: [], isDirect: true)
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
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: true)
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
      mutated: [.init(A.self)],
      read: [
        .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self),
      ], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)],
      read: [.init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self), .init(G.self)], optional: [],
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self), .init(G.self)], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self), .init(G.self)], optional: [], isDirect: true)
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
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [.init(G.self)], optional: [], isDirect: true)
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
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], read: [], optional: [], isDirect: true)
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
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: true)
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
      mutated: [.init(A.self)],
      read: [
        .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self),
        .init(H.self),
      ], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self)],
      read: [
        .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self), .init(H.self),
      ], optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self), .init(G.self), .init(H.self)],
      optional: [], isDirect: true)
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self), .init(G.self), .init(H.self)], optional: [],
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
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self), .init(G.self), .init(H.self)], optional: [], isDirect: true)
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
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [.init(G.self), .init(H.self)], optional: [], isDirect: true)
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
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], read: [.init(H.self)], optional: [], isDirect: true)
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
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], read: [], optional: [], isDirect: true)
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
