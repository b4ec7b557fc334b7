import ECS
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

private struct Title: Component, Equatable { var text: String }

private struct Lamp: UniqueComponent {}

private enum Carries: ToOneRelation {}

@Suite struct TemplateTests {
  private let orc = Template("orc") {
    Health(points: 80)
    Title(text: "an orc with a long name")
    Child {
      Title(text: "axe")
      Child { Tag() }
    }
    Child(by: Carries.self) { Title(text: "bag") }
  }

  @Test func `an entity has the components and the children of its template`() {
    let context = Context()
    let entity = context.createEntity(from: orc)
    expectTrue(context.count == 4 && orc.entityCount == 4)
    expectEqual(entity.get(Health.self), Health(points: 80))
    expectEqual(entity.get(Title.self)?.text, "an orc with a long name")
    expectTrue(entity.template == "orc" && entity.components().count == 3)
    expectEqual(entity.children.first?.get(Title.self)?.text, "axe")
    expectEqual(entity.children.first?.children.first?.has(Tag.self), true)
    expectEqual(entity.sources(Carries.self).first?.get(Title.self)?.text, "bag")
    expectNil(entity.children.first?.template)
  }

  @Test func `a derived template replaces components and adds children`() {
    let context = Context()
    let chief = Template(orc, "chief") {
      Health(points: 200)
      Tag()
      Child { Health(points: 1) }
    }
    let entity = context.createEntity(from: chief)
    expectTrue(chief.get(Health.self)?.points == 200 && orc.get(Health.self)?.points == 80)
    expectTrue(entity.get(Health.self)?.points == 200 && entity.has(Tag.self))
    expectEqual(entity.get(Title.self)?.text, "an orc with a long name")
    expectTrue(entity.template == "chief" && entity.children.count == 2)
    expectTrue(Template(orc) {}.name == nil && Template(orc) {}.get(InstanceOf.self) == nil)
  }

  @Test func `parts come from conditions and loops`() {
    let context = Context()
    func made(_ isArmed: Bool, _ count: Int) -> Entity {
      context.createEntity(
        from: Template {
          if isArmed { Health(points: 1) } else { Tag() }
          if isArmed { Position(x: 1, y: 1) }
          for number in 0..<count { Child { Health(points: Int32(number)) } }
          Child(orc)
        })
    }
    let (armed, other) = (made(true, 2), made(false, 0))
    expectTrue(armed.has(Health.self) && armed.has(Position.self) && armed.children.count == 3)
    expectTrue(other.has(Tag.self) && other.components().count == 1 && other.children.count == 1)
    expectEqual(armed.children.compactMap(\.template), ["orc"])
  }

  @Test func `many entities get what differs before they come to life`() {
    let context = Context()
    let seen = Recorder<Float>()
    let token = context.group(Position.matcher).observeChanges(.added) { change in
      seen.append(change.entity.get(Position.self)?.x ?? -1)
    }
    let entities = context.createEntities(100, from: orc) { index, entity in
      entity.set(Position(x: Float(index), y: 0))
    }
    expectTrue(entities.count == 100 && context.count == 400)
    expectTrue(entities.indices.allSatisfy { entities[$0].get(Position.self)?.x == Float($0) })
    expectTrue(entities.allSatisfy { $0.get(Health.self)?.points == 80 && $0.children.count == 1 })
    expectEqual(seen.items, (0..<100).map { Float($0) })
    withExtendedLifetime(token) {}
  }

  @Test func `what closures do may differ from entity to entity`() {
    let context = Context()
    var random = SplitMix64(seed: 5)
    let steps = (0..<500).map { _ in (0..<random.below(5)).map { _ in random.below(6) } }
    let entities = context.createEntities(500, from: orc) { index, entity in
      for step in steps[index] {
        switch step {
        case 0: entity.set(Health(points: Int32(index)))
        case 1: entity.remove(Health.self)
        case 2: entity.set(Title(text: "the long name of number \(index)"))
        case 3: entity.set(Position(x: Float(index), y: 0))
        case 4: entity.set(Tag())
        default: entity.remove(Position.self)
        }
      }
    }
    for (index, entity) in entities.enumerated() {
      let other = context.createEntity(from: orc)
      for step in steps[index] {
        switch step {
        case 0: other.set(Health(points: Int32(index)))
        case 1: other.remove(Health.self)
        case 2: other.set(Title(text: "the long name of number \(index)"))
        case 3: other.set(Position(x: Float(index), y: 0))
        case 4: other.set(Tag())
        default: other.remove(Position.self)
        }
      }
      let isSame =
        entity.get(Health.self) == other.get(Health.self)
        && entity.get(Title.self) == other.get(Title.self)
        && entity.get(Position.self) == other.get(Position.self)
        && entity.has(Tag.self) == other.has(Tag.self)
      expectTrue(isSame, "number \(index): \(steps[index])")
    }
  }

  @Test func `values of templates and closures are counted as often as they are there`() {
    let counter = LifeCounter()
    do {
      let context = Context()
      let template = Template { Tracked(counter) }
      context.createEntities(10, from: template)
      context.createEntities(10, from: template) { index, entity in
        entity.set(OtherTracked(counter))
        if index % 3 == 0 { entity.set(OtherTracked(counter)) }
        if index % 4 == 0 { entity.remove(Tracked.self) }
      }
      expectTrue(counter.living == 11 && context.group(Tracked.matcher).count == 17)
      context.destroyAllEntities()
      expectEqual(counter.living, 1)
      withExtendedLifetime(template) {}
    }
    expectEqual(counter.living, 0)
  }

  @Test func `instances are found by the name of their template`() {
    let context = Context()
    let made = context.index { (made: InstanceOf) in made.template }
    let entities = context.createEntities(5, from: orc)
    context.createEntity(from: Template(orc, "chief") {})
    expectTrue(made["orc"].count == 5 && made["chief"].count == 1 && made["elf"].isEmpty)
    expectTrue(entities[0].template?.text == "orc" && "\(TemplateName("elf"))" == "elf")
  }

  @Test func `a transaction takes instances back`() {
    struct Failure: Error {}
    let context = Context()
    try? context.transaction {
      context.createEntities(5, from: orc) { index, entity in entity.set(Tag()) }
      expectEqual(context.count, 20)
      throw Failure()
    }
    expectEqual(context.count, 0)
    context.createEntities(0, from: orc)
    expectEqual(context.count, 0)
  }

  @Test func `instances that are made in an iteration come to life at its end`() {
    let context = Context()
    context.createEntity(with: Position(x: 0, y: 0))
    var made: [Entity] = []
    let group = context.group(Position.matcher)
    group.withEach { (_: Entity, _: Position) in
      made = context.createEntities(3, from: orc) { index, entity in
        entity.set(Health(points: Int32(index)))
      }
      made[2].set(Tag())
      expectTrue(made.map { $0.get(Health.self)?.points } == [0, 1, 2] && context.count == 1)
    }
    expectTrue(context.count == 13 && made.allSatisfy { $0.children.count == 1 })
    expectEqual(made.map { $0.has(Tag.self) }, [false, false, true])
  }

  @Test func `the same component twice stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Template {
        Health(points: 1)
        Health(points: 2)
      }
    }
    expectTrue(stopped(result, saying: "two Health components"))
  }

  @Test func `the component of the name stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Template { InstanceOf("orc") }
    }
    expectTrue(stopped(result, saying: "InstanceOf"))
  }

  @Test func `two children by a relation of one to one stop`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let base = Template { Child(by: Wields.self) { Health(points: 1) } }
      _ = Template(base) { Child(by: Wields.self) { Health(points: 2) } }
    }
    expectTrue(stopped(result, saying: "two children by Wields"))
  }

  @Test func `a count that no context can have stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Context().createEntities(-1, from: Template { Health(points: 1) })
    }
    expectTrue(stopped(result, saying: "count -1"))
    let large = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let template = Template { Child { Health(points: 1) } }
      Context().createEntities(Int(UInt32.max) - 1, from: template) { _, _ in }
    }
    expectTrue(stopped(large, saying: "template of 2 entities"))
  }

  @Test func `names are coded as texts`() throws {
    for text in ["orc", "", "a name that is not stored in place, \u{1F409}"] {
      let name = TemplateName(text)
      let data = try JSONEncoder().encode([InstanceOf(name)])
      try expectEqual(JSONDecoder().decode([InstanceOf].self, from: data), [InstanceOf(name)])
      expectEqual(name.text, text)
    }
    for wrong in ["[null]", "[1]", #"[{"template":1}]"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([InstanceOf].self, from: Data(wrong.utf8))
      }
    }
  }

  @Test func `a unique component stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Template { Lamp() } }
    expectTrue(stopped(result, saying: "Lamp", "only one entity"))
  }
}

private enum Wields: OneToOneRelation {}
