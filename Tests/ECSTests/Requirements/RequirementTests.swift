import ECS
import ECSTestSupport
import ECSTesting
import Synchronization
import Testing

private struct Spot: Component, Equatable {
  var x = 0
  static var requires: Requirement { Frame() }
}

private struct Frame: Component, Equatable { var size = 7 }

private struct Speed: Component, Equatable {
  var x = 1
  static var requires: Requirement { Spot() }
}

private struct Glide: Component, Equatable {
  static var requires: Requirement {
    Speed(x: 9)
    Requirement(Label("glides"))
  }
}

private struct Label: Component, Equatable {
  let text: String
  init(_ text: String) { self.text = text }
}

/// Nearer than what `Speed` says.
private struct Fast: Component {
  static var requires: Requirement {
    Speed(x: 100)
    Spot(x: 50)
  }
}

private struct Wing: Component {
  static var requires: Requirement { Requirement(Body(), whenRemoved: .cascades) }
}

private struct Body: Component { var mass = 1.0 }

private struct Feather: Component {
  static var requires: Requirement { Requirement(Wing(), whenRemoved: .cascades) }
}

private struct Lock: Component {
  static var requires: Requirement { Requirement(Body(), whenRemoved: .refused) }
}

private struct Crown: UniqueComponent { var weight = 1 }

private struct Queen: Component {
  static var requires: Requirement { Crown(weight: 3) }
}

private struct Seal: UniqueComponent {
  static var requires: Requirement { Label("sealed") }
}

private struct Egg: Component {
  static var requires: Requirement { Hen() }
}

private struct Hen: Component {
  static var requires: Requirement { Egg() }
}

private struct Refused: Error {}

@Suite struct RequirementTests {
  let context = Context()

  private func names(_ entity: Entity) -> Set<String> {
    Set(entity.components().map { "\(type(of: $0))" })
  }

  @Test func `a component brings those that it requires, and those that they require`() {
    let entity = context.createEntity()
    entity.set(Glide())
    expectEqual(names(entity), ["Glide", "Speed", "Spot", "Frame", "Label"])
    expectTrue(entity.get(Speed.self)?.x == 9 && entity.get(Frame.self)?.size == 7)
    expectEqual(entity.get(Label.self)?.text, "glides")
  }

  @Test func `what is there is left as it is`() {
    let entity = context.createEntity(with: Frame(size: 1))
    entity.set(Spot(x: 4))
    entity.set(Speed(x: 2))
    entity.set(Speed(x: 3))
    expectTrue(entity.get(Spot.self)?.x == 4 && entity.get(Frame.self)?.size == 1)
    expectEqual(entity.get(Speed.self)?.x, 3)
  }

  @Test func `the nearest value counts, also among components that are given together`() {
    let entity = context.createEntity()
    entity.set(Fast())
    expectTrue(entity.get(Speed.self)?.x == 100 && entity.get(Spot.self)?.x == 50)
    let other = context.createEntity(with: Speed(x: 5), Fast())
    expectTrue(other.get(Speed.self)?.x == 5 && other.get(Spot.self)?.x == 50)
  }

  @Test func `every way of creating brings what is required`() {
    let entities = [
      context.createEntity(with: Speed()),
      context.createEntity(with: Label("given"), Speed()),
      context.createEntity(with: Frame(size: 2), Speed(), Label("given")),
      context.createEntity(with: Tag(), Health(points: 1), Label("given"), Speed()),
      context.createEntity(with: Tag(), Health(points: 1), Label("given"), Speed(), Body()),
    ]
    for entity in entities {
      expectTrue(names(entity).isSuperset(of: ["Speed", "Spot", "Frame"]))
      expectEqual(entity.get(Spot.self)?.x, 0)
    }
    expectEqual(entities[2].get(Frame.self)?.size, 2)
    for entity in context.createEntities(20, with: Glide(), Frame(size: 3)) {
      expectEqual(names(entity), ["Glide", "Speed", "Spot", "Frame", "Label"])
      expectTrue(entity.get(Frame.self)?.size == 3 && entity.get(Label.self)?.text == "glides")
    }
    let made = context.createEntities(from: 0..<20) { (Speed(x: $0), Tag()) }
    for (number, entity) in made.enumerated() {
      expectTrue(entity.get(Speed.self)?.x == number && entity.get(Frame.self)?.size == 7)
    }
    expectEqual(context.group(Frame.matcher).count, 45)
  }

  @Test func `columns of what is required need not be filled`() {
    let tables = [NewTable([Glide.cid, Label.cid], 0..<3), NewTable([Tag.cid], 3..<5)]
    let entities = context.createEntities(5, in: tables) { table, columns in
      guard table == 0 else { return }
      columns.initialize(Label.self) { $0.append(repeating: Label("own"), count: 3) }
      columns.initialize(Spot.self) { $0.append(repeating: Spot(x: 8), count: 3) }
    }
    for entity in entities.prefix(3) {
      expectEqual(names(entity), ["Glide", "Speed", "Spot", "Frame", "Label"])
      expectTrue(entity.get(Label.self)?.text == "own" && entity.get(Spot.self)?.x == 8)
    }
    expectEqual(names(entities[3]), ["Tag"])
  }

  @Test func `values are made anew for each entity, and end as often`() {
    let counter = LifeCounter()
    Held.counter.withLock { $0 = counter }
    do {
      let context = Context()
      let entity = context.createEntity()
      for _ in 0..<3 {
        entity.set(Holding())
        entity.remove(Holding.self)
        entity.remove(Held.self)
      }
      context.createEntities(10, with: Holding())
      try? context.transaction {
        entity.set(Holding())
        throw Refused()
      }
      expectTrue(counter.living == 10 && context.group(Held.matcher).count == 10)
      let numbers = Set(context.entities().compactMap { $0.get(Held.self)?.number })
      expectEqual(numbers.count, 10)
      withExtendedLifetime(context) {}
    }
    expectEqual(counter.living, 0)
  }

  @Test func `groups see one entrance, and none where an entity only would pass through`() {
    let both = context.group(Matcher(all: [Spot.cid, Speed.cid]))
    let resting = context.group(Matcher(all: [Spot.cid], none: [Speed.cid]))
    let flying = context.group(Matcher(all: [Speed.cid], none: [Frame.cid]))
    let recorder = Recorder<Event>()
    let subscriptions = [
      both.record(into: recorder), resting.record(into: recorder), flying.record(into: recorder),
    ]
    let collector = Collector(group: resting, type: .added)
    let entity = context.createEntity(with: Tag())
    entity.set(Speed())
    expectEqual(recorder.take(), [.added(entity)])
    expectTrue(collector.isEmpty)
    entity.set(Speed(x: 3))
    expectEqual(recorder.take(), [.updated(entity)])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `observers see each component once, with its value, when all are there`() {
    let entity = context.createEntity()
    let recorder = Recorder<String>()
    let subscription = entity.observeChanges { change in
      recorder.append(change.newComponents().map { "\($0)" }.joined())
      expectEqual(change.entity.components().count, 3)
    }
    entity.set(Speed(x: 2))
    expectEqual(recorder.take(), ["Frame(size: 7)", "Spot(x: 0)", "Speed(x: 2)"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `indexes and sorted views follow`() {
    let byPlace = context.index { (spot: Spot) in spot.x }
    let bySize = context.index { (frame: Frame) in frame.size }
    for number in 0..<40 {
      let entity = context.createEntity(with: Label("\(number)"))
      entity.set(number % 2 == 0 ? Speed() : Speed(x: 4))
    }
    expectTrue(byPlace[0].count == 40 && bySize[7].count == 40)
  }

  @Test func `a journal is given all in one commit`() {
    let (record, subscription) = CommitRecord.journal(of: context, keeps: false)
    let entity = context.createEntity()
    record.name(entity, "e")
    _ = record.take()
    entity.set(Speed())
    expectEqual(
      record.take(),
      [
        ["added e new Frame(size: 7)", "added e new Spot(x: 0)", "added e new Speed(x: 1)"]
      ])
    entity.set(Glide())
    expectEqual(record.take(), [["added e new Label(text: \"glides\")", "added e new Glide()"]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `a transaction that throws takes all of it back, in place`() {
    let others = context.createEntities(3, with: Tag(), Label("a text that is not stored in place"))
    let order = Array(context.group(Tag.matcher))
    try? context.transaction {
      others[0].set(Glide())
      others[1].set(Speed())
      others[1].set(Glide())
      context.createEntity(with: Glide())
      throw Refused()
    }
    expectTrue(Array(context.group(Tag.matcher)) == order && context.count == 3)
    for entity in others {
      expectEqual(names(entity), ["Tag", "Label"])
      expectEqual(entity.get(Label.self)?.text, "a text that is not stored in place")
    }
  }
}

private struct Held: Component {
  static let counter = Mutex<LifeCounter?>(nil)
  static let last = Atomic<Int>(0)
  let tracked: Tracked
  let number: Int

  init() {
    number = Held.last.wrappingAdd(1, ordering: .relaxed).newValue
    let counter = Held.counter.withLock { $0 } ?? LifeCounter()
    tracked = Tracked(counter, number: number)
  }
}

private struct Holding: Component {
  static var requires: Requirement { Held() }
}

@Suite struct RequirementChangeTests {
  let context = Context()

  private func names(_ entity: Entity) -> Set<String> {
    Set(entity.components().map { "\(type(of: $0))" })
  }

  @Test func `a change inside of a pass is seen at once, and made when it ends`() {
    let entities = context.createEntities(4, with: Tag())
    var made: [Entity] = []
    context.group(Tag.matcher).withEach { (entity: Entity, _: Tag) in
      entity.set(Glide())
      expectTrue(entity.get(Speed.self)?.x == 9 && entity.has(Frame.self))
      let other = context.createEntity(with: Speed())
      expectEqual(other.get(Spot.self)?.x, 0)
      other.set(Spot(x: 3))
      made.append(other)
    }
    for entity in entities {
      expectEqual(names(entity), ["Tag", "Glide", "Speed", "Spot", "Frame", "Label"])
    }
    for entity in made {
      expectTrue(names(entity) == ["Speed", "Spot", "Frame"] && entity.get(Spot.self)?.x == 3)
    }
  }

  @Test func `values that were seen in a pass are those that come`() {
    let entity = context.createEntity(with: Tag())
    var seen: Int?
    context.group(Tag.matcher).withEach { (entity: Entity, _: Tag) in
      entity.set(Holding())
      seen = entity.get(Held.self)?.number
    }
    expectTrue(seen != nil && entity.get(Held.self)?.number == seen)
  }

  @Test func `all entities of a group get what is required`() {
    let plain = context.createEntities(3, with: Tag())
    let ready = context.createEntities(2, with: Tag(), Spot(x: 6), Frame(size: 1))
    context.group(Tag.matcher).set(Speed(x: 2))
    for entity in plain { expectEqual(names(entity), ["Tag", "Speed", "Spot", "Frame"]) }
    for entity in ready { expectTrue(entity.get(Spot.self)?.x == 6 && entity.has(Speed.self)) }
  }

  @Test func `removing is free unless a requirement says otherwise`() {
    let entity = context.createEntity(with: Speed())
    entity.remove(Spot.self)
    expectEqual(names(entity), ["Speed", "Frame"])
    entity.set(Speed(x: 2))
    expectEqual(names(entity), ["Speed", "Frame"])
    entity.remove(Speed.self)
    entity.set(Speed())
    expectEqual(names(entity), ["Speed", "Spot", "Frame"])
  }

  @Test func `removing cascades where a requirement says so`() {
    let entity = context.createEntity(with: Feather(), Tag())
    expectEqual(names(entity), ["Feather", "Wing", "Body", "Tag"])
    let recorder = Recorder<Event>()
    let subscription = context.group(Feather.matcher).record(into: recorder)
    entity.remove(Body.self)
    expectTrue(names(entity) == ["Tag"] && recorder.take() == [.removed(entity)])
    context.createEntities(3, with: Feather(), Tag())
    context.group(Tag.matcher).withEach { (entity: Entity, _: Tag) in
      entity.remove(Body.self)
      expectFalse(entity.has(Feather.self))
    }
    expectTrue(context.group(Wing.matcher).isEmpty)
    context.createEntities(3, with: Feather(), Tag())
    context.group(Body.matcher).remove(Body.self)
    expectTrue(context.group(Feather.matcher).isEmpty && context.group(Tag.matcher).count == 7)
    withExtendedLifetime(subscription) {}
  }

  @Test func `removing is refused where a requirement says so, however it is asked for`() {
    let locked = context.createEntity(with: Lock(), Tag())
    locked.remove(Body.self).remove(Body.cid)
    context.group(Body.matcher).remove(Body.self)
    context.group(Tag.matcher).withEach { (entity: Entity, _: Tag) in
      entity.remove(Body.self)
      expectTrue(entity.has(Body.self))
    }
    expectEqual(names(locked), ["Lock", "Tag", "Body"])
    let made = context.createEntities(2, from: Template { Lock() }) { _, entity in
      entity.remove(Body.self)
    }
    expectTrue(made.allSatisfy { $0.has(Body.self) })
    for entity in made { entity.destroy() }
    locked.remove(Lock.self)
    locked.remove(Body.self)
    expectTrue(context.count == 1 && names(locked) == ["Tag"])
  }

  @Test func `a type that requires itself is found when it is first added`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity().set(Egg())
    }
    expectTrue(stopped(result, saying: "Egg requires itself (Egg → Hen → Egg)"))
  }

  @Test func `what makes a value must not change the context`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meddler.context.withLock { $0 = Context() }
      Meddler.context.withLock { $0 }?.createEntity().set(Meddling())
    }
    expectTrue(stopped(result, saying: "called its context to change it"))
  }

  @Test func `unique components come and bring as others do`() {
    let first = context.createEntity(with: Queen())
    expectEqual(context.uniqueEntity(Crown.self), first)
    let second = context.createEntity()
    second.set(Queen())
    expectTrue(context.uniqueEntity(Crown.self) == second && !first.has(Crown.self))
    try? context.transaction {
      first.remove(Queen.self)
      first.set(Queen())
      expectEqual(context.uniqueEntity(Crown.self), first)
      throw Refused()
    }
    expectTrue(context.uniqueEntity(Crown.self) == second && second.get(Crown.self)?.weight == 3)
    context.setUniqueComponent(Seal())
    expectEqual(context.uniqueEntity(Seal.self)?.get(Label.self)?.text, "sealed")
    let third = context.createEntity()
    third.set(Seal())
    expectTrue(context.uniqueEntity(Seal.self) == third && names(third) == ["Seal", "Label"])
  }

  @Test func `templates have what their components require`() {
    let base = Template("glider") {
      Glide()
      Child { Speed() }
    }
    expectTrue(base.get(Spot.self)?.x == 0 && base.get(Label.self)?.text == "glides")
    let derived = Template(base) { Spot(x: 5) }
    let entity = context.createEntity(from: derived)
    expectTrue(entity.get(Spot.self)?.x == 5 && entity.get(Frame.self)?.size == 7)
    expectTrue(entity.children.allSatisfy { $0.has(Frame.self) } && entity.children.count == 1)
    let empty = Template { Tag() }
    let made = context.createEntities(6, from: empty) { number, entity in
      if number % 2 == 0 { entity.set(Feather()) }
      if number == 4 { entity.remove(Body.self) }
      if number == 1 { entity.set(Spot(x: 2)) }
    }
    expectEqual(names(made[0]), ["Tag", "Feather", "Wing", "Body"])
    expectEqual(names(made[4]), ["Tag"])
    expectTrue(names(made[1]) == ["Tag", "Spot", "Frame"] && made[1].get(Spot.self)?.x == 2)
    expectEqual(names(made[3]), ["Tag"])
    let feathered = Template { Feather() }
    let plucked = context.createEntity(from: feathered) { $0.remove(Body.self) }
    expectEqual(names(plucked), [])
  }

  @Test func `copies lack what their originals lack`() throws {
    let entity = context.createEntity(with: Speed(), Label("a text that is not stored in place"))
    entity.remove(Spot.self)
    let other = Context()
    let copies = [
      try entity.clone(), try context.clone([entity])[0], try entity.clone(into: other),
      try entity.clone { $0.set(Tag()) },
    ]
    for copy in copies { expectTrue(!copy.has(Spot.self) && copy.has(Frame.self)) }
    let changed = try entity.clone { $0.set(Glide()) }
    expectEqual(names(changed), ["Speed", "Frame", "Label", "Glide", "Spot"])
  }

  @Test func `entities go on while an observer begins within the making of a value`() {
    Watched.context.withLock { $0 = context }
    let entity = context.createEntity(with: Tag())
    entity.set(Watching())
    expectEqual(names(entity), ["Tag", "Watching", "Watched"])
    expectEqual(context.index { (watched: Watched) in watched.number }[1].count, 1)
  }
}

private struct Meddler: Component {
  static let context = Mutex<Context?>(nil)
  init() { _ = Meddler.context.withLock { $0 }?.createEntity() }
}

private struct Meddling: Component {
  static var requires: Requirement { Meddler() }
}

private struct Watched: Component {
  static let context = Mutex<Context?>(nil)
  static let collectors = Mutex<[Collector]>([])
  let number: Int

  init() {
    number = 1
    guard let context = Watched.context.withLock({ $0 }) else { return }
    let collector = context.collector(for: Watched.matcher, type: .added)
    Watched.collectors.withLock { $0.append(collector) }
  }
}

private struct Watching: Component {
  static var requires: Requirement { Watched() }
}
