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
    #expect(youngest.entities() == EntitySet(people[0..<3]))
    #expect(youngest.count == 3 && youngest.last == people[2] && youngest[3] == nil)
    people[1].destroy()
    #expect(Array(youngest) == [people[0], people[2], people[3]])
    people[5].set(Age(value: -1))
    #expect(Array(youngest) == [people[5], people[0], people[2]])
    #expect(youngest.contains(people[2]) && !youngest.contains(people[3]))
    #expect(youngest.position(of: people[2]) == 2 && youngest.position(of: people[4]) == nil)
    #expect(youngest.isStarted == isStarted)
  }

  @Test func `A view with fewer entities than its limit shows all`() {
    let view = context.group(Age.matcher).limited(to: 100)
    #expect(Array(view) == people && view.count == 6)
    #expect(context.group(Age.matcher).limited(to: 0).isEmpty)
  }

  @Test func `The limit counts after all filters and sort keys, and the lowest one does`() {
    let view = context.group(Age.matcher).limited(to: 2)
      .filtered { (age: Age) in age.value > 10 }
      .sorted(by: \Age.value, .descending).limited(to: 9)
    #expect(Array(view) == [people[5], people[4]])
    #expect(Array(youngest.then(by: \Score.value)) == Array(people[0..<3]))
  }

  @Test func `Related entities may be limited, in the order of their links`() {
    for person in people[1...].reversed() { person.relate(Follows.self, to: people[0]) }
    let view = people[0].sources(Follows.self).limited(to: 2).start()
    #expect(Array(view) == [people[5], people[4]])
    people[5].unrelate(Follows.self, from: people[0])
    #expect(Array(view) == [people[4], people[3]])
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
    #expect(difference.removals == [.init(offset: 0, entity: people[0])])
    #expect(difference.insertions == [.init(offset: 2, entity: people[3])])
    #expect(differences.count == 1 && difference.moves.isEmpty && difference.updates.isEmpty)
  }

  @Test func `An entity that is pushed out of the view is a removal`() throws {
    let difference = try #require(told { people[5].set(Age(value: 5)) }.first)
    #expect(difference.insertions == [.init(offset: 1, entity: people[5])])
    #expect(difference.removals == [.init(offset: 2, entity: people[2])])
    #expect(difference.moves.isEmpty && difference.updates.isEmpty)
  }

  @Test func `An entity that moves past the limit is a removal`() throws {
    let difference = try #require(told { people[0].set(Age(value: 99)) }.first)
    #expect(difference.removals == [.init(offset: 0, entity: people[0])])
    #expect(difference.insertions == [.init(offset: 2, entity: people[3])])
    #expect(difference.moves.isEmpty)
  }

  @Test func `Moves and updates before the limit are reported as usual`() throws {
    let move = try #require(told { people[0].set(Age(value: 15)) }.first)
    #expect(move.updates.isEmpty && move.removals.isEmpty && move.insertions.isEmpty)
    #expect(move.moves == [.init(from: 0, to: 1, entity: people[0])])
    let update = try #require(told { people[2].set(Age(value: 21)) }.first)
    #expect(update.updates == [.init(offset: 2, entity: people[2])])
  }

  @Test func `Nothing is notified of changes past the limit`() {
    #expect(
      told {
        people[4].set(Age(value: 41))
        people[5].destroy()
        context.createEntity(with: Age(value: 70))
      }.isEmpty)
  }

  @Test func `Only those are insertions that an initial observer can see`() {
    let told = Recorder<LiveViewDifference>()
    let token = youngest.observe(initial: true) { told.append($0.difference) }
    #expect(told.items.map { $0.insertions.map(\.entity) } == [Array(people[0..<3])])
    withExtendedLifetime(token) {}
  }

  @Test func `A limit below zero stops with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Context().group(Age.matcher).limited(to: -1)
    }
    #expect(stopped(result, saying: "limited to -1 entities"))
  }
}
