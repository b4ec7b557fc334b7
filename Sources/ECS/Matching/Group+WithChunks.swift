// One overload for each choice of mutated and read components: Swift has no other way to say which
// parameters of a closure are `inout`.
extension Group {
  /// Visits chunks of the entities that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component>(
    _ body: (borrowing Chunk, Span<A>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      try body(Chunk(view), view.span(A.self))
    }
  }

  /// Visits chunks of the entities that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component>(
    _ body: (borrowing Chunk, Span<A>, Span<B>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      try body(Chunk(view), view.span(A.self), view.span(B.self))
    }
  }

  /// Visits chunks of the entities that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      try body(Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a)
    }
  }

  /// Visits chunks of the entities that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self))
    }
  }

  /// Visits chunks of the entities that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b)
    }
  }

  /// Visits chunks of the entities that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.span(C.self))
    }
  }

  /// Visits chunks of the entities that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>) throws
      -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
      throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c)
    }
  }

  /// Visits chunks of the entities that have four components, to change three and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>
    ) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.span(D.self))
    }
  }

  /// Visits chunks of the entities that have four components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>
    ) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [], isDirect: true)
    try core.iterate(tables, request) { view, _ in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d)
    }
  }
}
