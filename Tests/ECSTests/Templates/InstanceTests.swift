import ECS
import ECSTestSupport
import ECSTesting
import Synchronization
import Testing

private struct Title: Component, Equatable { var text: String }

/// It can't be compared.
private struct Script: Component { var source: String }

private struct Floor: Component, Equatable {}

private struct Ground: Component, Equatable { var area = 1 }

private struct Hut: Component, Equatable {
  static var requires: Requirement { Requirement(Ground(), whenRemoved: .refused) }
}

private struct Beam: Component, Equatable { var length = 1 }

private struct Attic: Component, Equatable {
  static var requires: Requirement { Requirement(Beam(), whenRemoved: .refused) }
}

private struct Tower: Component, Equatable {
  static var requires: Requirement { Requirement(Floor(), whenRemoved: .refused) }
}

/// What becomes of entities when their template is changed.
@Suite struct InstanceTests {
  private let context = Context()
  private let orc = Template("orc") {
    Health(points: 80)
    Title(text: "orc")
    Child { Health(points: 1) }
  }

  @Test func `instances follow what changes, and keep what they have changed`() {
    let orcs = context.createEntities(3, from: orc)
    orcs[1].set(Health(points: 12))
    orcs[2].remove(Title.self)
    let changed = Template("orc") {
      Health(points: 90)
      Position(x: 1, y: 2)
      Child { Health(points: 7) }
    }
    expectEqual(context.updateInstances(of: orc, to: changed), 3)
    expectEqual(orcs.map { $0.get(Health.self)?.points }, [90, 12, 90])
    expectTrue(orcs.allSatisfy { $0.get(Position.self) == Position(x: 1, y: 2) })
    expectTrue(orcs.allSatisfy { !$0.has(Title.self) && $0.template == "orc" })
    // Children stay.
    expectTrue(orcs.allSatisfy { $0.children.map { $0.get(Health.self)?.points } == [1] })
    expectEqual(context.updateInstances(of: orc, to: changed), 0)
  }

  @Test func `only instances of that name follow, and have the new one`() {
    let made = context.createEntity(from: orc)
    let derived = context.createEntity(from: Template(orc, "chief") {})
    let unnamed = context.createEntity(from: Template(orc) {})
    let other = context.createEntity(with: Health(points: 80))
    let goblin = Template("goblin") {
      Health(points: 20)
      Title(text: "orc")
    }
    expectEqual(context.updateInstances(of: orc, to: goblin), 1)
    expectTrue(made.template == "goblin" && made.get(Health.self)?.points == 20)
    for entity in [derived, unnamed, other] { expectEqual(entity.get(Health.self)?.points, 80) }
    expectTrue(derived.template == "chief" && unnamed.template == nil && other.template == nil)
    expectEqual(context.updateInstances(of: goblin, to: Template(goblin) {}), 1)
    expectTrue(made.template == nil && made.get(Health.self)?.points == 20)
  }

  @Test func `what an instance has taken on or removed itself stays`() {
    let entity = context.createEntity(from: orc)
    entity.set(Position(x: 5, y: 5)).remove(Health.self)
    let changed = Template("orc") {
      Health(points: 90)
      Title(text: "orc")
      Position(x: 0, y: 0)
    }
    expectEqual(context.updateInstances(of: orc, to: changed), 0)
    expectTrue(entity.get(Position.self) == Position(x: 5, y: 5) && !entity.has(Health.self))
  }

  @Test func `what can't be compared is added, and otherwise left as it is`() {
    let scripted = Template("scripted") { Script(source: "a") }
    let tagged = Template("scripted") {
      Script(source: "b")
      Tag()
    }
    let entity = context.createEntity(from: scripted)
    expectEqual(context.updateInstances(of: scripted, to: tagged), 1)
    expectTrue(entity.get(Script.self)?.source == "a" && entity.has(Tag.self))
    let bare = Template("scripted") {}
    expectEqual(context.updateInstances(of: tagged, to: bare), 1)
    expectTrue(entity.get(Script.self)?.source == "a" && !entity.has(Tag.self))
    let other = context.createEntity(from: bare)
    expectEqual(context.updateInstances(of: bare, to: scripted), 1)
    expectEqual(other.get(Script.self)?.source, "a")
  }

  @Test func `what another component requires stays`() {
    let tower = Template("tower") { Tower() }
    let entity = context.createEntity(from: tower)
    let lone = context.createEntity(from: tower)
    lone.remove(Tower.self)
    let bare = Template("tower") { Title(text: "bare") }
    expectEqual(context.updateInstances(of: Template("tower") { Floor() }, to: bare), 2)
    expectTrue(entity.has(Floor.self) && !lone.has(Floor.self))
    expectEqual(context.updateInstances(of: Template("tower") { Floor() }, to: bare), 0)
  }

  @Test func `what components require is set and removed with them, whichever type came first`() {
    // Components are edited in the order in which their types were first used.
    expectTrue(Ground.cid < Hut.cid && Attic.cid < Beam.cid)
    func follow(_ whole: some Component, _ part: some Component & Equatable) {
      let (bare, built) = (
        Template("house") {},
        Template("house") {
          whole
          part
        }
      )
      let entity = context.createEntity(from: bare)
      expectEqual(context.updateInstances(of: bare, to: built), 1)
      expectTrue(entity.components().contains { isKnownEqual($0, part) })
      expectEqual(context.updateInstances(of: built, to: bare), 1)
      expectEqual(entity.components().count, 1)
      expectEqual(context.updateInstances(of: built, to: bare), 0)
      entity.destroy()
    }
    follow(Hut(), Ground(area: 5))
    follow(Attic(), Beam(length: 5))
  }

  @Test func `it is one commit`() {
    context.createEntities(5, from: orc)
    let counts = Mutex<[Int]>([])
    let subscription = context.journal().observe { commit in
      counts.withLock { $0.append(Array(commit).count) }
    }
    context.updateInstances(of: orc, to: Template(orc, "orc") { Health(points: 90) })
    expectEqual(counts.withLock(\.self), [5])
    withExtendedLifetime(subscription) {}
  }

  @Test func `a template without a name stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Context().updateInstances(of: Template { Tag() }, to: Template {})
    }
    expectTrue(stopped(result, saying: "was given a template without a name"))
  }
}
