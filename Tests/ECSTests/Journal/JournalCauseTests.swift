import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Testing

private enum Likes: Relation {}
private final class Owner: Sendable {}

/// What journals say of why changes were made.
@Suite(.noHangs) struct JournalCauseTests {
  let context = Context()

  private func journal(keeps: Bool = false) -> (CommitRecord, Subscription) {
    CommitRecord.journal(of: context, keeps: keeps)
  }

  @Test func `Sections, transactions and systems name what they change`() throws {
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal(keeps: true)
    context.perform("outer") {
      entity.set(Tag())
      context.transaction("inner") { _ = entity.remove(Tag.self) }
      entity.set(Tag())
    }
    entity.remove(Tag.self)
    let loop = Loop(
      name: "main",
      systems: [
        ClosureExecuteSystem("healing") { entity.set(Health(points: 5)) }
      ])
    loop.execute()
    expectEqual(
      record.takeCauses(),
      [
        ["section outer", "section inner", "section outer"], ["unknown "], ["system healing"],
      ])
    let causes = record.kept.map(\.causes)
    expectEqual(causes[0].map(\.name), ["outer", "inner"])
    expectTrue(causes[0][0].file == "ECSTests/JournalCauseTests.swift" && causes[0][0].line != nil)
    expectTrue(causes[1].isEmpty)
    expectEqual(causes[2].map(\.loop), ["main"])
    expectEqual("\(causes[2][0])", "system healing of loop main")
    withExtendedLifetime(subscription) {}
  }

  @Test func `The name of a section is not computed without a journal`() {
    var count = 0
    func name() -> String {
      count += 1
      return "name"
    }
    context.perform(name()) { context.createEntity() }.destroy()
    expectEqual(count, 0)
    let (_, subscription) = journal()
    context.perform(name()) { context.createEntity() }.destroy()
    expectEqual(count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Observers without a name have that of what they observe`() {
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal()
    let observers = [
      context.group(Health.matcher).observeChanges(.updated) { $0.entity.set(Tag()) },
      entity.observe(initial: false) { _ = $0.remove(Tag.self) },
    ]
    entity.set(Health(points: 2))
    let causes = record.takeCauses().flatMap(\.self)
    expectTrue(causes.count == 3 && causes[0] == "unknown ")
    expectTrue(causes[1].contains("observer") && causes[1].contains("Health"))
    expectTrue(causes[2].hasPrefix("observer Entity"))
    withExtendedLifetime((observers, subscription)) {}
  }

  @Test func `Observers say where they began to observe`() throws {
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal(keeps: true)
    let owner = Owner()
    let group = context.group(Health.matcher)
    let first = #line + 2
    let tokens = [
      group.observeChanges(.updated) { $0.entity.set(Position(x: 1, y: 1)) },
      group.observeChanges(of: Health.self, .updated) { entity, _, _ in entity.set(Tag()) },
      entity.observe(initial: false) { $0.set(Velocity(dx: 1, dy: 1)) },
      context.observeEvents { if case .destroyed = $0 { entity.set(Name("end")) } },
    ]
    group.observeChanges(.updated, by: owner, name: "a") { _, change in
      change.entity.remove(Tag.self)
    }
    group.observeChanges(of: Health.self, .updated, by: owner, name: "b") { _, entity, _, _ in
      entity.remove(Velocity.self)
    }
    group.observe(by: owner, name: "c", initial: false, file: "Shop/Orders.swift", line: 12) {
      _, _ in entity.remove(Position.self)
    }
    let other = context.createEntity()
    entity.set(Health(points: 2))
    other.destroy()
    let causes = record.kept.flatMap(\.causes)
    expectTrue(causes.allSatisfy { $0.kind == .observer })
    let lines = causes.filter { $0.file == "ECSTests/JournalCauseTests.swift" }.compactMap(\.line)
    expectTrue(Set(lines).isSuperset(of: [first, first + 1, first + 2, first + 3, first + 5]))
    let named = try #require(causes.first { $0.name == "c" })
    expectTrue(named.file == "Shop/Orders.swift" && named.line == 12)
    expectEqual("\(named)", "observer c (Shop/Orders.swift:12)")
    withExtendedLifetime((tokens, subscription)) {}
  }

  @Test func `What observers on queues change has no cause`() {
    let queue = DispatchQueue(label: "observer")
    let entity = context.createEntity(with: Health(points: 1))
    let (record, subscription) = journal()
    let observer = context.group(Health.matcher).observeChanges(.updated, name: "q", on: queue) {
      $0.entity.set(Tag())
    }
    context.perform("section") { _ = entity.set(Health(points: 2)) }
    queue.sync {}
    expectEqual(record.takeCauses(), [["section section"], ["unknown "]])
    withExtendedLifetime((observer, subscription)) {}
  }

  @Test func `Commits, changes and causes describe themselves`() {
    let (record, subscription) = journal(keeps: true)
    let entity = context.createEntity(with: Health(points: 1))
    context.perform("heal") {
      entity.set(Health(points: 2))
      entity.relate(Likes.self, to: entity)
    }
    let commits = record.kept
    let old = "\(Health(points: 1))"
    let new = "\(Health(points: 2))"
    expectEqual(
      commits.map(\.description),
      [
        "commit 1\n  created \(entity) \(old)",
        """
        commit 2
          replaced \(entity) \(old) -> \(new)
          linked \(entity) Likes \(entity)
        """,
      ])
    let cause = commits[1].first { _ in true }?.cause
    expectEqual(
      cause?.description.hasPrefix("section heal (ECSTests/JournalCauseTests.swift:"), true)
    expectEqual("\(Cause.unknown)", "unknown")
    withExtendedLifetime(subscription) {}
  }

  @Test func `A commit names the causes of its own changes only`() {
    struct Refused: Error {}
    let (record, subscription) = journal(keeps: true)
    let tags = CommitRecord(keeps: true)
    let other = context.journal(of: Tag.self).observe { tags.add($0) }
    let entity = context.createEntity()
    _ = try? context.transaction("bad") {
      entity.set(Tag())
      throw Refused()
    }
    entity.set(Health(points: 1))
    context.perform("one") {
      entity.set(Health(points: 2))
      context.perform("two") { _ = entity.set(Tag()) }
    }
    expectEqual(record.kept.map { $0.causes.map(\.name) }, [[], [], ["one", "two"]])
    expectEqual(tags.kept.map { $0.causes.map(\.name) }, [["two"]])
    withExtendedLifetime((subscription, other)) {}
  }

  @Test func `Sections one after the other have the causes of their own names and places`() {
    let entity = context.createEntity(with: Health(points: 0))
    let (record, subscription) = journal(keeps: true)
    for name in ["a", "a", "b", "a"] {
      context.perform(name) { _ = entity.set(Health(points: 1)) }
    }
    context.perform("a") { _ = entity.set(Health(points: 2)) }
    context.perform {
      for _ in 0..<2 { context.perform("a") { _ = entity.set(Health(points: 3)) } }
    }
    let causes = record.kept.map(\.causes)
    expectEqual(causes.map { $0.map(\.name) }, [["a"], ["a"], ["b"], ["a"], ["a"], ["a", "a"]])
    let lines = causes.map { $0.map(\.line) }
    expectTrue(lines[0] == lines[1] && lines[0] == lines[3] && lines[3] != lines[4])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Names of sections keep their spelling, though another one was equal to it`() {
    let entity = context.createEntity(with: Health(points: 0))
    let (record, subscription) = journal(keeps: true)
    let names = ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}"]
    for name in names { context.perform(name) { _ = entity.set(Health(points: 1)) } }
    let causes = record.kept.compactMap { $0.causes.first?.name }
    expectEqual(causes.map { Array($0.utf8) }, names.map { Array($0.utf8) })
    withExtendedLifetime(subscription) {}
  }

  @Test func `Very many causes in one commit are distinguished, in linear time`() {
    let (record, subscription) = journal(keeps: true)
    let count = 20_000
    context.perform {
      for number in 0..<count {
        context.perform("\(number)") { _ = context.createEntity(with: Health(points: 1)) }
      }
    }
    expectEqual(record.kept.first?.causes.map(\.name), (0..<count).map(String.init))
    let exponents = Growth.exponents(from: Effort.full(2000, debug: 1000)) { count in
      let context = Context()
      let token = context.journal().observe { _ in }
      return [
        ThreadTime.of {
          context.perform {
            for _ in 0..<count {
              context.perform("a") { _ = context.createEntity(with: Health(points: 1)) }
            }
          }
          withExtendedLifetime(token) {}
        }
      ]
    }
    expectLessThanOrEqual(exponents[0], Growth.limit)
    withExtendedLifetime(subscription) {}
  }
}
