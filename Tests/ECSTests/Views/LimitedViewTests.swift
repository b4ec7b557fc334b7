import ECS
import ECSTestSupport
import Testing

private struct Age: Component, Equatable { var value: Int }
private struct Score: Component { var value: Int }
private enum Follows: Relation {}

@Suite(.noHangs) struct LimitedViewTests {
  let context = Context()
  let people: [Entity]
  let youngest: LiveView

  init() {
    let context = context
    people = (0..<6).map { context.createEntity(with: Age(value: $0 * 10)) }
    youngest = context.group(Age.matcher).sorted(by: \Age.value).limited(to: 3)
  }

  @Test(arguments: [true, false])
  func `A limited view shows the first entities, and the next one when one goes`(isStarted: Bool) {
    if isStarted { youngest.start() }
    expectEqual(youngest.entities(), EntitySet(people[0..<3]))
    expectTrue(youngest.count == 3 && youngest.last == people[2] && youngest[3] == nil)
    people[1].destroy()
    expectEqual(Array(youngest), [people[0], people[2], people[3]])
    people[5].set(Age(value: -1))
    expectEqual(Array(youngest), [people[5], people[0], people[2]])
    expectTrue(youngest.contains(people[2]) && !youngest.contains(people[3]))
    expectTrue(youngest.position(of: people[2]) == 2 && youngest.position(of: people[4]) == nil)
    expectEqual(youngest.isStarted, isStarted)
  }

  @Test func `A view with fewer entities than its limit shows all`() {
    let view = context.group(Age.matcher).limited(to: 100)
    expectTrue(Array(view) == people && view.count == 6)
    expectTrue(context.group(Age.matcher).limited(to: 0).isEmpty)
  }

  @Test func `The limit counts after all filters and sort keys, and the lowest one does`() {
    let view = context.group(Age.matcher).limited(to: 2)
      .filtered { (age: Age) in age.value > 10 }
      .sorted(by: \Age.value, .descending).limited(to: 9)
    expectEqual(Array(view), [people[5], people[4]])
    expectEqual(Array(youngest.then(by: \Score.value)), Array(people[0..<3]))
  }

  @Test func `Related entities may be limited, in the order of their links`() {
    for person in people[1...].reversed() { person.relate(Follows.self, to: people[0]) }
    let view = people[0].sources(Follows.self).limited(to: 2).start()
    expectEqual(Array(view), [people[5], people[4]])
    people[5].unrelate(Follows.self, from: people[0])
    expectEqual(Array(view), [people[4], people[3]])
  }

  private func told(_ body: () -> Void) -> [LiveViewDifference] {
    let told = Recorder<LiveViewDifference>()
    let token = youngest.observe(initial: false) { told.append($0.difference) }
    body()
    withExtendedLifetime(token) {}
    return told.items
  }

  @Test func `An entity that moves up into the view is an insertion`() throws {
    let differences = told { people[0].destroy() }
    let difference = try #require(differences.first)
    expectEqual(difference.removals, [.init(offset: 0, entity: people[0])])
    expectEqual(difference.insertions, [.init(offset: 2, entity: people[3])])
    expectTrue(differences.count == 1 && difference.moves.isEmpty && difference.updates.isEmpty)
  }

  @Test func `An entity that is pushed out of the view is a removal`() throws {
    let difference = try #require(told { people[5].set(Age(value: 5)) }.first)
    expectEqual(difference.insertions, [.init(offset: 1, entity: people[5])])
    expectEqual(difference.removals, [.init(offset: 2, entity: people[2])])
    expectTrue(difference.moves.isEmpty && difference.updates.isEmpty)
  }

  @Test func `An entity that moves past the limit is a removal`() throws {
    let difference = try #require(told { people[0].set(Age(value: 99)) }.first)
    expectEqual(difference.removals, [.init(offset: 0, entity: people[0])])
    expectEqual(difference.insertions, [.init(offset: 2, entity: people[3])])
    expectTrue(difference.moves.isEmpty)
  }

  @Test func `Moves and updates before the limit are reported as usual`() throws {
    let move = try #require(told { people[0].set(Age(value: 15)) }.first)
    expectTrue(move.updates.isEmpty && move.removals.isEmpty && move.insertions.isEmpty)
    expectEqual(move.moves, [.init(from: 0, to: 1, entity: people[0])])
    let update = try #require(told { people[2].set(Age(value: 21)) }.first)
    expectEqual(update.updates, [.init(offset: 2, entity: people[2])])
  }

  @Test func `Nothing is notified of changes past the limit`() {
    expectTrue(
      told {
        people[4].set(Age(value: 41))
        people[5].destroy()
        context.createEntity(with: Age(value: 70))
      }.isEmpty)
  }

  @Test func `Only those are insertions that an initial observer can see`() {
    let told = Recorder<LiveViewDifference>()
    let token = youngest.observe(initial: true) { told.append($0.difference) }
    expectEqual(told.items.map { $0.insertions.map(\.entity) }, [Array(people[0..<3])])
    withExtendedLifetime(token) {}
  }

  @Test func `A limit below zero stops with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Context().group(Age.matcher).limited(to: -1)
    }
    expectTrue(stopped(result, saying: "limited to -1 entities"))
  }
}
