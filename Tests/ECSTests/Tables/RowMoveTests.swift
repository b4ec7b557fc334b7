import ECS
import ECSTestSupport
import Testing

// Values of the sizes that rows move in different ways, and of one that has to be counted.
private struct Eight: Component, Equatable { var value: Int }
private struct OtherEight: Component, Equatable { var value: Double }
private struct ThirdEight: Component, Equatable { var value: UInt64 }
private struct Four: Component, Equatable { var value: Int32 }
private struct Nothing: Component, Equatable {}
private struct AddedFour: Component, Equatable { var value: Float }
private struct AddedEight: Component, Equatable { var value: Int }
private struct AddedTwelve: Component, Equatable { var value: Int32, other: Int32, third: Int32 }
private struct AddedText: Component, Equatable { var value: String }

@Suite struct RowMoveTests {
  /// What entities have all the time.
  enum Kept: CaseIterable {
    case one, two, three, twoAndFour, twoAndText, none
  }

  /// The order in which entities move.
  enum Order: CaseIterable {
    case asMade, backward, shuffled

    func callAsFunction(_ entities: [Entity]) -> [Entity] {
      switch self {
      case .asMade: return entities
      case .backward: return entities.reversed()
      case .shuffled:
        var generator = SplitMix64(seed: 11)
        return entities.shuffled(using: &generator)
      }
    }
  }

  private func makeEntities(_ kept: Kept, in context: Context) -> [Entity] {
    (0..<37).map { number in
      let entity = context.createEntity()
      if kept != .none { entity.set(Eight(value: number)) }
      if kept != .none && kept != .one { entity.set(OtherEight(value: Double(number) / 2)) }
      switch kept {
      case .three: entity.set(ThirdEight(value: UInt64(number) * 3))
      case .twoAndFour: entity.set(Four(value: Int32(number) * 5))
      case .twoAndText: entity.set(AddedText(value: "text \(number)"))
      case .one, .two, .none: break
      }
      return entity
    }
  }

  private func check(_ entities: [Entity], _ kept: Kept) {
    for (number, entity) in entities.enumerated() {
      expectEqual(entity.get(Eight.self), (kept == .none ? nil : Eight(value: number)))
      expectEqual(
        entity.get(OtherEight.self),
        (kept == .none || kept == .one ? nil : OtherEight(value: Double(number) / 2)))
      expectEqual(
        entity.get(ThirdEight.self),
        (kept == .three ? ThirdEight(value: UInt64(number) * 3) : nil))
      expectEqual(
        entity.get(Four.self), (kept == .twoAndFour ? Four(value: Int32(number) * 5) : nil))
      if kept == .twoAndText { expectEqual(entity.get(), AddedText(value: "text \(number)")) }
    }
  }

  /// Adds a component to entities and removes it, twice, so that tables have room the second time;
  /// first from some, so that some stay.
  private func toggle<C: Component & Equatable>(
    _ kept: Kept, _ order: Order, inSections: Bool, _ make: (Int) -> C
  ) {
    let context = Context()
    let entities = makeEntities(kept, in: context)
    let numbers = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1, $0) })
    func number(_ entity: Entity) -> Int { numbers[entity] ?? -1 }
    let group = context.group(C.self)
    func all(_ body: (Entity) -> Void, _ entities: [Entity]) {
      if inSections {
        context.perform { entities.forEach(body) }
      } else {
        entities.forEach(body)
      }
    }
    for round in 0..<2 {
      let ordered = order(entities)
      for part in [ordered.filter { number($0) % 3 == round }, ordered] {
        all({ $0.set(make(number($0) + round)) }, part)
        expectEqual(Set(group), Set(part))
        for entity in part { expectEqual(entity.get(C.self), make(number(entity) + round)) }
        check(entities, kept)
        let half = part.filter { number($0) % 2 == 0 }
        all({ $0.remove(C.self) }, half)
        expectEqual(Set(group), Set(part).subtracting(half))
        for entity in part where number(entity) % 2 == 1 {
          expectEqual(entity.get(C.self), make(number(entity) + round))
        }
        check(entities, kept)
        all({ $0.remove(C.self) }, part)
        expectTrue(group.isEmpty)
        check(entities, kept)
      }
    }
    all({ $0.destroy() }, order(entities.filter { number($0) % 2 == 0 }))
    for entity in entities where number(entity) % 2 == 1 && kept != .none {
      expectEqual(entity.get(Eight.self), Eight(value: number(entity)))
    }
    expectEqual(context.count, entities.count / 2)
  }

  @Test(arguments: Kept.allCases, Order.allCases)
  func `Values are those that they were, whatever their sizes, and in whatever order rows move`(
    _ kept: Kept, _ order: Order
  ) {
    for inSections in [true, false] {
      toggle(kept, order, inSections: inSections) { _ in Nothing() }
      toggle(kept, order, inSections: inSections) { AddedFour(value: Float($0)) }
      toggle(kept, order, inSections: inSections) { AddedEight(value: -$0) }
      toggle(kept, order, inSections: inSections) { number in
        AddedTwelve(value: Int32(number), other: 7, third: -Int32(number))
      }
      if kept == .twoAndText { continue }
      toggle(kept, order, inSections: inSections) {
        AddedText(value: "a text of some length: \($0)")
      }
    }
  }
}
