// Written by Scripts/generate-iteration, which says why. Change it there.
extension Context {
  /// Visits the entities that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, Failure: Error>(
    _ body: (Entity, A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, Failure: Error>(
    _ body: (Entity, inout A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A?, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A, B?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, B?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B?, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B?, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self), .init(D.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(D.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(D.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(D.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(D.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have one component, to change; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid]) }.withEach(body)
  }

  /// Visits the entities that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have two components, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid]) }.withEach(body)
  }

  /// Visits the entities that have four components, to change three and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have three components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid]) }.withEach(body)
  }

  /// Visits the entities that have four components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid]) }.withEach(body)
  }

  /// Visits the entities that have five components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid]) }.withEach(body)
  }

  /// Visits the entities that have five components, to change one and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid]) }.withEach(body)
  }

  /// Visits the entities that have five components, to change two and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid]) }.withEach(body)
  }

  /// Visits the entities that have five components, to change three and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid]) }.withEach(body)
  }

  /// Visits the entities that have five components, to change four and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid]) }.withEach(body)
  }

  /// Visits the entities that have five components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid]) }.withEach(body)
  }

  /// Visits the entities that have six components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have six components, to change one and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have six components, to change two and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have six components, to change three and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have six components, to change four and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have six components, to change five and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have six components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]) }.withEach(
      body)
  }

  /// Visits the entities that have seven components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change one and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change two and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change three and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change four and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change five and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change six and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, G) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have seven components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try group(for: request) { Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid]) }
      .withEach(body)
  }

  /// Visits the entities that have eight components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change one and read seven.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change two and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change three and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change four and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change five and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change six and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, G, H) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change seven and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G, H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  /// Visits the entities that have eight components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G, inout H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try group(for: request) {
      Matcher(allOf: [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid, G.cid, H.cid])
    }.withEach(body)
  }

  // MARK: Wrong orders

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A, inout B) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A?, inout B) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B?, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B?, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C?) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, inout B, C?) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

}
