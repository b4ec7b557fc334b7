import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

private struct UserID: Component, Equatable { let value: Int }

/// It is not recorded.
private enum KeptBy: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }

private func users() -> (Context, UndoHistory, PrimaryIndex<UserID, Int>) {
  let context = Context()
  let history = UndoHistory(
    context, of: UserID.self, Name.self, Opaque.self, relations: [Likes.self, OwnedBy.self])
  return (context, history, context.primaryIndex { (id: UserID) in id.value })
}

private func conflict(_ body: () throws(UndoConflict) -> String?) -> UndoConflict? {
  do {
    let name = try body()
    Issue.record("There was no conflict: \(name ?? "nothing")")
    return nil
  } catch {
    return error
  }
}

/// What others would lose by an undo or a redo.
@Suite(.noHangs) struct UndoConflictTests {
  // MARK: Keys

  @Test func `a key that a step has changed goes back`() throws {
    let (context, history, ids) = users()
    let entity = context.createEntity(with: UserID(value: 1), Name("a"))
    history.group("Renumber") { _ = entity.remove(UserID.self).set(UserID(value: 2)) }
    try history.undo()
    expectTrue(ids[1] == entity && ids[2] == nil && entity.get() == UserID(value: 1))
    try history.redo()
    expectTrue(ids[2] == entity && ids[1] == nil && ids.count == 1)
  }

  @Test func `keys that a step has exchanged go back`() throws {
    let (context, history, ids) = users()
    let (a, b) = (
      context.createEntity(with: UserID(value: 1)), context.createEntity(with: UserID(value: 2))
    )
    history.group("Exchange") {
      a.remove(UserID.self)
      b.remove(UserID.self).set(UserID(value: 1))
      a.set(UserID(value: 2))
    }
    try history.undo()
    expectTrue(ids[1] == a && ids[2] == b)
    try history.redo()
    expectTrue(ids[1] == b && ids[2] == a)
  }

  @Test func `a key goes back to the entity that lives again`() throws {
    let (context, history, ids) = users()
    let old = context.createEntity(with: UserID(value: 7))
    let other = context.createEntity(with: Name("other"))
    history.group("Replace") {
      old.destroy()
      other.set(UserID(value: 7))
    }
    try history.undo()
    expectTrue(ids[7] == old && !other.has(UserID.self))
    try history.redo()
    expectTrue(ids[7] == other && !old.isAlive)
  }

  @Test func `who has a key now does not lose it`() throws {
    let (context, history, ids) = users()
    let old = context.createEntity(with: UserID(value: 7))
    history.group("Delete") { old.destroy() }
    let new = ids.getOrCreate(UserID(value: 7))
    let found = conflict { () throws(UndoConflict) in try history.undo() }
    expectTrue(found?.entity == new && found?.component == UserID.cid)
    expectTrue(ids[7] == new && !old.isAlive)
    try history.undo(.overwrite)
    expectTrue(ids[7] == old && new.isAlive && !new.has(UserID.self))
    try history.redo()
    expectEqual(ids.count, 0)
  }

  @Test func `values that have one key by now are a conflict`() throws {
    let (context, history, ids) = users()
    ids.pause()
    let (a, b) = (
      context.createEntity(with: UserID(value: 1)), context.createEntity(with: UserID(value: 1))
    )
    history.group("Renumber") {
      a.set(UserID(value: 3))
      b.set(UserID(value: 4))
    }
    try ids.resume()
    expectEqual(conflict { () throws(UndoConflict) in try history.undo() }?.component, UserID.cid)
    expectTrue(ids[3] == a && ids[4] == b)
    try history.undo(.overwrite)
    expectTrue(ids[1] == b && !a.has(UserID.self))
    ids.pause()
    try history.redo(.overwrite)
    try history.undo()
    expectTrue(a.get() == UserID(value: 1) && b.get() == UserID(value: 1))
  }

  // MARK: Losses

  @Test func `links that somebody else has made are not destroyed`() throws {
    let (context, history, _) = users()
    let (x, y) = (context.createEntity(), context.createEntity())
    let entity = history.group("Add") { context.createEntity(with: Name("a")) }
    entity.relate(Likes.self, to: x)
    let found = conflict { () throws(UndoConflict) in try history.undo() }
    expectTrue(found?.entity == entity && found?.relation == Likes.self as any Relation.Type)
    expectTrue(entity.isRelated(Likes.self, to: x))
    entity.unrelate(Likes.self)
    y.relate(Likes.self, to: entity)
    expectEqual(conflict { () throws(UndoConflict) in try history.undo() }?.entity, y)
    try history.undo(.overwrite)
    expectTrue(!entity.isAlive && y.targets(Likes.self).isEmpty)
  }

  @Test func `entities of somebody else are not destroyed by a listed relation`() throws {
    let (context, history, _) = users()
    let owner = context.createEntity(with: Name("owner"))
    let part = context.createEntity()
    history.group("Delete") { owner.destroy() }
    try history.undo()
    part.relate(OwnedBy.self, to: owner)
    let found = conflict { () throws(UndoConflict) in try history.redo() }
    expectTrue(found?.entity == part && found?.relation == OwnedBy.self as any Relation.Type)
    expectTrue(part.isAlive && owner.isAlive)
    try history.redo(.overwrite)
    expectTrue(!part.isAlive && !owner.isAlive)
  }

  @Test func `entities with what is listed are not destroyed by other relations`() throws {
    let (context, history, _) = users()
    let owner = context.createEntity(with: Name("owner"))
    let (part, screw) = (context.createEntity(), context.createEntity(with: Name("screw")))
    history.group("Delete") { owner.destroy() }
    try history.undo()
    part.relate(KeptBy.self, to: owner)
    screw.relate(KeptBy.self, to: part)
    let found = conflict { () throws(UndoConflict) in try history.redo() }
    expectTrue(found?.entity == screw && found?.component == Name.cid)
    expectTrue(screw.isAlive && part.isAlive && owner.isAlive)
    // What has nothing listed goes with what it was related to.
    screw.unrelate(KeptBy.self)
    try history.redo()
    expectTrue(screw.isAlive && !part.isAlive && !owner.isAlive)
  }

  @Test func `links that a step made are no obstacle to taking it back`() throws {
    let (context, history, _) = users()
    let part = context.createEntity(with: Name("part"))
    let owner = history.group("Group") {
      let owner = context.createEntity(with: Name("owner"))
      part.relate(OwnedBy.self, to: owner).relate(Likes.self, to: owner)
      return owner
    }
    try history.undo()
    expectTrue(part.isAlive && !owner.isAlive)
    try history.redo()
    expectTrue(part.target(OwnedBy.self) == owner && part.isRelated(Likes.self, to: owner))
  }

  // MARK: What is derived

  @Test func `what observers derive is no conflict with the steps before and after`() throws {
    let (context, history, _) = users()
    let entity = context.createEntity(with: Name("a"), Opaque(text: "a"))
    let token = context.group(Name.matcher).observeChanges(.updated) { change in
      guard let name = change.new(Name.self) else { return }
      change.entity.set(Opaque(text: "\(name)"))
    }
    for name in ["b", "c", "d"] { history.group("Rename") { _ = entity.set(Name(name)) } }
    for _ in 0..<2 {
      for _ in 0..<3 { try history.undo() }
      expectTrue(entity.get() == Name("a") && entity.get(Opaque.self)?.text == "\(Name("a"))")
      for _ in 0..<3 { try history.redo() }
      expectTrue(entity.get() == Name("d") && entity.get(Opaque.self)?.text == "\(Name("d"))")
    }
    token.cancel()
    // A change by others still is a conflict.
    entity.set(Opaque(text: "z"))
    expectEqual(conflict { () throws(UndoConflict) in try history.undo() }?.component, Opaque.cid)
  }

  // MARK: Sections

  @Test func `ending pieces or dropping steps inside of a section stops with a message`() async {
    let ending = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let history = UndoHistory(context, of: Name.self)
      history.coalesce("Typing", within: .seconds(1)) { history.endCoalescing() }
    }
    expectTrue(stopped(ending, saying: "endCoalescing() was called inside a section"))
    let dropping = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let history = UndoHistory(context, of: Name.self)
      history.group("Delete") { history.removeAll() }
    }
    expectTrue(stopped(dropping, saying: "removeAll() was called inside a section"))
  }

  @Test func `steps of a dead entity mean none that has its slot`() throws {
    let (context, history) = drawing()
    let first = context.createEntity(with: Opaque(text: "0"))
    history.group("1") { _ = first.set(Opaque(text: "1")) }
    first.destroy()
    let second = context.createEntity(with: Opaque(text: "5"))
    history.group("2") { _ = second.set(Opaque(text: "6")) }
    try history.undo()
    try history.undo(.overwrite)
    try history.redo(.overwrite)
    try history.redo()
    expectEqual(second.get(Opaque.self)?.text, "6")
  }
}
