import ECS
import ECSTestSupport
import Testing

private struct Task: Component {
  var due: Int
  var day: Int { due / 10 }
  var optionalDay: Int? { due < 0 ? nil : due / 10 }
}
private struct Done: Component {}
private enum Within: ToOneRelation {}

/// The sections of live views.
@Suite(.noHangs) struct LiveViewSectionsTests {
  let context = Context()

  private func make(_ dues: [Int]) -> [Entity] {
    dues.map { context.createEntity(with: Task(due: $0)) }
  }

  private var view: LiveView { context.group(Task.matcher).sorted(by: \Task.due) }

  @Test(arguments: [false, true])
  func `Sections have the keys in order, and the positions of their entities`(isStarted: Bool) {
    let tasks = make([25, 3, 11, 7, 21, 19])
    let view = view
    if isStarted { view.start() }
    let sections = view.sections(by: \Task.day)
    expectEqual(sections.keys, [0, 1, 2])
    expectEqual(sections.map(\.positions), [0..<2, 2..<4, 4..<6])
    expectEqual(sections.map(\.key), [0, 1, 2])
    expectEqual(view[sections[1].positions], [tasks[2], tasks[5]])
    expectTrue(sections.count == 3 && sections.entityCount == 6)
    expectEqual(sections, view.sections { (task: Task) in task.due / 10 })
    expectEqual(view.isStarted, isStarted)
  }

  @Test func `They are those of the moment`() {
    let tasks = make([3, 11])
    let view = view.start()
    let before = view.sections(by: \Task.day)
    tasks[0].set(Task(due: 30))
    expectEqual(view.sections(by: \Task.day).keys, [1, 3])
    tasks[1].destroy()
    expectEqual(view.sections(by: \Task.day).map(\.positions), [0..<1])
    expectEqual(before.keys, [0, 1])
    tasks[0].destroy()
    expectTrue(view.sections(by: \Task.day).isEmpty)
  }

  @Test func `What has no key is a section of its own`() {
    let tasks = make([14, 3])
    tasks[1].set(Done())
    let group = context.group(Matcher(any: [Task.cid, Done.cid]))
    context.createEntity(with: Done())
    let sections = group.sorted(by: \Task.due).sections(by: \Task.day)
    expectEqual(sections.keys, [0, 1, nil])
    expectEqual(sections[2].positions, 2..<3)
    let optional = view.sections(by: \Task.optionalDay)
    expectEqual(optional.keys, [0, 1])
    tasks[0].set(Task(due: -1))
    expectEqual(view.sections(by: \Task.optionalDay).keys, [nil, 0])
  }

  @Test func `A position leads to its section and the place there`() {
    _ = make([1, 2, 3, 11, 31, 32])
    let sections = view.sections(by: \Task.day)
    let places = (-1...6).map { sections.place(of: $0).map { [$0.section, $0.offset] } }
    expectEqual(places, [nil, [0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1], nil])
    let none = context.group(Done.matcher).view().sections(by: \Task.day)
    expectTrue(none.isEmpty && none.place(of: 0) == nil)
  }

  @Test func `Only what a limited view shows is divided`() {
    _ = make([1, 2, 11, 12, 31])
    for limit in 0...6 {
      let view = view.limited(to: limit).start()
      expectEqual(view.sections(by: \Task.day).last?.positions.upperBound ?? 0, min(limit, 5))
    }
  }

  @Test func `They agree with a walk over all entities, whatever their sizes`() {
    var random = SplitMix64(seed: 1)
    let view = view.start()
    for count in [1, 2, 3, 31, 32, 33, 500] {
      _ = make((0..<count).map { _ in random.below(10 * (1 + random.below(80))) })
      let days = view.compactMap { $0.get(Task.self)?.day }
      let sections = view.sections(by: \Task.day)
      expectEqual(sections.keys, days.reduce(into: []) { if $0.last != $1 { $0.append($1) } })
      expectEqual(sections.flatMap { $0.positions.map { $0 } }, Array(days.indices))
      for section in sections {
        expectTrue(days[section.positions].allSatisfy { $0 == section.key })
      }
    }
  }

  #if !DEBUG
    @Test func `It asks for the keys of few entities`() {
      _ = make((0..<4000).map { $0 % 40 })
      let view = view.start()
      var asked = 0
      let sections = view.sections { (task: Task) in
        asked += 1
        return task.due / 10
      }
      expectEqual(sections.map(\.positions.count), [1000, 1000, 1000, 1000])
      expectLessThanOrEqual(asked, 4 * 25)
    }
  #endif

  @Test func `Entities are divided by what their targets have`() {
    let projects = ["b", "a"].map { context.createEntity(with: Name($0)) }
    let tasks = make([1, 2, 3, 4])
    for number in 0..<3 { tasks[number].relate(Within.self, to: projects[number % 2]) }
    let view = context.group(Task.matcher).sorted(by: \Name.text, ofTarget: Within.self).start()
    let sections = view.sections(by: \Name.text, ofTarget: Within.self)
    expectEqual(sections.keys, ["a", "b", nil])
    expectEqual(
      sections.map { Array(view[$0.positions]) }, [[tasks[1]], [tasks[0], tasks[2]], [tasks[3]]])
    projects[0].set(Name("a"))
    expectEqual(
      view.sections(by: \Name.text, ofTarget: Within.self).map(\.positions), [0..<3, 3..<4])
  }

  @Test func `Observers find out which sections came and went, and where entities are in them`() {
    let tasks = make([1, 11])
    let view = view
    let told = Recorder<[String]>()
    let keys = Recorder<Int?>()
    let token = view.observe(initial: true) { change in
      let sections = change.view.sections(by: \Task.day)
      let differences = sections.keys.difference(from: keys.take())
      for key in sections.keys { keys.append(key) }
      let places = change.difference.insertions.compactMap { sections.place(of: $0.offset) }
      told.append(
        differences.map {
          switch $0 {
          case .insert(let number, let key, _): "+\(number): \(key ?? -1)"
          case .remove(let number, let key, _): "-\(number): \(key ?? -1)"
          }
        } + places.map { "\($0.section).\($0.offset)" })
    }
    expectEqual(told.take(), [["+0: 0", "+1: 1", "0.0", "1.0"]])
    _ = context.perform { make([12, 25]) }
    expectEqual(told.take(), [["+2: 2", "1.1", "2.0"]])
    tasks[0].destroy()
    expectEqual(told.take().last, ["-0: 0"])
    token.cancel()
  }

  @Test func `A key that is not equal to itself is none`() {
    struct Score: Component { var points: Double }
    for points in [2, .nan, 1, .nan] { context.createEntity(with: Score(points: points)) }
    let sections = context.group(Score.matcher).sorted(by: \Score.points)
      .sections(by: \Score.points)
    expectEqual(sections.keys, [1, 2, nil])
    expectEqual(sections[2].positions, 2..<4)
  }

  @Test func `An iteration that changes what a view is sorted by may divide it`() {
    let tasks = make([5, 15, 25])
    let view = view.start()
    for task in tasks { task.set(Done()) }
    context.group(Done.matcher).withEach { (entity: Entity, _: Done) in
      guard entity == tasks[0] else { return }
      entity.set(Task(due: 35))
      expectEqual(view.sections(by: \Task.day).entityCount, 3)
    }
    expectEqual(view.sections(by: \Task.day).keys, [1, 2, 3])
  }

  @Test func `A key must not change the context`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Task(due: 1))
      let view = context.group(Task.matcher).view()
      _ = view.sections { (task: Task) in
        entity.set(Done())
        return task.due
      }
    }
    expectTrue(stopped(result, saying: "The sort key of a live view"))
  }

  #if DEBUG
    @Test func `Entities of a section that are apart stop builds for debugging`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let context = Context()
        for due in [1, 11, 2] { context.createEntity(with: Task(due: due)) }
        _ = context.group(Task.matcher).view().sections(by: \Task.day)
      }
      expectTrue(failedAssertion(result, saying: "do not follow each other: sort the view"))
    }
  #else
    @Test func `Of entities that are apart, sections cover all positions`() {
      _ = make([1, 11, 2, 12, 25, 3])
      let sections = context.group(Task.matcher).view().sections(by: \Task.day)
      expectEqual(sections.flatMap { $0.positions.map { $0 } }, Array(0..<6))
    }
  #endif
}
