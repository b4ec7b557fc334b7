import ECS
import ECSTestSupport
import Testing

private struct Seat: Component, Equatable {
  var rank: Int
  var label: String?
}
private struct Score: Component { var points: Int }
private enum Sits: Relation { typealias Value = Seat }
private enum Owns: ToOneRelation { typealias Value = Seat }
private enum Leads: OneToOneRelation { typealias Value = Seat }
private enum Under: Hierarchy { typealias Value = Seat }
private struct Refused: Error {}

/// Views of related entities that are filtered and sorted by the values of links.
@Suite(.noHangs) struct ValueViewTests {
  let context = Context()
  let team: Entity
  let people: [Entity]

  /// Three entities, which are linked to another one with the ranks 3, 1 and 2.
  init() {
    let context = context
    let team = context.createEntity()
    self.team = team
    people = [3, 1, 2].map { rank in
      context.createEntity(with: Score(points: rank * 10))
        .relate(Sits.self, to: team, Seat(rank: rank))
    }
  }

  private var sitting: RelatedEntities<Sits> { team.sources(Sits.self) }

  private func setRank(_ number: Int, _ rank: Int, _ label: String? = nil) {
    people[number].relate(Sits.self, to: team, Seat(rank: rank, label: label))
  }

  /// What a view shows before it is started, and at work with and without observers.
  private func check(
    _ view: @autoclosure () -> LiveView, _ body: (_ expect: ([Int]) -> Void) -> Void
  ) {
    let (idle, started, observed) = (view(), view().start(), view())
    let told = Recorder<LiveViewDifference>()
    let token = observed.observe(initial: true) { told.append($0.difference) }
    var copy: [Entity] = []
    body { expected in
      let expected = expected.map { people[$0] }
      expectTrue(Array(idle) == expected && idle.count == expected.count)
      expectEqual(Array(started), expected)
      expectEqual(Array(observed), expected)
      for person in people {
        let isShown = expected.contains(person)
        expectTrue(idle.contains(person) == isShown && started.contains(person) == isShown)
      }
      for difference in told.take() { expectTrue(difference.apply(to: &copy)) }
      expectEqual(copy, expected)
    }
    token.cancel()
  }

  // MARK: Filters and keys

  @Test func `it shows those whose value passes, in the order of links`() {
    check(sitting.filtered(byValue: Sits.self) { $0.rank > 1 }) { expect in
      expect([0, 2])
      setRank(1, 5)
      expect([0, 1, 2])
      setRank(0, 0)
      expect([1, 2])
      people[2].update(Sits.self, to: team) { $0.rank = 1 }
      expect([1])
      sitting.insert(people[2], Seat(rank: 4), at: 0)
      expect([2, 1])
      people[1].unrelate(Sits.self)
      expect([2])
    }
  }

  @Test func `it is sorted by values, and those that are equal come in the order of links`() {
    check(sitting.sorted(by: \.rank, ofValue: Sits.self)) { expect in
      expect([1, 2, 0])
      setRank(0, 1)
      expect([0, 1, 2])
      sitting.move(people[0], to: 2)
      expect([1, 0, 2])
      setRank(2, 0)
      expect([2, 1, 0])
      people[1].unrelate(Sits.self)
      people[1].relate(Sits.self, to: team, Seat(rank: 9))
      expect([2, 0, 1])
      sitting.sort(byValue: { $0.rank > $1.rank })
      expect([2, 0, 1])
    }
    check(sitting.sorted(by: \.rank, ofValue: Sits.self, .descending)) { expect in
      expect([1, 0, 2])
    }
  }

  @Test func `values that have no key come last`() {
    check(
      sitting.sorted(by: \.label, ofValue: Sits.self, .descending).then(
        by: \.rank, ofValue: Sits.self)
    ) { expect in
      expect([1, 2, 0])
      setRank(0, 3, "a")
      expect([0, 1, 2])
      setRank(2, 2, "b")
      expect([2, 0, 1])
      setRank(1, 1, "b")
      expect([1, 2, 0])
      setRank(2, 2)
      expect([1, 0, 2])
    }
  }

  @Test func `filters and keys of values and of components go together`() {
    let scored = context.group(Score.matcher)
    let view = {
      scored.related(Sits.self, to: team)
        .filtered { (score: Score) in score.points > 10 }
        .sorted(by: \Score.points, .descending)
        .filtered(byValue: Sits.self) { $0.rank < 5 }
        .sorted(by: \.label, ofValue: Sits.self)
        .limited(to: 2)
    }
    check(view()) { expect in
      expect([0, 2])
      setRank(2, 2, "z")
      expect([2, 0])
      setRank(1, 1, "a")
      expect([2, 0])
      people[1].set(Score(points: 11))
      expect([1, 2])
      setRank(1, 5, "a")
      expect([2, 0])
      people[2].remove(Score.self)
      expect([0])
      setRank(1, 4)
      expect([0, 1])
    }
  }

  @Test func `the value is a further key, and one that may be missing`() {
    for person in people { person.set(Score(points: 7)) }
    check(sitting.sorted(by: \Score.points).then(by: \.label, ofValue: Sits.self)) { expect in
      expect([0, 1, 2])
      setRank(2, 0, "b")
      setRank(1, 0, "c")
      expect([2, 1, 0])
      people[0].set(Score(points: 6))
      expect([0, 2, 1])
    }
  }

  @Test func `sections divide by values`() {
    let view = sitting.sorted(by: \.rank, ofValue: Sits.self).start()
    func ranks() -> [[Int?]] {
      let sections = view.sections(by: { $0.rank / 2 }, ofValue: Sits.self)
      return sections.map { [$0.key, $0.positions.count] }
    }
    expectEqual(ranks(), [[0, 1], [1, 2]])
    setRank(1, 7)
    expectEqual(ranks(), [[1, 2], [3, 1]])
  }

  // MARK: Relations

  @Test func `targets have views as sources have, and an entity may be linked to itself`() {
    let one = people[0]
    let view = one.targets(Sits.self).sorted(by: \.rank, ofValue: Sits.self, .descending).start()
    one.relate(Sits.self, to: people[1], Seat(rank: 1))
    one.relate(Sits.self, to: one, Seat(rank: 2))
    expectEqual(Array(view), [team, one, people[1]])
    one.relate(Sits.self, to: one, Seat(rank: 0))
    people[1].sources(Sits.self).insert(one, Seat(rank: 9))
    expectEqual(Array(view), [people[1], team, one])
    // A link that leads the other way has a value of its own.
    people[1].relate(Sits.self, to: one, Seat(rank: -1))
    expectEqual(Array(view), [people[1], team, one])
    let sources = one.sources(Sits.self).filtered(byValue: Sits.self) { $0.rank < 0 }
    expectEqual(Array(sources), [people[1]])
  }

  @Test func `links to another entity have values of their own`() {
    let other = context.createEntity()
    let views = [team, other].map {
      $0.sources(Sits.self).filtered(byValue: Sits.self) { $0.rank > 2 }.start()
    }
    people[0].relate(Sits.self, to: other, Seat(rank: 1))
    people[1].relate(Sits.self, to: other, Seat(rank: 8))
    expectEqual(views.map(Array.init), [[people[0]], [people[1]]])
    people[0].relate(Sits.self, to: other, Seat(rank: 3))
    setRank(0, 0)
    expectEqual(views.map(Array.init), [[], [people[0], people[1]]])
  }

  @Test func `links to one target, of pairs and of hierarchies have values, too`() throws {
    let other = context.createEntity()
    let owned = team.sources(Owns.self).sorted(by: \.rank, ofValue: Owns.self).start()
    for (number, person) in people.enumerated() {
      person.relate(Owns.self, to: team, Seat(rank: -number))
    }
    expectEqual(Array(owned), [people[2], people[1], people[0]])
    people[1].relate(Owns.self, to: other, Seat(rank: 0))
    people[2].relate(Owns.self, to: team, Seat(rank: 1))
    expectEqual(Array(owned), [people[0], people[2]])

    let led = people[0].targets(Leads.self).filtered(byValue: Leads.self) { $0.rank > 0 }.start()
    people[0].relate(Leads.self, to: team, Seat(rank: 1))
    expectEqual(Array(led), [team])
    people[0].relate(Leads.self, to: other, Seat(rank: 0))
    expectTrue(led.isEmpty)
    people[1].relate(Leads.self, to: other, Seat(rank: 1))
    expectTrue(led.isEmpty && people[1].target(Leads.self) == other)

    let below = team.sources(Under.self).sorted(by: \.rank, ofValue: Under.self).start()
    try people[0].setParent(team, in: Under.self, Seat(rank: 1))
    try people[1].setParent(team, in: Under.self, Seat(rank: 0))
    expectEqual(Array(below), [people[1], people[0]])
    try people[1].setParent(team, in: Under.self, Seat(rank: 2))
    expectEqual(Array(below), [people[0], people[1]])
  }

  // MARK: Observers

  @Test func `observers are called once, with the difference that remains`() throws {
    let view = sitting.filtered(byValue: Sits.self) { $0.rank > 0 }.sorted(
      by: \.rank, ofValue: Sits.self)
    let told = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { told.append($0.difference) }
    context.perform {
      setRank(0, 0)
      setRank(1, 9)
      setRank(1, 8)
      expectEqual(Array(view), [people[2], people[1]])
      setRank(2, 0)
      setRank(2, 2)
    }
    let change = try #require(told.take().first)
    expectEqual(change.removals.map(\.entity), [people[0]])
    expectTrue(change.insertions.isEmpty)
    let kept = change.moves.map(\.entity) + change.updates.map(\.entity)
    expectEqual(Set(kept), [people[1], people[2]])
    // An equal value is a new one.
    setRank(2, 2)
    expectEqual(told.take().map(\.updates), [[.init(offset: 0, entity: people[2])]])
    // Neither before nor after.
    setRank(0, -1)
    expectEqual(told.count, 0)
    withExtendedLifetime(token) {}
  }

  @Test func `views that read no values are notified of none`() {
    let scored = context.group(Score.matcher)
    let views = [
      sitting.view(), sitting.sorted(by: \Score.points), sitting.view(in: scored),
      scored.filtered(byLink: Sits.self), people[0].targets(Sits.self).view(),
    ]
    let reading = sitting.sorted(by: \.rank, ofValue: Sits.self)
    let told = Recorder<Int>()
    let tokens = (views + [reading]).enumerated().map { number, view in
      view.observe(initial: false) { _ in told.append(number) }
    }
    setRank(0, 7)
    expectEqual(told.take(), [5])
    tokens[5].cancel()
    setRank(0, 8)
    expectEqual(told.count, 0)
    withExtendedLifetime(tokens) {}
  }

  @Test func `a collector gets what comes, changes and leaves by its value`() {
    let view = sitting.filtered(byValue: Sits.self) { $0.rank > 1 }
    let kinds: [ChangeKinds] = [.added, .updated, .removed]
    let collectors = kinds.map { view.collector(type: $0) }
    func drained() -> [[Entity]] { collectors.map { Array($0.drain()) } }
    setRank(1, 2)
    expectEqual(drained(), [[people[1]], [], []])
    setRank(1, 3)
    expectEqual(drained(), [[], [people[1]], []])
    setRank(1, 0)
    expectEqual(drained(), [[], [], [people[1]]])
    context.perform {
      setRank(1, 5)
      setRank(1, 0)
    }
    try? context.transaction {
      setRank(0, 0)
      throw Refused()
    }
    expectEqual(drained(), [[], [], []])
  }

  // MARK: Transactions and waiting changes

  @Test func `it is exact inside of a transaction, and as before when that is taken back`() {
    let view = {
      sitting.filtered(byValue: Sits.self) { $0.rank > 0 }.sorted(by: \.rank, ofValue: Sits.self)
    }
    check(view()) { expect in
      expect([1, 2, 0])
      let idle = view()
      let observed = view()
      let told = Recorder<LiveViewDifference>()
      let token = observed.observe(initial: false) { told.append($0.difference) }
      try? context.transaction {
        setRank(0, 0)
        setRank(1, 4)
        people[2].unrelate(Sits.self)
        expectTrue(Array(idle) == [people[1]] && Array(observed) == [people[1]])
        try? context.transaction {
          people[2].relate(Sits.self, to: team, Seat(rank: 9))
          setRank(2, 3)
          people[1].destroy()
          let new = context.createEntity().relate(Sits.self, to: team, Seat(rank: 1))
          new.relate(Sits.self, to: team, Seat(rank: 5))
          expectTrue(Array(idle) == [people[2], new] && Array(observed) == [people[2], new])
          throw Refused()
        }
        expectTrue(Array(idle) == [people[1]] && Array(observed) == [people[1]])
        setRank(0, 7)
        expectEqual(Array(idle), [people[1], people[0]])
        throw Refused()
      }
      expect([1, 2, 0])
      expectEqual(told.count, 0)
      context.transaction {
        setRank(0, 0)
        setRank(1, 4)
        try? context.transaction {
          setRank(0, 5)
          throw Refused()
        }
      }
      expect([2, 1])
      expectEqual(told.count, 1)
      token.cancel()
    }
  }

  @Test func `it ends with its owner, and goes on if that is taken back`() {
    let view = sitting.sorted(by: \.rank, ofValue: Sits.self)
    let told = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { told.append($0.difference) }
    try? context.transaction {
      setRank(0, 0)
      team.destroy()
      expectTrue(view.isEmpty)
      throw Refused()
    }
    expectEqual(told.count, 0)
    setRank(0, 0)
    expectEqual(Array(view), [people[0], people[1], people[2]])
    expectEqual(told.take().map(\.moves.count), [1])
    team.destroy()
    expectTrue(view.isEmpty && !token.isActive)
    // Another entity in the same slot is another one.
    let next = context.createEntity()
    people[0].relate(Sits.self, to: next, Seat(rank: 1))
    people[0].relate(Sits.self, to: next, Seat(rank: 2))
    expectTrue(view.isEmpty)
  }

  @Test func `what waits for the end of an iteration comes then`() {
    check(
      sitting.filtered(byValue: Sits.self) { $0.rank > 1 }.sorted(by: \.rank, ofValue: Sits.self)
    ) { expect in
      context.group(Score.matcher).withEach { (entity, _: Score) in
        entity.update(Sits.self, to: team) { $0.rank = 4 - $0.rank }
        entity.update(Sits.self, to: team) { $0.rank *= 2 }
      }
      expect([0, 2, 1])
    }
  }

  @Test func `copies come with their values`() throws {
    let view = sitting.sorted(by: \.rank, ofValue: Sits.self).start()
    let copy = try people[2].clone()
    expectEqual(Array(view), [people[1], people[2], copy, people[0]])
  }

  @Test func `readers beside others find values`() {
    let idle = sitting.filtered(byValue: Sits.self) { $0.rank > 1 }.sorted(
      by: \.rank, ofValue: Sits.self)
    context.reading {
      expectTrue(Array(idle) == [people[2], people[0]] && idle.contains(people[0]))
      expectEqual(idle.sections(by: \.rank, ofValue: Sits.self).map(\.key), [2, 3])
    }
  }
}
