import ECS
import ECSTestSupport
import ECSTesting
import Testing

@Suite struct ExpectedChangeTests {
  let context = Context()

  @Test func `Exactly the expected changes are accepted, and taken out`() throws {
    let changes = Recorder(of: context.group(Health.matcher))
    try changes.expectNothing()
    let entity = context.createEntity(with: Health(points: 1))
    entity.set(Health(points: 2))
    try changes.expect([.added(entity), .updated(entity, Health.cid)])
    entity.destroy()
    try changes.expect([.removed(entity)])
    try changes.expectNothing()
  }

  @Test func `The end of an entity is expected as such`() throws {
    let entity = context.createEntity(with: Tag())
    let changes = Recorder(of: entity)
    entity.set(Health(points: 1)).remove(Tag.self)
    entity.destroy()
    try changes.expect([.added(entity, Health.cid), .removed(entity, Tag.cid), .destroyed(entity)])
  }

  @Test func `Missing and unexpected changes are reported in place`() {
    let changes = Recorder(of: context.group(Health.matcher))
    let (one, other) = (context.createEntity(), context.createEntity())
    one.set(Health(points: 1))
    other.set(Health(points: 1)).set(Health(points: 2))
    let error = #expect(throws: UnexpectedChanges.self) {
      try changes.expect([.added(one), .updated(one), .added(other), .updated(other, Tag.cid)])
    }
    expectEqual(
      error?.description,
      """
      The changes differ from the 4 that were expected (- is missing, + is unexpected):
          added Entity 0.0 (Health): Health
        - updated Entity 0.0 (Health)
          added Entity 1.0 (Health): Health
        - updated Entity 1.0 (Health): Tag
        + updated Entity 1.0 (Health): Health
      """
      .replacing("0.0", with: name(one)).replacing("1.0", with: name(other)))
    expectEqual(error?.expected.count, 4)
    expectEqual(error?.happened.count, 3)
    expectTrue(changes.items.isEmpty)
  }

  /// The slot and the generation, as descriptions have them.
  private func name(_ entity: Entity) -> String {
    "\(entity)".split(separator: " ").dropFirst().first.map(String.init) ?? ""
  }

  @Test func `The order matters`() {
    let changes = Recorder(of: context.group(Tag.matcher))
    let entities = (0..<3).map { _ in context.createEntity(with: Tag()) }
    let error = #expect(throws: UnexpectedChanges.self) {
      try changes.expect(entities.reversed().map { .added($0) })
    }
    let lines = (error?.description ?? "").split(separator: "\n")
    expectEqual(lines.count { $0.hasPrefix("  - ") }, 2)
    expectEqual(lines.count { $0.hasPrefix("  + ") }, 2)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `As few changes as possible are marked`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let entities = (0..<3).map { _ in context.createEntity() }
    let changes = Recorder(of: context.group(Tag.matcher), .added)
    let happened = (0..<random.below(9)).map { _ in entities[random.below(3)] }
    for entity in happened { entity.remove(Tag.self).set(Tag()) }
    let expected = (0..<random.below(9)).map { _ in entities[random.below(3)] }
    let error = UnexpectedChanges(
      expected: expected.map { .added($0) }, happened: changes.take())
    expectEqual((error == nil), (expected == happened))
    guard let error else { return }
    let lines = error.description.split(separator: "\n").dropFirst()
    let marks = lines.count { !$0.hasPrefix("    ") }
    expectEqual(marks, happened.difference(from: expected).count)
    expectEqual(lines.count { !$0.hasPrefix("  + ") }, expected.count)
    expectEqual(lines.count { !$0.hasPrefix("  - ") }, happened.count)
  }
}
