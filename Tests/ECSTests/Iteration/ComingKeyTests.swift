import ECS
import ECSTestSupport
import Testing

private struct Badge: Component, Equatable {
  var number: Int
  var note = ""
}

private struct Row: Component {}

/// Look-ups by key inside of an iteration, where what was asked for is asked first.
@Suite(.noHangs) struct ComingKeyTests {
  let context = Context()
  private let badges: PrimaryIndex<Badge, Int>
  private let byNumber: Index<Int>
  private let byParts: Index<Int>
  private let ordered: OrderedIndex<Int>

  init() {
    badges = context.primaryIndex { (badge: Badge) in badge.number }
    byNumber = context.index { (badge: Badge) in badge.number }
    byParts = context.index(keys: { (badge: Badge) in [badge.number / 10, badge.number % 10] })
    ordered = context.orderedIndex { (badge: Badge) in badge.number }
  }

  private func inIteration(_ body: () throws -> Void) rethrows {
    context.createEntity(with: Row())
    try context.group(Row.matcher).withEach { (row, _: Row) in
      try body()
      row.remove(Row.self)
    }
  }

  @Test func `The key of an entity that waits to be destroyed leads to a new one`() {
    let old = badges.getOrCreate(Badge(number: 1, note: "old"))
    var new: Entity?
    inIteration {
      old.destroy()
      expectTrue(
        badges[1] == nil && byNumber[1].isEmpty && byParts[1].isEmpty && ordered[1].isEmpty)
      let made = badges.getOrCreate(Badge(number: 1, note: "new"))
      expectTrue(made != old && made.isAlive && badges[1] == made)
      expectEqual(badges.getOrCreate(Badge(number: 1)), made)
      expectTrue(badges.key(of: made) == 1 && badges.key(of: old) == nil)
      new = made
    }
    expectTrue(badges[1] == new && new?.get(Badge.self)?.note == "new")
    expectTrue(badges.count == 1 && byNumber.count(for: 1) == 1)
  }

  @Test func `The key of an entity that waits for all to be destroyed is free`() {
    _ = badges.getOrCreate(Badge(number: 1))
    inIteration {
      context.destroyAllEntities()
      expectTrue(badges.keys.isEmpty && byNumber.keys.isEmpty && ordered.isEmpty)
      _ = badges.getOrCreate(Badge(number: 1))
    }
    expectEqual(badges[1]?.isAlive, true)
  }

  @Test func `The key of a component that waits to be removed can be assigned to another`() throws {
    let (old, new) = (badges.getOrCreate(Badge(number: 1)), context.createEntity())
    try inIteration {
      old.remove(Badge.self)
      try badges.assign(Badge(number: 1), to: new)
      #expect(throws: IdentityError.duplicate(key: 1, holder: new)) {
        try badges.assign(Badge(number: 1), to: old)
      }
      try badges.assign(Badge(number: 2), to: old)
      expectTrue(badges[1] == new && badges[2] == old)
    }
    expectTrue(badges[1] == new && badges[2] == old)
  }

  @Test func `What is created or set is found at once, and copied to another key`() throws {
    let bare = context.createEntity()
    try inIteration {
      let made = context.createEntity(with: Badge(number: 12))
      bare.set(Badge(number: 3))
      expectTrue(badges[12] == made && badges[3] == bare && badges.count == 2)
      expectTrue(byParts[2].first == made && byParts[3].first == bare)
      #expect(throws: IdentityError.duplicate(key: 3, holder: bare)) {
        try badges.copy(made, to: Badge(number: 3))
      }
      let copy = try badges.copy(made, to: Badge(number: 4))
      expectEqual(Array(ordered[...]), [bare, copy, made])
      expectTrue(ordered.position(of: copy) == 1 && ordered.key(of: copy) == 4)
    }
    expectTrue(badges.count == 3 && byParts.count(for: 2) == 1)
  }

  @Test func `Values that are in the hands of an iteration are found when it has ended`() {
    let entity = context.createEntity(with: Badge(number: 1))
    let index = context.index { (badge: Badge) in badge.note }
    context.group(Badge.matcher).withEach { (_, badge: inout Badge) in
      badge.note = "new"
      entity.set(Health(points: 1))
      expectTrue(index.first(for: "") == entity && index.first(for: "new") == nil)
      entity.set(Badge(number: 1, note: "later"))
      expectTrue(index.first(for: "") == nil && index.first(for: "later") == entity)
    }
    expectTrue(index.first(for: "later") == entity && index.keyCount == 1)
  }

  @Test func `What was written at once is found in an iteration inside over the same component`() {
    let entity = context.createEntity(with: Badge(number: 1))
    let index = context.index { (badge: Badge) in badge.note }
    inIteration {
      entity.set(Badge(number: 1, note: "new"))
      context.group(Badge.matcher).withEach { (_, badge: inout Badge) in
        badge.note = "newer"
        expectEqual(index.count(for: "newer"), 0)
      }
      expectTrue(index.first(for: "newer") == entity && index.first(for: "") == nil)
    }
  }

  @Test func `A paused index finds nothing, and one of a context that is gone neither`() {
    inIteration {
      byNumber.pause()
      context.createEntity(with: Badge(number: 1))
      expectTrue(byNumber[1].isEmpty && byNumber.keyCount == 0)
      byNumber.resume()
      expectEqual(byNumber.count(for: 1), 1)
    }
    var other: Context? = Context()
    let orphan = other?.index { (badge: Badge) in badge.number }
    other = nil
    let next = Context()
    next.createEntity(with: Row())
    next.group(Row.matcher).withEach { (_, _: Row) in
      next.createEntity(with: Badge(number: 1))
      expectEqual(orphan?[1].isEmpty, true)
    }
  }

  @Test func `Key closures may look something up`() {
    let numbers = byNumber
    let index = context.index { (badge: Badge) in numbers.count(for: badge.number) }
    inIteration {
      context.createEntity(with: Badge(number: 5))
      _ = index.keys
      expectEqual(byNumber.count(for: 5), 1)
    }
  }

  @Test(arguments: 0..<UInt64(Effort.full(48, debug: 24)))
  func `Whatever was asked for, look-ups show what entities will be`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let context = Context()
    var entities = (0..<8).map { context.createEntity(with: Badge(number: $0)) }
    entities.append(context.createEntity())
    let index = context.index { (badge: Badge) in badge.number % 5 }
    let parts = context.index(keys: { (badge: Badge) in [badge.number / 3, badge.number % 3] })
    let ordered = context.orderedIndex { (badge: Badge) in badge.number % 7 }
    context.createEntity(with: Row()).set(Health(points: 0))
    func numbers() -> [(entity: Entity, number: Int)] {
      entities.compactMap { entity in entity.get(Badge.self).map { (entity, $0.number) } }
    }
    func compare() {
      let numbers = numbers()
      for key in 0..<7 {
        let some = Set(numbers.filter { $0.number % 5 == key }.map(\.entity))
        expectTrue(Set(index[key]) == some && index.count(for: key) == some.count)
        expectTrue(index.first(for: key).map(some.contains) ?? some.isEmpty)
        let others = numbers.filter { $0.number / 3 == key || $0.number % 3 == key }
        expectEqual(Set(parts[key]), Set(others.map(\.entity)))
        let same = numbers.filter { $0.number % 7 == key }.map(\.entity)
        expectEqual(Array(ordered[key]), same)
        expectEqual(ordered.rank(of: key), numbers.count { $0.number % 7 < key })
        expectEqual(ordered.count(in: ..<key), ordered.rank(of: key))
      }
      expectEqual(Set(index.keys), Set(numbers.map { $0.number % 5 }))
      expectEqual(index.keyCount, index.keys.count)
      let sorted = numbers.enumerated().sorted {
        ($0.element.number % 7, $0.offset) < ($1.element.number % 7, $1.offset)
      }.map(\.element.entity)
      expectTrue(Array(ordered[...]) == sorted && ordered.first == sorted.first)
      expectTrue(ordered.last == sorted.last && ordered.count == sorted.count)
      expectTrue(sorted.enumerated().allSatisfy { ordered.position(of: $0.element) == $0.offset })
    }
    func change() {
      let number = Int.random(in: 0..<20, using: &random)
      let entity = entities[Int.random(in: 0..<entities.count, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: entity.destroy()
      case 1: entity.remove(Badge.self)
      case 2: entities.append(context.createEntity(with: Badge(number: number)))
      case 3: entity.set(Health(points: 1))
      case 4: entity.update(Badge.self) { $0.number = number }
      default: entity.set(Badge(number: number))
      }
    }
    for round in 0..<4 {
      if round.isMultiple(of: 2) {
        // Badges are written at once, as far as they are there.
        context.group(Row.matcher).withEach { (_, _: Row) in
          for _ in 0..<10 {
            change()
            compare()
          }
        }
      } else {
        // All waits.
        context.withEach { (_, _: Badge) in
          change()
          compare()
        }
      }
      compare()
    }
  }
}
