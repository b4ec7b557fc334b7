import ECS
import ECSTestSupport
import Testing

/// Sections that only read.
@Suite struct ReadingTests {
  struct Team: Component {
    var name: String
  }

  struct Score: Component {
    var points: Int
  }

  /// A key that the standard library doesn't compare.
  struct Initial: Hashable, Comparable {
    let character: Character

    static func < (left: Initial, right: Initial) -> Bool { left.character < right.character }
  }

  struct Label: Component {
    var text: String
  }

  struct Settings: UniqueComponent {
    var level: Int
  }

  /// A context with everything that can be read.
  final class World: Sendable {
    let context = Context()
    let scored: Group
    let byTeam: Index<String>
    let byInitial: Index<Initial>
    let byName: PrimaryIndex<Label, String>
    let byPoints: OrderedIndex<Int>
    let total: Aggregate<String, Int>
    let byParent: Aggregate<Entity, Int>
    let view: LiveView
    let collector: Collector

    init() {
      scored = context.group(Score.matcher)
      byTeam = context.index { (team: Team) in team.name }
      byInitial = context.index { (team: Team) in Initial(character: team.name.first ?? "-") }
      byName = context.primaryIndex { (name: Label) in name.text }
      byPoints = context.orderedIndex { (score: Score) in score.points }
      total = context.sum(
        of: { (name: Label) in name.text.count }, by: { String($0.text.prefix(1)) })
      byParent = context.sum(of: \Score.points, byTarget: ChildOf.self)
      view = scored.filtered { (score: Score) in score.points > 1 }
        .sorted(by: \Score.points, .descending)
      collector = context.collector(for: Score.matcher)
      let parent = context.createEntity(with: Settings(level: 3), Label(text: "parent"))
      for number in 0..<12 {
        let entity = context.createEntity(
          with: Team(name: ["red", "green", "rose", "lone"][number % 4]), Score(points: number),
          Label(text: "\(number)"))
        parent.children.insert(entity)
      }
      for entity in context.entities() where entity.get(Team.self)?.name == "lone" {
        if entity.get(Score.self)?.points != 3 { entity.remove(Team.self) }
      }
    }

    /// All that reads, as text.
    func readings() -> [String] {
      var found: [String] = []
      func note(_ value: Any) { found.append("\(value)") }
      func note(_ entity: Entity?) { found.append(entity?.get(Label.self)?.text ?? "nil") }
      func note(all entities: some Sequence<Entity>) { for entity in entities { note(entity) } }
      note(context.count)
      note(context.uniqueComponent(Settings.self)?.level ?? -1)
      note(context.hasUniqueComponent(Settings.self))
      note(context.uniqueEntity(Settings.self))
      note(context.uniqueEntity(Matcher(all: [Settings.cid])))
      note(all: context.entities())
      note(context.statistics.entities)
      note(context.description)
      readGroups(note, note, note(all:))
      readKeys(note, note, note(all:))
      readViews(note, note, note(all:))
      readRelated(note, note, note(all:))
      return found
    }

    private func readGroups(
      _ note: (Any) -> Void, _ noteEntity: (Entity?) -> Void, _ noteAll: ([Entity]) -> Void
    ) {
      note(scored.count)
      note(scored.isEmpty)
      noteEntity(scored.first)
      noteAll(Array(scored))
      noteAll(scored.sorted())
      noteAll(
        scored.sorted(forObject: self) {
          ($0.get(Score.self)?.points ?? 0) > ($1.get(Score.self)?.points ?? 0)
        })
      scored.withEach { (entity, score: Score, team: Team?) in
        note(score.points)
        note(team?.name ?? "none")
        note(scored.contains(entity))
        note(Score.matcher.matches(entity))
        note(entity.components().count)
        note(entity.isEmpty)
        note(entity.has(Team.self))
        note(entity.description)
        note(entity.creationNumber ?? 0)
        note(entity.context === context)
      }
      context.withEach { (_, score: Score, name: Label) in note("\(name.text) \(score.points)") }
      scored.sorted().withEach { (entity, score: Score, team: Team) in
        note("\(score.points) \(team.name)")
      }
      scored.withChunks { (chunk, scores: Span<Score>) in note(chunk.count + scores.count) }
      scored.withChunksInParallel { (chunk, scores: Span<Score>) in _ = chunk.count + scores.count }
      noteEntity(scored.firstNonNil { (entity, score: Score) in score.points > 4 ? entity : nil })
      note(context.group(Matcher(all: [Team.cid], none: [Settings.cid])).count)
      note(collector.count)
      note(collector.isEmpty)
    }

    private func readKeys(
      _ note: (Any) -> Void, _ noteEntity: (Entity?) -> Void, _ noteAll: ([Entity]) -> Void
    ) {
      for key in ["red", "lone", "none", "1", "p"] {
        note(byTeam.count(for: key))
        noteEntity(byTeam.first(for: key))
        noteAll(Array(byTeam[key]))
        let initial = Initial(character: key.first ?? "-")
        note(byInitial.count(for: initial))
        noteAll(Array(byInitial[initial]))
        note(total[key] ?? -1)
        note(total.count(for: key))
      }
      note(byTeam.keyCount)
      note(byTeam.keys.sorted())
      note(byInitial.keys.sorted())
      noteEntity(byName["7"])
      note(byName.count)
      note(byName.keys.sorted())
      note(byName["7"].flatMap { byName.key(of: $0) } ?? "nil")
      noteAll(Array(byPoints[3..<6]))
      note(byPoints.count)
      note(byPoints.keys)
      note(byPoints.min ?? -1)
      noteEntity(byPoints.entity(at: 2))
      note(total.total ?? -1)
      note(total.sorted().map { "\($0.key) \($0.value)" })
      note(total.keyCount)
    }

    private func readViews(
      _ note: (Any) -> Void, _ noteEntity: (Entity?) -> Void, _ noteAll: ([Entity]) -> Void
    ) {
      let other = scored.filtered { (score: Score) in score.points % 2 == 0 }
        .sorted(by: \Score.points)
      let families = context.group(Label.matcher).sorted(by: byParent)
      for view in [view, other, byPoints.view, families] {
        note(view.count)
        note(view.isStarted)
        noteEntity(view.first)
        noteEntity(view.last)
        noteEntity(view[2])
        noteAll(Array(view[1..<4]))
        noteAll(Array(view))
        noteAll(Array(view.entities()))
        note(view.first.map { view.contains($0) } ?? false)
        note(view.last.flatMap { view.position(of: $0) } ?? -1)
        note(view.sections { (score: Score) in score.points / 4 }.count)
      }
    }

    private func readRelated(
      _ note: (Any) -> Void, _ noteEntity: (Entity?) -> Void, _ noteAll: ([Entity]) -> Void
    ) {
      guard let parent = context.uniqueEntity(Settings.self), let child = scored.first else {
        return note("no parent")
      }
      noteEntity(child.parent)
      note(parent.children.count)
      noteEntity(parent.children.first)
      note(parent.children.contains(child))
      noteAll(Array(parent.children))
      noteAll(Array(parent.children.entities(in: scored)))
      noteAll(Array(child.ancestors()))
      noteEntity(child.root())
      noteAll(Array(parent.descendants()))
      noteAll(Array(parent.children.coming()))
      note(child.links().count)
      note(context.linkCount(ChildOf.self))
      note(context.links(ChildOf.self).count)
      note(byParent[parent] ?? -1)
      note("\(byParent.total ?? -1) \(byParent.count) \(byParent.keyCount) \(byParent)")
      noteAll(Array(parent.children.sorted(by: \Score.points, .descending)))
    }
  }

  private func differences(_ some: [String], _ others: [String]) -> [String] {
    if some.count != others.count { return ["\(some.count) readings, and \(others.count)"] }
    return zip(some, others).filter { $0 != $1 }.map { "\($0), and \($1)" }
  }

  @Test func `Everything reads inside as it does outside`() {
    let world = World()
    // What is asked for first makes groups, which are counted.
    let first = world.context.reading { world.readings() }
    let inside = world.context.reading { world.readings() }
    expectTrue(differences(inside, world.readings()).isEmpty)
    expectEqual(differences(inside, first).count, 1)
    let deep = world.context.reading { world.context.reading { world.readings() } }
    expectTrue(differences(inside, deep).isEmpty)
    let nested = world.context.perform { world.context.reading { world.readings() } }
    expectTrue(differences(inside, nested).isEmpty)
    world.view.start()
    let started = world.context.reading { world.readings() }
    expectTrue(differences(started, world.readings()).isEmpty)
    expectEqual(differences(started, inside).count, 1)
  }

  @Test func `Everything reads inside as it does outside, while threads change something else`() {
    let world = World()
    let expected = world.readings()
    let other = world.context.createEntity(with: Health(points: 0))
    let before = world.readings()
    let done = Tally()
    let wrong = Tally()
    Threads.run(3) { thread in
      if thread == 0 {
        while done.value < 2 { other.update(Health.self) { $0.points &+= 1 } }
      } else {
        for _ in 0..<Effort.full(200, debug: 20) {
          let found = world.context.reading { world.readings() }
          // The other entity has another value each time.
          if differences(found, before).count > 1 { wrong.add() }
        }
        done.add()
      }
    }
    expectEqual(wrong.value, 0)
    expectEqual(before.count, expected.count + 1)
  }

  @Test func `A section returns what its body does, and throws what that throws`() {
    struct Failure: Error {}
    let context = Context()
    expectEqual(context.reading { 7 }, 7)
    #expect(throws: Failure.self) { try context.reading { throw Failure() } }
    // It has ended.
    expectTrue(context.createEntity(with: Score(points: 1)).isAlive)
  }

  @Test func `Code inside is in a section`() {
    let (context, other) = (Context(), Context())
    context.reading {
      expectTrue(context.isInSection)
      expectFalse(other.isInSection)
      other.reading { expectTrue(context.isInSection && other.isInSection) }
      expectFalse(other.isInSection)
      other.createEntity(with: Score(points: 1))
    }
    expectFalse(context.isInSection)
  }

  @Test func `Inside of other sections, what these have done is read`() throws {
    let context = Context()
    let entity = context.createEntity(with: Score(points: 1))
    context.perform {
      entity.set(Score(points: 2))
      expectEqual(context.reading { entity.get(Score.self)?.points }, 2)
      entity.set(Score(points: 3))
    }
    context.transaction {
      entity.set(Score(points: 4))
      expectEqual(context.reading { entity.get(Score.self)?.points }, 4)
      entity.set(Score(points: 5))
    }
    context.withEach { (entity, score: Score) in
      entity.set(Score(points: 6))
      entity.set(Team(name: "new"))
      context.reading {
        expectEqual(entity.get(Team.self)?.name, "new")
        var seen = 0
        context.withEach { (_, score: Score) in seen += score.points }
        expectEqual(seen, 5)
      }
      entity.remove(Team.self)
    }
    expectEqual(entity.get(Score.self)?.points, 6)
    expectFalse(entity.has(Team.self))
  }

  @Test func `Groups that are first asked for inside are exact ever after, and announced`() {
    let context = Context()
    let entity = context.createEntity(with: Score(points: 1))
    let created = Recorder<String>()
    let subscription = context.observeEvents { created.append("\($0)") }
    let group = context.reading {
      let group = context.group(Matcher(all: [Score.cid], none: [Team.cid]))
      expectTrue(created.take().isEmpty)
      return group
    }
    expectEqual(created.take().count, 1)
    expectTrue(context.group(Matcher(all: [Score.cid], none: [Team.cid])) === group)
    expectEqual(group.count, 1)
    entity.set(Team(name: "red"))
    expectTrue(group.isEmpty)
    context.createEntity(with: Score(points: 2))
    expectEqual(group.count, 1)
    subscription.cancel()
  }
}
