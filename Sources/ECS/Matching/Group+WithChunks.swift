// Written by Scripts/generate-iteration, which says why. Change it there.
extension Group {
  /// Visits chunks of the entities of the group that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self))
    }
  }

  /// Visits chunks of the entities of the group, with one component to read where it is there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [.init(A.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.optionalSpan(A.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a)
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self), view.span(B.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [.init(A.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.optionalSpan(A.self), view.span(B.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [.init(B.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self), view.optionalSpan(B.self))
    }
  }

  /// Visits chunks of the entities of the group, with two components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [.init(A.self), .init(B.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [.init(B.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.optionalSpan(B.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b)
    }
  }

  /// Visits chunks of the entities of the group that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [], isDirect: true
    )
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [.init(A.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [.init(B.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self)], optional: [.init(A.self), .init(B.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [.init(C.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self), view.span(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [.init(A.self), .init(C.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [.init(B.self), .init(C.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits chunks of the entities of the group, with three components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [.init(A.self), .init(B.self), .init(C.self)], isDirect: true
    )
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self)
      )
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(C.self)], optional: [.init(B.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.optionalSpan(B.self), view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [.init(C.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [.init(B.self), .init(C.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.optionalSpan(B.self), view.optionalSpan(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.span(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>?) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [.init(C.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.optionalSpan(C.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [], isDirect: true
    )
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c)
    }
  }

  /// Visits chunks of the entities of the group that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, Span<C>, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [.init(A.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.span(C.self),
        view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, Span<C>, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self), .init(D.self)], optional: [.init(B.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, Span<C>, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self), .init(D.self)], optional: [.init(A.self), .init(B.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>?, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(D.self)], optional: [.init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, Span<C>?, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(D.self)], optional: [.init(A.self), .init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, Span<C>?, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(D.self)], optional: [.init(B.self), .init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self),
        view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, Span<C>?, Span<D>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(D.self)], optional: [.init(A.self), .init(B.self), .init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self),
        view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [.init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, Span<C>, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [.init(A.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, Span<C>, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [.init(B.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, Span<C>, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self)], optional: [.init(A.self), .init(B.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self), view.span(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>?, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [.init(C.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, Span<C>?, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [.init(A.self), .init(C.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.span(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, Span<C>?, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [.init(B.self), .init(C.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.optionalSpan(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group, with four components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, Span<C>?, Span<D>?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [],
      optional: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.optionalSpan(A.self), view.optionalSpan(B.self),
        view.optionalSpan(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>, Span<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(C.self), .init(D.self)], optional: [.init(B.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.optionalSpan(B.self), view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>?, Span<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(D.self)], optional: [.init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>?, Span<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(D.self)], optional: [.init(B.self), .init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.optionalSpan(B.self), view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>?) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [.init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(Chunk(view), &a, view.span(B.self), view.span(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>, Span<D>?) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(C.self)], optional: [.init(B.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.optionalSpan(B.self), view.span(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>?, Span<D>?) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [.init(C.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.span(B.self), view.optionalSpan(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have one component, to change; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, Span<C>?, Span<D>?) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [.init(B.self), .init(C.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.optionalSpan(B.self), view.optionalSpan(C.self),
        view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.span(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>?, Span<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(D.self)], optional: [.init(C.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.optionalSpan(C.self), view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>?)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [.init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.span(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have two components, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>?, Span<D>?)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [.init(C.self), .init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.optionalSpan(C.self), view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have four components, to change three and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.span(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have three components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>?
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [.init(D.self)],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.optionalSpan(D.self))
    }
  }

  /// Visits chunks of the entities of the group that have four components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d)
    }
  }

  /// Visits chunks of the entities of the group that have five components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self))
    }
  }

  /// Visits chunks of the entities of the group that have five components, to change one and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self))
    }
  }

  /// Visits chunks of the entities of the group that have five components, to change two and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self))
    }
  }

  /// Visits chunks of the entities of the group that have five components, to change three and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
      Span<E>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self), .init(E.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self))
    }
  }

  /// Visits chunks of the entities of the group that have five components, to change four and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, Span<E>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [.init(E.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d, view.span(E.self))
    }
  }

  /// Visits chunks of the entities of the group that have five components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(Chunk(view), &a, &b, &c, &d, &e)
    }
  }

  /// Visits chunks of the entities of the group that have six components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self), view.span(F.self))
    }
  }

  /// Visits chunks of the entities of the group that have six components, to change one and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)],
      read: [.init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self))
    }
  }

  /// Visits chunks of the entities of the group that have six components, to change two and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>,
      Span<F>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)],
      read: [.init(C.self), .init(D.self), .init(E.self), .init(F.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(
        Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self))
    }
  }

  /// Visits chunks of the entities of the group that have six components, to change three and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
      Span<E>, Span<F>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self), view.span(F.self))
    }
  }

  /// Visits chunks of the entities of the group that have six components, to change four and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, Span<E>, Span<F>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d, view.span(E.self), view.span(F.self))
    }
  }

  /// Visits chunks of the entities of the group that have six components, to change five and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, Span<F>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, view.span(F.self))
    }
  }

  /// Visits chunks of the entities of the group that have six components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f)
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self), view.span(F.self), view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change one and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)],
      read: [
        .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self),
      ], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change two and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>,
      Span<F>, Span<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)],
      read: [.init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(
        Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change three and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
      Span<E>, Span<F>, Span<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self), .init(G.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(
        Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self), view.span(F.self),
        view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change four and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, Span<E>, Span<F>, Span<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self), .init(G.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(Chunk(view), &a, &b, &c, &d, view.span(E.self), view.span(F.self), view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change five and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, Span<F>, Span<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self), .init(G.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, view.span(F.self), view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change six and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, Span<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [.init(G.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, view.span(G.self))
    }
  }

  /// Visits chunks of the entities of the group that have seven components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], read: [], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
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

  /// Visits chunks of the entities of the group that have eight components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, Span<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>, Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      try body(
        Chunk(view), view.span(A.self), view.span(B.self), view.span(C.self), view.span(D.self),
        view.span(E.self), view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change one and read seven.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, Span<D>, Span<E>, Span<F>, Span<G>,
      Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)],
      read: [
        .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self),
        .init(H.self),
      ], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      try body(
        Chunk(view), &a, view.span(B.self), view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change two and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, Span<D>, Span<E>,
      Span<F>, Span<G>, Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)],
      read: [
        .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self), .init(H.self),
      ], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      try body(
        Chunk(view), &a, &b, view.span(C.self), view.span(D.self), view.span(E.self),
        view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change three and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>,
      Span<E>, Span<F>, Span<G>, Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self), .init(G.self), .init(H.self)],
      optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      try body(
        Chunk(view), &a, &b, &c, view.span(D.self), view.span(E.self), view.span(F.self),
        view.span(G.self), view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change four and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, Span<E>, Span<F>, Span<G>, Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self), .init(G.self), .init(H.self)], optional: [],
      isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      try body(
        Chunk(view), &a, &b, &c, &d, view.span(E.self), view.span(F.self), view.span(G.self),
        view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change five and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, Span<F>, Span<G>, Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self), .init(G.self), .init(H.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      try body(
        Chunk(view), &a, &b, &c, &d, &e, view.span(F.self), view.span(G.self), view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change six and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, Span<G>, Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [.init(G.self), .init(H.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, view.span(G.self), view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change seven and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withChunks<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>,
      inout MutableSpan<D>, inout MutableSpan<E>, inout MutableSpan<F>, inout MutableSpan<G>,
      Span<H>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], read: [.init(H.self)], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
      var a = view.mutableSpan(A.self)
      var b = view.mutableSpan(B.self)
      var c = view.mutableSpan(C.self)
      var d = view.mutableSpan(D.self)
      var e = view.mutableSpan(E.self)
      var f = view.mutableSpan(F.self)
      var g = view.mutableSpan(G.self)
      try body(Chunk(view), &a, &b, &c, &d, &e, &f, &g, view.span(H.self))
    }
  }

  /// Visits chunks of the entities of the group that have eight components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
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
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], read: [], optional: [], isDirect: true)
    try core.iterate(tables, request) { (view, _) throws(Failure) in
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
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, inout MutableSpan<B>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, inout MutableSpan<B>, Span<C>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, inout MutableSpan<C>) throws(Failure)
      -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>, inout MutableSpan<C>) throws(Failure)
      -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, inout MutableSpan<B>, inout MutableSpan<C>) throws(Failure)
      -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>?, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>?, inout MutableSpan<C>) throws(Failure)
      -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, Span<B>?, inout MutableSpan<C>) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>?, inout MutableSpan<B>, Span<C>?) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>, Span<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, inout MutableSpan<C>, Span<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, inout MutableSpan<C>, Span<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>, inout MutableSpan<C>, Span<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, Span<C>, inout MutableSpan<D>) throws(Failure) ->
      Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, inout MutableSpan<A>, Span<B>, Span<C>, inout MutableSpan<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, inout MutableSpan<B>, Span<C>, inout MutableSpan<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>, inout MutableSpan<D>
    ) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (borrowing Chunk, Span<A>, Span<B>, inout MutableSpan<C>, inout MutableSpan<D>)
      throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, inout MutableSpan<A>, Span<B>, inout MutableSpan<C>, inout MutableSpan<D>
    ) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withChunks<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (
      borrowing Chunk, Span<A>, inout MutableSpan<B>, inout MutableSpan<C>, inout MutableSpan<D>
    ) throws(Failure) -> Void
  ) throws(Failure) {
  }

}
