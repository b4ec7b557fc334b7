import ECS
import ECSTestSupport
import Testing

private struct Refused: Error {}

/// Numbers of creation are the same whether storage has them written down or not, which it has from
/// the first entity on whose number is not the one of its slot.
@Suite(.longRunning) struct ImplicitOrderTests {
  let context = Context()

  /// Whether exactly some entities live, in this order of creation, with these numbers.
  private func expect(_ entities: [Entity], _ numbers: some Sequence<UInt64>) {
    let numbers = Array(numbers)
    expectEqual(entities.map(\.creationNumber), numbers)
    expectEqual(Array(context.entities()), entities)
    expectEqual(entities.reversed().sortedByCreation(), entities)
    expectEqual(context.group(Tag.matcher).sorted(), entities.filter { $0.has(Tag.self) })
    var columnNumbers: [Entity: UInt64] = [:]
    context.withColumns { columns in
      let numbers = [UInt64](capacity: columns.count) {
        columns.appendCreationNumbers(of: 0..<columns.count, to: &$0)
      }
      for (offset, number) in numbers.enumerated() {
        columnNumbers[columns.entity(at: offset)] = number
      }
    }
    expectEqual(columnNumbers, Dictionary(uniqueKeysWithValues: zip(entities, numbers)))
  }

  /// Runs a body as a transaction that throws.
  private func fail(_ body: () -> Void) {
    #expect(throws: Refused.self) {
      try context.transaction {
        body()
        throw Refused()
      }
    }
  }

  // MARK: Slots that had been free

  @Test func `Entities in slots that had been free come after all others`() {
    var entities = (0..<200).map { _ in context.createEntity(with: Tag()) }
    expect(entities, 0..<200)
    for number in [150, 80, 7] { entities.remove(at: number).destroy() }
    let numbers = (0..<200 as Range<UInt64>).filter { ![150, 80, 7].contains($0) }
    expect(entities, numbers)
    for _ in 0..<5 { entities.append(context.createEntity(with: Tag())) }
    expect(entities, numbers + (200..<205))
    for _ in 0..<200 { entities.append(context.createEntity(with: Tag())) }
    expect(entities, numbers + (200..<405))
  }

  @Test func `One bulk call uses free slots and new ones`() {
    var entities = context.createEntities(100, with: Tag())
    expect(entities, 0..<100)
    entities.removeFirst().destroy()
    entities.removeLast().destroy()
    entities += context.createEntities(0, with: Tag())
    expect(entities, 1..<99)
    entities += context.createEntities(150, with: Tag())
    expect(entities, Array(1..<99) + (100..<250))
  }

  @Test(arguments: [false, true])
  func `New entities of several tables have numbers in their own order`(slotsAreFree: Bool) {
    var entities = context.createEntities(5, with: Tag())
    if slotsAreFree { for _ in 0..<3 { entities.remove(at: 1).destroy() } }
    let first = entities.compactMap(\.creationNumber)
    let tables = [
      NewTable([Tag.cid], [7, 2, 4]), NewTable([Health.cid], 5..<7), NewTable([Tag.cid], 0..<2),
    ]
    entities += context.createEntities(9, in: tables) { number, columns in
      if number == 1 { columns.copy([Health(points: 1), Health(points: 2)].span) }
    }
    expect(entities, first + (5..<14))
    entities.append(context.createEntity(with: Tag()))
    expect(entities, first + (5..<15))
  }

  @Test func `A view shows equal entities in the order of creation`() {
    let view = context.group(Health.matcher).sorted(by: \Health.points).start()
    var entities = (0..<10).map { _ in context.createEntity(with: Health(points: 1)) }
    expectEqual(Array(view), entities)
    for _ in 0..<4 { entities.remove(at: 2).destroy() }
    expectEqual(Array(view), entities)
    for _ in 0..<6 { entities.append(context.createEntity(with: Health(points: 1))) }
    expectEqual(Array(view), entities)
  }

  // MARK: Reserved slots

  @Test func `Entities that an iteration creates get numbers when it ends`() {
    var entities = context.createEntities(3, with: Tag())
    var made: [Entity] = []
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      made.append(context.createEntity(with: Tag()))
    }
    entities += made
    expect(entities, 0..<6)
    entities.remove(at: 0).destroy()
    made = []
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      made.append(context.createEntity(with: Tag()))
    }
    entities += made
    expect(entities, 1..<11)
  }

  @Test func `A slot that was reserved for no entity leaves the order as it is`() {
    var entities = context.createEntities(2, with: Tag())
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      context.createEntity(with: Tag()).destroy()
    }
    for _ in 0..<80 { entities.append(context.createEntity(with: Tag())) }
    entities += context.createEntities(80, with: Tag())
    let numbers = entities.compactMap(\.creationNumber)
    expectTrue(numbers.count == 162 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    expect(entities, numbers)
  }

  // MARK: Transactions

  @Test func `What a transaction destroyed has its number again`() {
    let entities = context.createEntities(4, with: Tag())
    fail {
      entities[1].destroy()
      entities[2].destroy()
    }
    expect(entities, 0..<4)
    var undone: [Entity] = []
    fail {
      entities[1].destroy()
      undone = context.createEntities(3, with: Tag()) + [context.createEntity(with: Tag())]
    }
    expect(entities, 0..<4)
    let later = (0..<6).map { _ in context.createEntity(with: Tag()) }
    expect(entities + later, Array(0..<4) + (8..<14))
    expectTrue(undone.allSatisfy { !$0.isAlive && !later.contains($0) })
  }

  @Test func `What a transaction destroyed has its number again where others were in free slots`() {
    var entities = context.createEntities(6, with: Tag())
    entities.remove(at: 2).destroy()
    fail {
      entities[0].destroy()
      entities[4].destroy()
      context.createEntity(with: Tag())
      context.createEntities(4, with: Tag())
    }
    expect(entities, [0, 1, 3, 4, 5])
    entities.append(context.createEntity(with: Tag()))
    expect(entities, [0, 1, 3, 4, 5, 11])
  }

  @Test func `An entity that a holder kept has its number again`() {
    let holder = EntityRetainer(in: context)
    let entities = context.createEntities(4, with: Tag())
    expectTrue(holder.section { holder.keep(entities[1]) })
    entities[1].destroy()
    entities[2].destroy()
    let late = context.createEntity(with: Tag())
    expectTrue(holder.section { holder.revive(entities[1], with: [Tag()]) })
    expect([entities[0], entities[1], entities[3], late], [0, 1, 3, 4])
  }

  // MARK: Numbers that run out, and contexts that end

  @Test(arguments: [0, 3])
  func `Numbers that run out at once are given out afresh`(count: Int) {
    var entities = context.createEntities(count, with: Tag())
    context.skipCreations(leaving: 3)
    for _ in 0..<2 { entities.append(context.createEntity(with: Tag())) }
    entities += context.createEntities(70, with: Tag())
    let next = UInt64(UInt32.max) - 3
    expect(entities, Array(0..<UInt64(count)) + (next..<next + 72))
    entities.removeLast().destroy()
    entities.append(context.createEntity(with: Tag()))
    expect(entities, Array(0..<UInt64(count)) + (next..<next + 71) + [next + 72])
  }

  @Test func `Numbers that run out before any was used are given out afresh`() {
    context.skipCreations(leaving: 3)
    let next = UInt64(UInt32.max) - 3
    expect(context.createEntities(70, with: Tag()), next..<next + 70)
  }

  @Test func `A context begins anew whatever one before it had written down`() {
    for round in 0..<6 {
      let context = Context()
      var entities = (0..<3).map { _ in context.createEntity(with: Tag()) }
      expectEqual(entities.map(\.creationNumber), [0, 1, 2])
      guard round % 2 == 0 else { continue }
      entities.remove(at: 1).destroy()
      entities += context.createEntities(3, with: Tag())
      expectEqual(entities.map(\.creationNumber), [0, 2, 3, 4, 5])
    }
  }

  // MARK: Everything

  @Test(arguments: Effort.seeds(Effort.full(40, debug: 10)))
  func `Numbers count creations, however entities come and go`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (entities, numbers): ([Entity], [UInt64]) = ([], [])
    var next: UInt64 = 0
    func add(_ made: some Sequence<Entity>) {
      for entity in made {
        entities.append(entity)
        numbers.append(next)
        next += 1
      }
    }
    // Until then, entities only come, unless a transaction takes them back.
    let firstEnd = random.below(20)
    for step in 0..<40 {
      switch random.below(step < firstEnd ? 5 : 8) {
      case 0: add((0...random.below(30)).map { _ in context.createEntity(with: Tag()) })
      case 1: add(context.createEntities(random.below(60), with: Tag()))
      case 2:
        let list = [4, 0, 3, 1, 2].shuffled(using: &random)
        let tables = [NewTable([Tag.cid], Array(list[..<3])), NewTable([], Array(list[3...]))]
        add(context.createEntities(5, in: tables) { _, _ in })
      case 3:
        var made: [Entity] = []
        context.group(Tag.matcher).withEach { (_, _: Tag) in
          if made.count < 5 { made.append(context.createEntity(with: Tag())) }
        }
        add(made)
      case 4:
        let count = random.below(10)
        let ended = entities.shuffled(using: &random).prefix(random.below(4))
        fail {
          for entity in ended { entity.destroy() }
          context.createEntities(count, with: Tag())
        }
        next += UInt64(count)
      case 5 where random.below(8) == 0:
        context.destroyAllEntities()
        (entities, numbers) = ([], [])
      default:
        for _ in 0..<min(entities.count, 5) {
          let place = random.below(entities.count)
          entities.remove(at: place).destroy()
          numbers.remove(at: place)
        }
      }
      expect(entities, numbers)
    }
  }
}
