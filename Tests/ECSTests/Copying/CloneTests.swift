import ECS
import ECSTestSupport
import ECSTesting
import Testing

private struct Title: Component, Equatable { var text: String }

private struct UserID: Component { let value: Int }

private struct Session: UniqueComponent { let number: Int }

private struct Aim: EntityReferencing, Equatable {
  var target: Entity
  mutating func mapEntities(_ map: (Entity) -> Entity) { target = map(target) }
}

private enum Omitted: Relation { static let copyRule = CopyRule.omit }

private enum Inner: Relation { static let copyRule = CopyRule.keepAmongCopies }

private func error(_ body: () throws(CopyError) -> Void) -> CopyError? {
  do throws(CopyError) { try body() } catch { return error }
  return nil
}

@Suite struct CloneTests {
  @Test func `a copy has the components of the original, and is another entity`() throws {
    let context = Context()
    let original = context.createEntity(
      with: Title(text: "a text that is not stored in place"), Health(points: 3), Tag())
    let copy = try original.clone()
    original.set(Health(points: 4))
    expectTrue(copy != original && context.count == 2)
    expectEqual(copy.get(Title.self)?.text, "a text that is not stored in place")
    expectTrue(copy.get(Health.self) == Health(points: 3) && copy.has(Tag.self))
    expectEqual(copy.components().count, 3)
    let empty = try context.createEntity().clone()
    expectTrue(empty.isAlive && empty.components().isEmpty)
  }

  @Test func `copies that are made one by one keep their values while storage grows`() throws {
    let context = Context()
    var last = context.createEntity(with: Health(points: 1), Title(text: "a text out of line"))
    for number in 2...3000 {
      last = try last.clone()
      last.set(Health(points: Int32(number)))
    }
    var points: [Int32] = []
    context.group(Title.matcher).withEach { (_: Entity, health: Health, title: Title) in
      if title.text == "a text out of line" { points.append(health.points) }
    }
    expectEqual(points, Array(1...3000))
  }

  @Test func `values are counted as often as they are there`() throws {
    let counter = LifeCounter()
    do {
      let context = Context()
      let original = context.createEntity(with: Tracked(counter, number: 1), Health(points: 1))
      for _ in 0..<10 { try original.clone() }
      try context.clone(context.entities())
      try original.clone { $0.set(Tracked(counter, number: 2)) }
      _ = error { () throws(CopyError) in
        try context.clone(context.entities()) { copy in
          copy.set(Tracked(counter, number: 3))
          copy.set(Session(number: 1))
        }
      }
      expectTrue(context.count == 23 && counter.living == 2)
      withExtendedLifetime(context) {}
    }
    expectEqual(counter.living, 0)
  }

  @Test func `groups, observers and indexes see a copy as one creation`() throws {
    let context = Context()
    let original = context.createEntity(with: Position(x: 1, y: 1), Health(points: 7))
    let index = context.index { (health: Health) in health.points }
    let group = context.group(Matcher(all: [Position.cid, Health.cid]))
    let collector = context.collector(for: Position.matcher, type: .added)
    let seen = Recorder<Entity>()
    let observation = group.observeChanges(.added) { change in
      if change.entity.get(Health.self)?.points == 7 { seen.append(change.entity) }
    }
    let copies = try context.clone([original, original])
    expectTrue(copies.count == 2 && copies[0] == copies[1])
    expectTrue(seen.items == [copies[0]] && collector.drain() == [copies[0]])
    expectEqual(index[7].count, 2)
    withExtendedLifetime(observation) {}
  }

  @Test func `links to others stay, links of one source are not taken away`() throws {
    let context = Context()
    let (book, author, tag) = (
      context.createEntity(), context.createEntity(), context.createEntity()
    )
    let reader = context.createEntity()
    book.relate(WrittenBy.self, to: author).relate(TaggedWith.self, to: tag)
    book.relate(MarriedTo.self, to: author).relate(Omitted.self, to: tag)
    book.relate(Inner.self, to: tag).relate(Inner.self, to: book)
    reader.relate(TaggedWith.self, to: book)
    let copy = try book.clone()
    expectTrue(copy.target(WrittenBy.self) == author && copy.isRelated(TaggedWith.self, to: tag))
    expectTrue(copy.target(MarriedTo.self) == nil && book.target(MarriedTo.self) == author)
    expectTrue(copy.targets(Omitted.self).isEmpty && copy.targets(Inner.self).entities() == [copy])
    expectTrue(copy.sources(TaggedWith.self).isEmpty)
    expectEqual(author.sources(WrittenBy.self).entities(), [book, copy])
  }

  @Test func `deep copies are to each other what the originals are`() throws {
    let context = Context()
    let root = context.createEntity(with: Health(points: 0))
    let parts = (1...4).map { context.createEntity(with: Health(points: $0)) }
    for part in parts[..<3] { part.relate(ChildOf.self, to: root) }
    parts[3].relate(ChildOf.self, to: parts[1])
    root.children.move(parts[2], before: parts[0])
    parts[0].relate(TaggedWith.self, to: root)
    parts[2].relate(TaggedWith.self, to: root)
    root.sources(TaggedWith.self).move(parts[2], before: parts[0])
    root.sources(TaggedWith.self).reverse()
    parts[0].set(Aim(target: parts[3]))
    parts[1].set(Aim(target: context.createEntity()))
    let outside = context.createEntity()
    root.relate(ChildOf.self, to: outside)

    let copies = try context.clone([root], deep: ChildOf.self)
    let copy = copies[0]
    func points(_ entities: some Sequence<Entity>) -> [Int32] {
      entities.compactMap { $0.get(Health.self)?.points }
    }
    expectTrue(points(copy.children) == [3, 1, 2] && points(copy.descendants()) == [3, 1, 2, 4])
    expectTrue(points(copies.all()) == [0, 3, 1, 2, 4] && copy.parent == outside)
    expectEqual(points(copy.sources(TaggedWith.self)), points(root.sources(TaggedWith.self)))
    expectEqual(copies.clone(of: parts[0])?.get(Aim.self)?.target, copies.clone(of: parts[3]))
    expectEqual(copies.clone(of: parts[1])?.get(Aim.self), parts[1].get(Aim.self))
    expectNil(copies.clone(of: outside))
  }

  @Test func `a relation that leads in a circle is followed once`() throws {
    let context = Context()
    let ring = context.createEntities(3, with: Health(points: 1))
    for number in 0..<3 { ring[number].relate(TaggedWith.self, to: ring[(number + 1) % 3]) }
    let copies = try context.clone([ring[0]], deep: TaggedWith.self).all()
    expectTrue(copies.count == 3 && Set(copies).isDisjoint(with: ring))
    expectTrue(copies.allSatisfy { $0.targets(TaggedWith.self).count == 1 })
    expectEqual(Set(copies.flatMap { $0.targets(TaggedWith.self).entities() }), Set(copies))
  }

  @Test func `closures change copies before they come to life`() throws {
    let context = Context()
    let originals = context.createEntities(3, with: Health(points: 1), Position(x: 0, y: 0))
    originals[1].remove(Position.self)
    var seen: [Entity?] = []
    let copies = try context.clone(originals) { copy in
      seen.append(copy.original)
      copy.set(Health(points: (copy.get(Health.self)?.points ?? 0) + 1))
      let isSet = copy.get(Health.self)?.points == 2 && !copy.has(Title.self)
      expectTrue(isSet)
      if seen.count == 3 { copy.set(Health(points: 9)) }
      copy.remove(Position.self)
      let isRemoved = !copy.has(Position.self)
      expectTrue(isRemoved)
      if seen.count == 1 { copy.set(Title(text: "first")) }
    }
    expectTrue(seen == originals && copies.map { $0.get(Health.self)?.points } == [2, 2, 9])
    expectTrue(copies.allSatisfy { !$0.has(Position.self) })
    expectEqual(copies.map { $0.has(Title.self) }, [true, false, false])
    expectEqual(context.group(Title.matcher).count, 1)
  }

  @Test func `handles that a closure sets mean copies, too`() throws {
    let context = Context()
    let (one, other) = (context.createEntity(), context.createEntity())
    let copies = try context.clone([one, other]) { $0.set(Aim(target: one)) }
    expectEqual(copies.map { $0.get(Aim.self)?.target }, [copies[0], copies[0]])
  }

  @Test func `unique components and keys are refused or changed before anything is written`() throws
  {
    let context = Context()
    let users = context.primaryIndex { (id: UserID) in id.value }
    let (user, admin) = (users.getOrCreate(UserID(value: 1)), users.getOrCreate(UserID(value: 2)))
    admin.set(Session(number: 1))
    context.createEntity().destroy()
    guard case .duplicateKey(_, user, user)? = error({ () throws(CopyError) in try user.clone() })
    else { return expectTrue(Bool(false), "A key is there twice.") }
    let unique = error { () throws(CopyError) in try context.clone([user, admin]) }
    guard case .unique(_, admin)? = unique else {
      return expectTrue(Bool(false), "A unique component is there twice.")
    }
    let twice = error { () throws(CopyError) in
      try context.clone([user, admin]) { copy in
        copy.remove(Session.self)
        copy.set(UserID(value: 3))
      }
    }
    guard case .duplicateKey(_, admin, nil)? = twice else {
      return expectTrue(Bool(false), "Two copies have a key.")
    }
    expectTrue(context.count == 2 && users.count == 2)
    let copies = try context.clone([user, admin]) { copy in
      copy.remove(Session.self)
      copy.set(UserID(value: (copy.get(UserID.self)?.value ?? 0) + 10))
    }
    expectTrue(users[11] == copies[0] && users[12] == copies[1])
    expectEqual(context.uniqueEntity(Session.self), admin)
  }

  @Test func `dead entities and those of other contexts are refused`() {
    let (context, other) = (Context(), Context())
    let (living, dead) = (context.createEntity(), context.createEntity())
    let foreign = other.createEntity()
    dead.destroy()
    guard case .dead(dead)? = error({ () throws(CopyError) in try context.clone([living, dead]) }),
      case .dead(dead)? = error({ () throws(CopyError) in try dead.clone() }),
      case .foreign(foreign)? = error({ () throws(CopyError) in
        try context.clone([living, foreign])
      })
    else { return expectTrue(Bool(false), "They were copied.") }
    expectEqual(context.count, 1)
  }

  @Test func `entities are copied into another context`() throws {
    let (context, other) = (Context(), Context())
    let root = context.createEntity(with: Title(text: "root"), Session(number: 1))
    let child = context.createEntity(with: Title(text: "child"), Aim(target: root))
    let outside = context.createEntity()
    child.relate(ChildOf.self, to: root).relate(TaggedWith.self, to: outside)
    let copy = try root.clone(into: other, deep: ChildOf.self)
    expectTrue(other.count == 2 && other.uniqueEntity(Session.self) == copy)
    let copiedChild = try #require(copy.children.first)
    expectTrue(
      copiedChild.get(Title.self)?.text == "child" && copiedChild.get(Aim.self)?.target == copy)
    expectTrue(copiedChild.targets(TaggedWith.self).isEmpty)
    guard case .unique? = error({ () throws(CopyError) in try root.clone(into: other) }) else {
      return expectTrue(Bool(false), "There is a holder.")
    }
    try context.clone([root], into: other) { $0.remove(Session.self) }
    expectTrue(other.count == 3 && context.count == 3)
  }

  @Test func `a transaction takes copies back`() throws {
    struct Failure: Error {}
    let context = Context()
    let root = context.createEntity(with: Health(points: 1))
    let child = context.createEntity(with: Health(points: 2)).relate(ChildOf.self, to: root)
    var copies: [Entity] = []
    try? context.transaction {
      copies = try context.clone([root], deep: ChildOf.self).all()
      expectEqual(context.count, 4)
      throw Failure()
    }
    expectTrue(context.count == 2 && !copies.contains { $0.isAlive })
    expectEqual(root.children.entities(), [child])
    try context.transaction { try root.clone(deep: ChildOf.self) }
    expectEqual(context.count, 4)
  }

  @Test func `journals are told of the creation and the links of copies`() throws {
    let context = Context()
    let root = context.createEntity(with: Health(points: 1))
    context.createEntity(with: Health(points: 2)).relate(ChildOf.self, to: root)
    let kinds = Recorder<CommittedChange.Kind>()
    let journal = context.journal()
    let observation = journal.observe { commit in
      for change in commit { kinds.append(change.kind) }
    }
    try root.clone(deep: ChildOf.self)
    expectEqual(kinds.items, [.created, .created, .linked])
    withExtendedLifetime(observation) {}
  }

  @Test func `copies that are made in an iteration come to life at its end`() throws {
    let context = Context()
    let root = context.createEntity(with: Title(text: "root"), Health(points: 1))
    let child = context.createEntity(with: Title(text: "child")).relate(ChildOf.self, to: root)
    child.set(Aim(target: root))
    var copies: [Entity] = []
    let group = context.group(Health.matcher)
    try group.withEach { (entity, _: Title) in
      entity.set(Health(points: 5))
      copies = try context.clone([entity], deep: ChildOf.self) { $0.set(Tag()) }.all()
      expectTrue(copies[0].get(Health.self)?.points == 5 && copies[0].has(Tag.self))
      expectEqual(copies[1].get(Aim.self)?.target, copies[0])
      copies[0].set(Health(points: 6))
    }
    expectTrue(context.count == 4 && copies[0].children.entities() == [copies[1]])
    expectTrue(copies[0].get(Health.self)?.points == 6 && copies[0].get(Title.self)?.text == "root")
    expectEqual(group.count, 2)
  }

  @Test func `an update lends no value to a copy but a trivial one`() async throws {
    let context = Context()
    let entity = context.createEntity(with: Title(text: "before"), Health(points: 1))
    var copy: Entity?
    entity.update(Health.self) { health in
      health.points = 2
      copy = try? entity.clone()
    }
    expectTrue(copy?.get(Title.self)?.text == "before" && copy?.has(Health.self) == true)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let entity = context.createEntity(with: Title(text: "before"))
      entity.update(Title.self) { _ in _ = try? entity.clone() }
    }
    expectTrue(stopped(result, saying: "Title", "a closure is changing it"))
  }

  @Test func `a value that a closure is changing is not copied`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity(with: Title(text: "before"))
      context.withEach { (entity, title: inout Title) in
        title.text = "after"
        _ = try? entity.clone()
      }
    }
    expectTrue(stopped(result, saying: "Title", "a closure is changing it"))
  }

  @Test func `links that are to be omitted are, among copies as well`() throws {
    let context = Context()
    let (first, second) = (context.createEntity(), context.createEntity())
    first.relate(Omitted.self, to: second)
    first.relate(Inner.self, to: second)
    let copies = try context.clone([first, second])
    expectFalse(copies[0].isRelated(Omitted.self, to: copies[1]))
    expectTrue(copies[0].isRelated(Inner.self, to: copies[1]))
  }

  @Test func `an entity whose context has ended is dead`() {
    var context: Context? = Context()
    let entity = context!.createEntity(with: Tag())
    context = nil
    guard case .dead = error({ () throws(CopyError) in _ = try entity.clone() }) else {
      Issue.record("It was copied.")
      return
    }
  }

  @Test func `a closure that changes the context stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let entity = context.createEntity(with: Tag())
      _ = try? entity.clone { _ in _ = context.createEntity() }
    }
    expectTrue(stopped(result, saying: "change"))
  }

  @Test func `values of every kind are copied, staged and ended`() throws {
    let context = Context()
    let sprite = Sprite(file: "a")
    let originals = (0..<100).map { number in
      context.createEntity(
        with: Target(sprite, name: "a name that is not stored in place \(number)"),
        Matrix(Float(number)), Page(filledWith: UInt32(number)), sprite,
        Shape.polygon([Double(number)]))
    }
    let copies = try context.clone(originals) { copy in
      let number = Int(copy.get(Matrix.self)?.values[0] ?? -1)
      if number % 3 != 0 { copy.set(Target(sprite, name: "changed \(number)")) }
      if number % 2 == 0 { copy.set(Matrix(Float(-number))) }
      if number % 5 == 0 { copy.remove(Page.self) }
    }
    for (number, copy) in copies.enumerated() {
      let target = copy.get(Target.self)
      expectTrue(target?.sprite === sprite)
      expectEqual(
        target?.name,
        (number % 3 != 0 ? "changed \(number)" : originals[number].get(Target.self)?.name))
      expectEqual(copy.get(Matrix.self), Matrix(Float(number % 2 == 0 ? -number : number)))
      expectEqual(copy.get(Page.self), (number % 5 == 0 ? nil : Page(filledWith: UInt32(number))))
      expectEqual(copy.get(Shape.self), .polygon([Double(number)]))
    }
    let template = Template {
      Target(sprite, name: "a name that is not stored in place")
      Matrix(1)
    }
    for (number, made) in context.createEntities(
      100, from: template,
      changing: { number, entity in
        if number % 7 != 0 { entity.set(Matrix(Float(number))) }
        if number % 4 == 0 { entity.set(Target(sprite, name: "\(number)")) }
      }
    ).enumerated() {
      expectEqual(made.get(Matrix.self), Matrix(number % 7 == 0 ? 1 : Float(number)))
      expectTrue(made.get(Target.self)?.sprite === sprite)
    }
    try expectTrue(originals[1].clone().get(Target.self)?.sprite === sprite)
  }
}
