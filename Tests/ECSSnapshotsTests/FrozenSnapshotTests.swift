import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Snapshots whose columns are copied while the context goes on, beside those that are taken in one
/// section.
@Suite(.longRunning, .noHangs) struct FrozenSnapshotTests {
  @Test func `a snapshot is of the commit at which it began, whatever changes while it is copied`()
    throws
  {
    let schema = try sampleSchema()
    for seed in Effort.seeds(Effort.modelSeeds / 10) {
      var random = SplitMix64(seed: seed)
      let world = try SavedWorld(seed: seed, schema)
      for round in 0..<3 {
        var expected: (snapshot: Snapshot, entities: [Entity])?
        var isRight = false
        var steps = 0
        let changesMuch = random.oneIn(2)
        let (snapshot, entities) = try world.context.snapshot(schema) {
          expected = try? world.context.snapshot(schema) {}
          if round == 0, let data = expected?.snapshot { isRight = world.isRight(data, schema) }
        } meanwhile: {
          steps += 1
          for _ in 0..<random.below(changesMuch ? 12 : 3) { world.change(&random) }
        }
        let found = try #require(expected)
        try #require(snapshot.data == found.snapshot.data, "seed \(seed), round \(round)")
        let areSame = entities == found.entities
        try #require(areSame, "seed \(seed), round \(round)")
        try #require(snapshot.unlisted == found.snapshot.unlisted)
        expectTrue(isRight || round > 0, "seed \(seed)")
        expectGreaterThan(steps, 2)
        expectFalse(world.context.hasPicturesToCopy)
        for _ in 0..<10 { world.change(&random) }
      }
    }
  }

  @Test func `a snapshot in a section, a transaction or beside readers is of that moment`() throws {
    let schema = try sampleSchema()
    let world = try SavedWorld(seed: 7, schema)
    let context = world.context
    let before = try context.snapshot(schema).data
    let inSection = try context.perform { try context.snapshot(schema).data }
    let whileReading = try context.reading { try context.snapshot(schema).data }
    expectTrue(inSection == before && whileReading == before)
    var random = SplitMix64(seed: 7)
    var inTransaction: Data?
    #expect(throws: Stop.self) {
      try context.transaction {
        for _ in 0..<20 { world.change(&random) }
        let snapshot = try context.snapshot(schema)
        inTransaction = snapshot.data
        expectTrue(world.isRight(snapshot, schema))
        throw Stop()
      }
    }
    expectTrue(inTransaction != nil && inTransaction != before)
    let taken = try Snapshot(try #require(inTransaction))
    try expectEqual(Snapshot(before).entityCount, context.snapshot(schema).entityCount)
    expectGreaterThan(taken.entityCount, 0)
    expectFalse(context.hasPicturesToCopy)
  }

  private struct Stop: Error {}

  @Test func `an observer that saves sees what it is called for`() throws {
    let schema = try sampleSchema()
    let context = Context()
    let counts = Recorder<Int>()
    let token = context.group(Score.matcher).observeChanges(.added) { [context] _ in
      if let snapshot = try? context.snapshot(schema) { counts.append(snapshot.entityCount) }
    }
    context.perform {
      for number: Int32 in 0..<3 { context.createEntity(with: Score(points: number)) }
    }
    context.createEntity(with: Score(points: 3))
    expectEqual(counts.items, [3, 3, 3, 4])
    withExtendedLifetime(token) {}
  }

  @Test func `numbers of creation that grow apart while they are copied keep their order`() throws {
    let schema = try sampleSchema()
    let context = Context()
    // Several pages in each of three tables, which the numbers run out in between.
    func create(_ count: Int, _ isFinal: Bool) {
      for number in 0..<count {
        let entity = context.createEntity(with: Score(points: Int32(number), isFinal: isFinal))
        if number % 3 == 0 { entity.set(Chosen()) }
      }
    }
    create(3000, true)
    for _ in 0..<2 {
      context.skipCreations(leaving: 900)
      create(1000, false)
    }
    var expected: Data?
    let all = context.group(Score.matcher).sorted()
    let (snapshot, entities) = try context.snapshot(schema) {
      expected = try? context.snapshot(schema).data
    } meanwhile: {
      context.skipCreations(leaving: 1)
      all.first { $0.isAlive }?.destroy()
      context.createEntity(with: Score(points: 1))
      context.createEntity(with: Score(points: 2))
    }
    expectEqual(snapshot.data, expected)
    // All of them, as text, would be too long.
    let areSame = entities == Array(all)
    expectTrue(areSame)
  }

  @Test func `values that go while they are copied end with the snapshot`() throws {
    let counter = LifeCounter()
    struct Owner: Component, Codable {
      var instance: TrackedInstance?
      init(_ instance: TrackedInstance) { self.instance = instance }
      init(from decoder: any Decoder) {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(["isThere": instance != nil])
      }
    }
    let schema = try Schema("owners") { Stored(Owner.self, as: "owner") }
    let context = Context()
    context.createEntities(from: 0..<6000) { _ in Owner(TrackedInstance(counter)) }
    var step = 0
    let (snapshot, _) = try context.snapshot(schema) {
    } meanwhile: {
      step += 1
      // When some were read.
      if step == 2 { context.group(Owner.matcher).destroyAll() }
    }
    expectTrue(snapshot.entityCount == 6000 && context.count == 0)
    expectEqual(counter.living, 0)
  }
}

/// A context of some thousand entities in few tables, with some of everything.
private final class SavedWorld {
  let context = Context(name: "saved")
  private let group: Group
  private let books: Group
  private var entities: [Entity] = []

  /// What a later program has saved.
  private struct Later: Component, Equatable { var number = 0 }

  struct Failure: Error {}

  init(seed: UInt64, _ schema: Schema) throws {
    let later = Context()
    for number in 0..<700 {
      let entity = later.createEntity(with: Later(number: number))
      if number % 2 == 0 { entity.set(Score(points: Int32(number))) }
    }
    let laterSchema = try Schema("later") {
      Stored(of: Later(), as: "later") { Field(\.number, at: "number") }
      Stored(of: Score(), as: "score") {
        Field(\.points, at: "points")
        Field(\.isFinal, at: "final")
      }
    }
    try later.snapshot(laterSchema).restore(into: context, schema, unknown: .keep)
    group = context.group(Point.matcher)
    books = context.group(Book.matcher)
    context.createEntities(from: 0..<3000) { Point(x: Float($0), y: 1) }
    context.createEntities(from: 0..<2600) {
      (Point(x: Float($0), y: 2), Book(isbn: "\($0)", title: "title \($0)", tags: ["a"]))
    }
    for _ in 0..<900 { _ = context.createEntity() }
    context.setUniqueComponent(Clock(seconds: Double(seed)))
    context.setUniqueComponent(Service(name: "live"))
    context.createEntity(with: Cache(count: 1))
    entities = Array(context.entities())
    var random = SplitMix64(seed: ~seed)
    for _ in 0..<40 { change(&random) }
  }

  /// Whether a snapshot that was restored is what the context is.
  func isRight(_ snapshot: Snapshot, _ schema: Schema) -> Bool {
    let copy = Context()
    guard (try? snapshot.restore(into: copy, schema, unknown: .keep)) != nil else { return false }
    func points(_ context: Context) -> [Point?] {
      context.entities().filter { entity in
        let components = entity.components()
        return components.isEmpty || components.contains { !($0 is Service || $0 is Cache) }
      }
      .map { $0.get(Point.self) }
    }
    return points(copy) == points(context)
      && copy.group(Book.matcher).sorted().map { $0.get(Book.self) }
        == books.sorted().map { $0.get(Book.self) }
  }

  private func some(_ random: inout SplitMix64) -> Entity {
    if random.oneIn(8) { entities.append(context.createEntity(with: Point(x: -1, y: -1))) }
    return entities[random.below(entities.count)]
  }

  func change(_ random: inout SplitMix64) {
    switch random.below(16) {
    case 0: group.withEach { (_, point: inout Point) in point.y += 1 }
    case 1:
      _ = try? context.transaction { () throws(Failure) in
        for _ in 0..<50 { changeOne(&random) }
        throw Failure()
      }
    case 2: for entity in group.prefix(random.below(700)) { entity.destroy() }
    case 3: entities += context.createEntities(random.below(900), with: Point(x: 7, y: 7))
    case 4: context.compact()
    case 5: context.skipCreations(leaving: UInt32(random.below(4)))
    case 6:
      books.withEach { (entity, book: inout Book) in
        book.pages += 1
        if book.pages % 5 == 0 { entity.set(Chosen()) }
      }
    case 7: context.group(Chosen.matcher).destroyAll()
    case 8:
      context.perform { for _ in 0..<random.below(1500) { some(&random).set(Point(x: 3, y: 3)) } }
    default: for _ in 0..<random.below(30) { changeOne(&random) }
    }
  }

  private func changeOne(_ random: inout SplitMix64) {
    let (entity, other) = (some(&random), some(&random))
    let number = random.below(100)
    switch random.below(18) {
    case 0: entity.destroy()
    case 1: entity.set(Chosen())
    case 2: entity.remove(Chosen.self)
    case 3: entity.set(Book(isbn: "\(entity)", title: nil, pages: number))
    case 4: entity.update(Book.self) { $0.tags.append("\(number)") }
    case 5: entity.remove(Book.self)
    case 6: entity.set(Rules(mode: .hard, limits: ["n": number]))
    case 7: entity.set(Likes(best: other, all: [entity, other]))
    case 8: entity.set(Clock(seconds: Double(number)))
    case 9: entity.set(Cache(count: number))
    case 10: entity.set(Score(points: Int32(number), isFinal: false))
    case 11: entity.remove(Point.self)
    case 12: entity.relate(Near.self, to: other)
    case 13: entity.relate(WrittenBy.self, to: other)
    case 14: try? entity.setParent(other)
    case 15: entity.unrelate(Near.self)
    case 16:
      if let last = Array(entity.sources(Near.self)).last {
        entity.sources(Near.self).move(last, to: 0)
      }
    default: entity.update(Point.self) { $0.x += 1 }
    }
  }
}
