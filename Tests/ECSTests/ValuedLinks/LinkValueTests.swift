import ECS
import ECSTestSupport
import Testing

struct Membership: Component, Equatable {
  enum Role: Int { case guest, member, admin }
  var role: Role
  var since = 0
}

enum MemberOf: Relation { typealias Value = Membership }
enum LedBy: ToOneRelation { typealias Value = Membership }

/// A value that notices whether each of its instances ends.
struct Bracelet: Component { var instance: TrackedInstance }
enum Wears: Relation {
  typealias Value = Bracelet
  static let deleteRule = DeleteRule.cascade
}

private struct Failure: Error {}

@Suite struct LinkValueTests {
  let context = Context()
  let ada: Entity
  let bob: Entity
  let team: Entity

  init() {
    (ada, bob, team) = (context.createEntity(), context.createEntity(), context.createEntity())
  }

  @Test func `a link has the value that it came with, seen from both ends`() {
    ada.relate(MemberOf.self, to: team, Membership(role: .admin, since: 7))
    expectEqual(ada.value(of: MemberOf.self, to: team), Membership(role: .admin, since: 7))
    expectEqual(team.sources(MemberOf.self).value(of: ada)?.role, .admin)
    expectNil(team.value(of: MemberOf.self, to: ada))
    expectNil(bob.value(of: MemberOf.self, to: team))
    ada.unrelate(MemberOf.self, from: team)
    expectNil(ada.value(of: MemberOf.self, to: team))
  }

  @Test func `relating again replaces the value and leaves the link where it is`() {
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    bob.relate(MemberOf.self, to: team, Membership(role: .member))
    ada.relate(MemberOf.self, to: team, Membership(role: .admin))
    expectEqual(Array(team.sources(MemberOf.self)), [ada, bob])
    expectEqual(team.sources(MemberOf.self).links().map(\.value.role), [.admin, .member])
    expectEqual(context.linkCount(MemberOf.self), 2)
  }

  @Test func `a closure changes the value, unless there is no link or it throws`() {
    expectNil(ada.update(MemberOf.self, to: team) { $0.role = .admin })
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    expectEqual(
      ada.update(MemberOf.self, to: team) { value in
        value.role = .admin
        return 3
      }, 3)
    #expect(throws: Failure.self) {
      try ada.update(MemberOf.self, to: team) { value in
        value.role = .guest
        throw Failure()
      }
    }
    expectEqual(ada.value(of: MemberOf.self, to: team)?.role, .admin)
  }

  @Test func `a closure that removes the link ends its value`() {
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    ada.update(MemberOf.self, to: team) { _ in _ = ada.unrelate(MemberOf.self) }
    expectTrue(ada.targets(MemberOf.self).isEmpty)
  }

  @Test func `a relation to one has the value of its only link`() {
    expectNil(ada.value(of: LedBy.self))
    ada.relate(LedBy.self, to: bob, Membership(role: .guest))
    ada.relate(LedBy.self, to: team, Membership(role: .admin))
    expectEqual(ada.value(of: LedBy.self)?.role, .admin)
    expectEqual(ada.target(LedBy.self), team)
  }

  @Test func `related entities are filtered and sorted by values`() {
    let carl = context.createEntity()
    let members = team.sources(MemberOf.self)
    members.insert(ada, Membership(role: .member, since: 3))
    members.insert(bob, Membership(role: .admin, since: 1))
    members.insert(carl, Membership(role: .member, since: 2), at: 0)
    expectEqual(Array(members), [carl, ada, bob])
    expectEqual(Array(members.entities { $0.role == .member }), [carl, ada])
    members.sort { $0.since < $1.since }
    expectEqual(Array(members), [bob, carl, ada])
    members.insert(ada, Membership(role: .guest), before: carl)
    expectEqual(Array(members), [bob, ada, carl])
    expectEqual(context.valuedLinks(MemberOf.self).map(\.value.since).sorted(), [0, 1, 2])
  }

  @Test func `observers of both ends run once, even for an equal value`() {
    let seen = Recorder<String>()
    let subscriptions = [
      ada.observe(initial: false) { _ in seen.append("ada") },
      team.sources(MemberOf.self).observe(initial: false) { _ in seen.append("members") },
      ada.targets(MemberOf.self).observe(initial: false) { _ in seen.append("teams") },
      bob.targets(MemberOf.self).observe(initial: false) { _ in seen.append("others") },
    ]
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    expectEqual(seen.take().sorted(), ["ada", "members", "teams"])
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    expectEqual(seen.take().sorted(), ["ada", "members", "teams"])
    context.perform {
      ada.update(MemberOf.self, to: team) { $0.role = .admin }
      ada.update(MemberOf.self, to: team) { $0.since = 3 }
    }
    expectEqual(seen.take().sorted(), ["ada", "members", "teams"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `collectors of links collect sources whose values change`() {
    ada.set(Mark())
    let changed = context.collector(for: Mark.matcher, type: .addedUpdatedOrRemoved)
    changed.collectLinks(of: MemberOf.self)
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    expectEqual(Array(changed.drain()), [ada])
    ada.update(MemberOf.self, to: team) { $0.role = .admin }
    expectEqual(Array(changed.drain()), [ada])
  }

  @Test func `transactions that fail put values back, whatever became of the links`() throws {
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    bob.relate(LedBy.self, to: ada, Membership(role: .member))
    for way in 0..<5 {
      #expect(throws: Failure.self) {
        try context.transaction { () throws(Failure) in
          switch way {
          case 0: ada.update(MemberOf.self, to: team) { $0.role = .admin }
          case 1: ada.unrelate(MemberOf.self)
          case 2: team.destroy()
          case 3:
            ada.unrelate(MemberOf.self)
            ada.relate(MemberOf.self, to: team, Membership(role: .admin))
          default: bob.relate(LedBy.self, to: team, Membership(role: .guest))
          }
          try context.transaction { () throws(Failure) in
            ada.relate(MemberOf.self, to: bob, Membership(role: .admin))
            if team.isAlive { ada.relate(MemberOf.self, to: team, Membership(role: .member)) }
            throw Failure()
          }
        }
      }
      expectEqual(ada.targets(MemberOf.self).links().map(\.value), [Membership(role: .guest)])
      expectEqual(bob.value(of: LedBy.self), Membership(role: .member))
      expectEqual(bob.target(LedBy.self), ada)
    }
  }

  @Test func `journals tell links with their values, old and new`() throws {
    let told = Recorder<String>()
    let subscription = context.journal().observe { commit in
      for change in commit {
        let (old, new) = (change.oldValue(of: MemberOf.self), change.newValue(of: MemberOf.self))
        told.append("\(change.kind) \(old.map { "\($0.since)" } ?? "-") \(new?.since ?? -1)")
        expectTrue(change.oldComponents().isEmpty && change.newComponents().isEmpty)
      }
    }
    context.perform {
      ada.relate(MemberOf.self, to: team, Membership(role: .guest, since: 1))
      ada.relate(MemberOf.self, to: team, Membership(role: .guest, since: 2))
      ada.update(MemberOf.self, to: team) { $0.since = 3 }
    }
    ada.unrelate(MemberOf.self, from: team)
    expectEqual(
      told.take(), ["linked - 1", "linkUpdated 1 2", "linkUpdated 2 3", "unlinked 3 -1"])
    let commits = Recorder<String>()
    let other = context.journal(of: Mark.self).observe { _ in commits.append("commit") }
    ada.relate(MemberOf.self, to: team, Membership(role: .guest))
    expectTrue(commits.take().isEmpty)
    withExtendedLifetime((subscription, other)) {}
  }

  @Test func `values end with links, once, and outside of the critical section`() {
    let counter = LifeCounter()
    let context = context
    func bracelet() -> Bracelet {
      Bracelet(instance: TrackedInstance(counter) { expectFalse(context.isInSection) })
    }
    let journal = context.journal().observe { _ in }
    ada.relate(Wears.self, to: team, bracelet())
    ada.relate(Wears.self, to: team, bracelet())
    ada.relate(Wears.self, to: bob, bracelet())
    expectEqual(counter.living, 2)
    try? context.transaction { () throws(Failure) in
      ada.relate(Wears.self, to: team, bracelet())
      bob.destroy()
      throw Failure()
    }
    expectTrue(ada.isAlive && counter.living == 2)
    context.transaction {
      ada.relate(Wears.self, to: team, bracelet())
      ada.unrelate(Wears.self, from: bob)
    }
    expectEqual(counter.living, 1)
    team.destroy()
    expectTrue(!ada.isAlive && counter.living == 0)
    withExtendedLifetime(journal) {}
  }

  @Test func `values end with their context`() {
    let counter = LifeCounter()
    do {
      let context = Context()
      let (one, two) = (context.createEntity(), context.createEntity())
      one.relate(Wears.self, to: two, Bracelet(instance: TrackedInstance(counter)))
    }
    expectEqual(counter.living, 0)
  }

  @Test func `in iterations values wait for the end, and updates go on with what waits`() {
    ada.set(Mark())
    context.group(Mark.matcher).withEach { (entity, _: Mark) in
      entity.relate(MemberOf.self, to: team, Membership(role: .guest, since: 1))
      expectNil(entity.value(of: MemberOf.self, to: team))
      entity.update(MemberOf.self, to: team) { $0.since += 1 }
      entity.update(MemberOf.self, to: team) { $0.since += 1 }
    }
    expectEqual(ada.value(of: MemberOf.self, to: team)?.since, 3)
    context.group(Mark.matcher).withEach { (entity, _: Mark) in
      entity.unrelate(MemberOf.self, from: team)
      entity.update(MemberOf.self, to: team) { $0.since += 1 }
    }
    expectTrue(ada.targets(MemberOf.self).isEmpty)
    ada.relate(MemberOf.self, to: team, Membership(role: .guest, since: 1))
    context.group(Mark.matcher).withEach { (entity, _: Mark) in
      entity.update(MemberOf.self, to: team) { $0.since += 1 }
    }
    expectEqual(ada.value(of: MemberOf.self, to: team)?.since, 2)
  }

  @Test func `links and dumps show values`() {
    ada.relate(MemberOf.self, to: team, Membership(role: .admin, since: 4))
    expectEqual(ada.links().map { $0.value as? Membership }, [Membership(role: .admin, since: 4)])
    expectTrue(ada.dump().contains("since: 4"))
    expectTrue(team.dump().contains("since: 4"))
  }

  @Test func `a parent comes with a value, unless that is a cycle`() throws {
    try ada.setParent(team, in: Contains.self, Membership(role: .guest))
    expectEqual(ada.value(of: Contains.self)?.role, .guest)
    #expect(throws: HierarchyCycle.self) {
      try team.setParent(ada, in: Contains.self, Membership(role: .admin))
    }
    expectNil(team.target(Contains.self))
  }

  @Test func `children of templates are linked with a value`() {
    let member = Template { Mark() }
    let crew = Template {
      Mark()
      Child(member, by: MemberOf.self, Membership(role: .admin))
      Child(member, by: MemberOf.self, Membership(role: .guest))
    }
    let made = context.createEntity(from: crew)
    expectEqual(made.sources(MemberOf.self).links().map(\.value.role), [.admin, .guest])
  }

  @Test func `values are as many as links after a long life`() {
    var random = SplitMix64(seed: 5)
    let entities = (0..<40).map { _ in context.createEntity() }
    var expected: [[Int]: Int] = [:]
    for step in 0..<4000 {
      let (one, two) = (random.below(40), random.below(40))
      if random.oneIn(3) {
        entities[one].unrelate(MemberOf.self, from: entities[two])
        expected[[one, two]] = nil
      } else {
        let value = Membership(role: .guest, since: step)
        entities[one].relate(MemberOf.self, to: entities[two], value)
        expected[[one, two]] = step
      }
    }
    expectEqual(context.linkCount(MemberOf.self), expected.count)
    for (pair, step) in expected {
      expectEqual(
        entities[pair[0]].value(of: MemberOf.self, to: entities[pair[1]])?.since, step)
    }
  }

  @Test func `linking what is linked without a value leaves it as it is`() {
    let value = Membership(role: .admin, since: 7)
    ada.relate(MemberOf.self, to: team, value)
    bob.relate(MemberOf.self, to: team, value)
    let members = team.sources(MemberOf.self)
    members.insert(ada)
    members.insert(bob, at: 0)
    expectEqual(members.links().map(\.source), [bob, ada])
    members.replaceAll(with: [ada])
    bob.set(Mark())
    context.group(Mark.matcher).withEach { (_, _: Mark) in members.insert(ada) }
    expectTrue(members.links().map(\.value) == [value] && members.contains(ada))
  }

  @Test func `copies of values may not change the context`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let (one, two) = (context.createEntity(), context.createEntity())
      one.relate(Uses.self, to: two, Destroying(target: two))
      _ = try one.clone()
    }
    expectTrue(stopped(result, saying: "called its context to change it"))
  }

  @Test func `a link without the value that its relation has is refused`() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity().relate(MemberOf.self, to: context.createEntity(), anyValue: nil)
    }
    expectTrue(stopped(none, saying: "without a value, which links of this relation have"))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity().relate(MemberOf.self, to: context.createEntity(), anyValue: Mark())
    }
    expectTrue(stopped(other, saying: "but its values are of the type"))
    let child = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Child(Template {}, by: MemberOf.self)
    }
    expectTrue(stopped(child, saying: "A child of a template was to be linked by"))
  }
}

private struct Mark: Component {}

private enum Uses: Relation { typealias Value = Destroying }

/// Destroys what it refers to when it is copied, which is not allowed.
private struct Destroying: EntityReferencing {
  var target: Entity
  mutating func mapEntities(_ map: (Entity) -> Entity) { map(target).destroy() }
}

private enum Contains: Hierarchy { typealias Value = Membership }
