// Written by Scripts/generate-iteration, which says why. Change it there.
extension Context {
  /// Searches the entities that have one component, to read.
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
    return try group(for: request) { Matcher(allOf: [A.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have one component, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, Result, Failure: Error>(
    _ body: (Entity, inout A) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have two components, to read.
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
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have two components, to change one and read one.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have two components, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have three components, to read.
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
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have three components, to change one and read two.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have three components, to change two and read one.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B, C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have three components, to change.
  ///
  /// Ends with the first result that is not nil, and returns it.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func firstNonNil<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.firstNonNil(body)
  }

  /// Searches the entities that have four components, to read.
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
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.firstNonNil(
      body)
  }

  /// Searches the entities that have four components, to change one and read three.
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.firstNonNil(
      body)
  }

  /// Searches the entities that have four components, to change two and read two.
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.firstNonNil(
      body)
  }

  /// Searches the entities that have four components, to change three and read one.
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.firstNonNil(
      body)
  }

  /// Searches the entities that have four components, to change.
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
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    return try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.firstNonNil(
      body)
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
