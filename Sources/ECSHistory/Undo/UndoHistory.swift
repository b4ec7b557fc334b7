public import ECS

/// The changes that were made in steps, to be taken back and made again.
///
/// ```swift
/// let history = UndoHistory(context, of: Shape.self, Layer.self, limit: .bytes(64 << 20))
/// history.group("Move") { shape.update(Shape.self) { $0.x += 10 } }
/// try history.undo()
/// try history.redo()
/// ```
///
/// A history records components that are listed, and links of listed relations; what systems derive
/// from them is derived again. A step is made by ``group(_:file:line:_:)`` or
/// ``coalesce(_:within:file:line:_:)``; all other changes are those of others, which no step
/// takes back. Values are copied as components are: nothing is encoded, and no closures are kept.
///
/// Undoing and redoing are changes like any other, made in one commit whose cause is the section
/// `undo` or `redo` and the name of the step. Entities that come back are alive by the same
/// handles, with the same creation numbers; handles of entities whose creation was undone are alive
/// again when it is redone, and dead for ever once the step is dropped.
///
/// What comes back of an entity is its listed components and its links of listed relations, which
/// come to where they were among others; they are the last ones, if those they came before are not
/// there. Links that were moved go back to where they were, or stay where they are, if those they
/// came before are not there. Entities that had no listed component before a step are not brought
/// back. Destroying an entity by undoing its creation is a destruction like any other, with what
/// relations say happens then.
///
/// Whether values are equal is asked of their types, if these are `Equatable`: their `==` is called
/// in the context's critical section, and while journals are called. It must not change the
/// context, nor wait for other threads.
///
/// A history is observed as other sources are, to show what can be undone: with
/// `observe(initial:name:on:file:line:_:)`. A context may have several. A history does not keep its
/// context; if that is gone, there is nothing to undo. While there is a history, changes of the
/// context are noted; see the article "Journals" of `ECS`.
public final class UndoHistory: Sendable {
  /// The limit of what is kept: if there is more, the oldest steps are dropped.
  public struct Limit: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case bytes(Int)
      case steps(Int)
    }

    let kind: Kind

    /// So many bytes of steps, as ``UndoHistory/byteCount`` counts them.
    ///
    /// A step that alone is larger cannot be undone, nor can those before it.
    public static func bytes(_ count: Int) -> Limit { Limit(kind: .bytes(count)) }

    /// So many steps, of any size.
    public static func steps(_ count: Int) -> Limit { Limit(kind: .steps(count)) }
  }

  private weak let context: Context?
  private let state: UndoState
  private let journal: Subscription
  private let clock: LoopClock

  /// The relations whose links are recorded.
  let relations: [any Relation.Type]

  /// Makes an empty history of a context, which records steps from now on.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - type: The components to record.
  ///   - relations: The relations whose links to record; none unless given.
  ///   - limit: How much is kept; 64 MB unless given.
  ///   - clock: The time for ``coalesce(_:within:file:line:_:)``.
  public init<each C: Component>(
    _ context: Context, of type: repeat (each C).Type, relations: [any Relation.Type] = [],
    limit: Limit = .bytes(64 << 20), clock: LoopClock = .dispatch
  ) {
    var listed: [CID] = []
    for cid in repeat (each C).cid {
      if !listed.contains(cid) { listed.append(cid) }
    }
    self.context = context
    self.clock = clock
    self.relations = relations
    let state = UndoState(context, listed: listed, relations: relations, limit: limit)
    self.state = state
    journal = context.journal(of: repeat each type, relations: relations)
      .observe(name: "undo history") { state.note($0) }
  }

  // MARK: Steps

  /// Makes several calls one atomic section, and what they change a step.
  ///
  /// All that the outermost change changes is the step, together with what observers in the
  /// critical section change in response. A group inside another one is a part of it, and so is one
  /// that an observer of an undo or a redo makes. Without changes of what is listed, there is no
  /// step; with one, steps that could be redone are dropped. An entity that was created with
  /// nothing listed before the group, in a section around it, was there before the step.
  ///
  /// If the body throws, nothing of it stays: it runs in a transaction then.
  ///
  /// - Parameters:
  ///   - name: The name of the step, and of the section; see `Cause`.
  ///   - file: Where this is called.
  ///   - line: Where this is called.
  ///   - body: Makes the changes.
  /// - Precondition: If the body may throw, not called inside a closure or chunk iteration.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  /// - Complexity: O(*k*), besides the body, where *k* is the number of changes.
  @discardableResult
  public func group<Result, Failure: Error>(
    _ name: String, file: StaticString = #fileID, line: Int = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try makeStep(name, joins: nil, file, line, body)
  }

  /// Makes a step as ``group(_:file:line:_:)`` does, as a part of the step before if that was made
  /// in the same way and under the same name, a short time ago.
  ///
  /// For what comes in small pieces, such as typing and dragging. The steps stay apart if something
  /// was undone or redone in between, if there was another step, and if others have changed
  /// one of the values or links that the step before has left. See also ``endCoalescing()``.
  ///
  /// - Parameters:
  ///   - name: The name of the step, and of the section.
  ///   - interval: How long after the last piece the next one may come.
  ///   - file: Where this is called.
  ///   - line: Where this is called.
  ///   - body: Makes the changes.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  /// - Complexity: O(*k* + *s*), besides the body, where *k* is the number of changes, and *s* that
  ///   of the values, links, and movements of links in the step before, which keeps each of these
  ///   but those of one link in a row.
  @discardableResult
  public func coalesce<Result, Failure: Error>(
    _ name: String, within interval: Duration, file: StaticString = #fileID, line: Int = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let now = clock.now()
    return try makeStep(name, joins: (now, now + interval), file, line, body)
  }

  /// Lets the next step be one of its own.
  ///
  /// - Precondition: Not called inside a section of the context, whose changes are no step yet.
  public func endCoalescing() {
    checkIsOutside("endCoalescing()")
    state.holder.section { state.endJoining() }
  }

  private func makeStep<Result, Failure: Error>(
    _ name: String, joins: (Duration, Duration)?, _ file: StaticString, _ line: Int,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let context else { return try body() }
    guard Failure.self != Never.self else {
      let section = context.beginSection(name, file, line)
      defer { section.end() }
      state.beginStep(name, joins: joins)
      return try body()
    }
    return try context.transaction(name, file: file, line: line) { () throws(Failure) -> Result in
      state.beginStep(name, joins: joins)
      return try body()
    }
  }

  // MARK: Undoing and redoing

  /// Takes the last step back that was not taken back yet.
  ///
  /// Changes are announced as any are, at the end. The cause is a section named `undo` and the
  /// name of the step.
  ///
  /// - Parameter policy: What to do if others have changed meanwhile what the step has
  ///   changed. A value that was changed to an equal one has not changed, if its type is
  ///   `Equatable`. A link of a listed relation, or an entity with listed components, that would go
  ///   with an entity that is going to be destroyed, is a conflict, too, and so is a key of a
  ///   primary index that another entity has now. Links of other relations go without one.
  /// - Returns: The name of the step; nil if there is none.
  /// - Throws: ``UndoConflict``, and nothing is changed then.
  /// - Precondition: Not called inside a section of the context: a step is taken back in an
  ///   outermost change.
  /// - Complexity: O(*k*), where *k* is the number of values, entities and links in the step.
  @discardableResult
  public func undo(_ policy: UndoConflictPolicy = .refuse) throws(UndoConflict) -> String? {
    try move(.before, policy, "undo")
  }

  /// Makes the step again that was taken back last.
  ///
  /// As ``undo(_:)``, with a cause whose name begins with `redo`.
  ///
  /// - Parameter policy: What to do if others have changed meanwhile what the step would change.
  /// - Returns: The name of the step; nil if there is none.
  /// - Throws: ``UndoConflict``, and nothing is changed then.
  /// - Precondition: Not called inside a section of the context.
  @discardableResult
  public func redo(_ policy: UndoConflictPolicy = .refuse) throws(UndoConflict) -> String? {
    try move(.after, policy, "redo")
  }

  private func checkIsOutside(_ call: @autoclosure () -> String) {
    require(
      !state.holder.isInSection,
      "\(call()) was called inside a section of the context, whose changes would be mixed with it: call it outside of perform(_:), transactions, iterations and observers."
    )
  }

  private func move(
    _ side: UndoSide, _ policy: UndoConflictPolicy, _ verb: String
  ) throws(UndoConflict) -> String? {
    checkIsOutside("\(verb)()")
    guard let context else { return nil }
    // Journals have been called before, if there was anything to tell.
    defer { state.holder.section { state.tellOfMove() } }
    return try context.perform { () throws(UndoConflict) -> String? in
      guard let step = state.steps.next(side) else { return nil }
      if policy == .refuse { try state.check(step, side.other, in: context) }
      func apply() throws(UndoConflict) {
        state.beginMove(side)
        try context.ignoringRequirements { () throws(UndoConflict) in
          try state.apply(step, side, policy)
        }
      }
      let name = verb + " " + step.name
      if step.links.contains(where: { $0.relation is any Hierarchy.Type }) {
        // Links of others may be in the way, which only the attempt shows.
        try context.transaction(name, apply)
      } else {
        try context.perform(name, apply)
      }
      state.moveStep(side)
      return step.name
    }
  }

  // MARK: What there is

  /// Whether there is a step to take back.
  public var canUndo: Bool { undoName != nil }

  /// Whether there is a step to make again.
  public var canRedo: Bool { redoName != nil }

  /// The name of the step that ``undo(_:)`` takes back, for a menu; nil if there is none.
  public var undoName: String? { read { $0.steps.next(.before)?.name } }

  /// The name of the step that ``redo(_:)`` makes again, for a menu; nil if there is none.
  public var redoName: String? { read { $0.steps.next(.after)?.name } }

  /// The names of the steps that can be taken back, the next one first.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var undoNames: [String] { read { $0.steps.names(.before) } ?? [] }

  /// The names of the steps that can be made again, the next one first.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var redoNames: [String] { read { $0.steps.names(.after) } ?? [] }

  /// The bytes that steps take: values as they lie in columns and, once for all steps, what is
  /// needed to find them; not what values refer to, such as the elements of arrays.
  public var byteCount: Int { read { $0.byteCount } ?? 0 }

  /// Whether a step is made, taken back, or made again; in a section of the context.
  var isInStep: Bool { state.isInStep }

  /// The number of entities whose slots are kept because of steps.
  package var keptEntityCount: Int { state.holder.section { state.holder.count } }

  /// Drops all steps.
  ///
  /// - Precondition: Not called inside a section of the context, whose changes may be a step when
  ///   it ends.
  /// - Complexity: O(*k*), where *k* is the number of values, entities and links in them.
  public func removeAll() {
    checkIsOutside("removeAll()")
    state.holder.section { state.removeAll() }
  }

  private func read<Value>(_ body: (UndoState) -> Value?) -> Value? {
    guard let context else { return nil }
    return context.sectionToRead { body(state) }
  }
}

extension UndoHistory: ChangeSource {
  /// Where it is announced that steps were made, undone, redone or dropped.
  ///
  /// Observers run in the context's critical section, when the change ends and journals have been
  /// called for it.
  public var changeSignal: ChangeSignal { state.signal.changeSignal }
}
