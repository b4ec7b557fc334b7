import ECS
import ECSTestSupport
import Testing

private struct Age: Component, Equatable { var value: Int }
private struct Score: Component { var value: Double? }

@Suite(.noHangs) struct LiveViewTests {
  let context = Context()

  private func person(_ name: String, _ age: Int) -> Entity {
    context.createEntity(with: Name(name), Age(value: age))
  }

  private func names(_ view: LiveView) -> [String] {
    view.compactMap { $0.get(Name.self)?.text }
  }

  @Test func `A filtered view shows the entities that pass, in creation order`() {
    let young = context.group(Age.matcher).filtered { (age: Age) in age.value < 20 }.start()
    let (a, b, c) = (person("a", 10), person("b", 30), person("c", 15))
    expectEqual(young.entities(), [a, c])
    b.set(Age(value: 5))
    expectEqual(young.entities(), [a, b, c])
    a.update(Age.self) { $0.value = 40 }
    c.remove(Age.self)
    expectEqual(young.entities(), [b])
    b.destroy()
    expectTrue(young.isEmpty)
  }

  @Test func `A view is exact between the changes of a section`() {
    let view = context.group(Age.matcher).sorted(by: \Age.value).start()
    context.perform {
      let (a, b) = (person("a", 2), person("b", 1))
      expectEqual(view.entities(), [b, a])
      a.set(Age(value: 0))
      expectEqual(view.first, a)
      a.destroy()
      expectEqual(view.count, 1)
    }
  }

  @Test func `A sorted view follows its key, and ties keep the order of creation`() {
    let view = context.group(Age.matcher).sorted(by: \Age.value, .descending).start()
    let people = [("a", 1), ("b", 2), ("c", 1), ("d", 2)].map { person($0.0, $0.1) }
    expectEqual(names(view), ["b", "d", "a", "c"])
    people[0].set(Age(value: 3))
    expectEqual(names(view), ["a", "b", "d", "c"])
    people[0].set(Age(value: 1))
    expectEqual(names(view), ["b", "d", "a", "c"])
  }

  @Test func `More entities than a view lists may change and end before it is looked at`() {
    let view = context.group(Age.matcher).sorted(by: \Age.value).start()
    let people = (0..<40).map { person("\($0)", $0) }
    expectEqual(view.count, 40)
    for person in people { person.update(Age.self) { $0.value = -$0.value } }
    for person in people { person.destroy() }
    expectTrue(view.isEmpty)
    let last = person("last", 1)
    expectTrue(view.first == last && view.count == 1)
  }

  @Test(arguments: [false, true])
  func `Pages of a view are as long as there are entities`(isStarted: Bool) {
    let view = context.group(Age.matcher).sorted(by: \Age.value)
    if isStarted { view.start() }
    let people = (0..<25).map { person("\($0)", 100 - $0) }
    let sorted = Array(people.reversed())
    expectEqual(Array(view[0..<10]), Array(sorted[0..<10]))
    expectEqual(Array(view[20..<40]), Array(sorted[20...]))
    expectEqual(Array(view[20...]), Array(sorted[20...]))
    expectEqual(Array(view[...3]), Array(sorted[...3]))
    expectTrue(view[5..<5].isEmpty)
    expectTrue(view[30..<40].isEmpty)
    expectTrue(view[..<(-1)].isEmpty)
    expectEqual(Array(view[...Int.max]), sorted)
    expectEqual(Array(view[0...Int.max]), sorted)
    expectTrue(view[Int.max...].isEmpty)
    expectEqual(Array(view.limited(to: 7)[5..<10]), Array(sorted[5..<7]))
    sorted[0].set(Age(value: 200))
    expectEqual(Array(view[..<1]), [sorted[1]])
    expectEqual(Array(view[24...]), [sorted[0]])
  }

  @Test func `A page that begins below 0 stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      _ = context.group(Age.matcher).view()[-1..<3]
    }
    expectTrue(stopped(result, saying: "positions begin at 0"))
  }

  @Test func `Further keys break ties`() {
    for (name, age) in [("b", 2), ("a", 2), ("c", 1)] { _ = person(name, age) }
    let group = context.group(Age.matcher)
    expectEqual(names(group.sorted(by: \Age.value).then(by: \Name.text)), ["c", "a", "b"])
    expectEqual(
      names(group.sorted(by: \Name.text).sorted(by: \Age.value, .descending)), ["a", "b", "c"])
  }

  @Test func `Filters and sorting compose in any order`() {
    for number in 0..<10 { _ = person("\(9 - number)", number) }
    let group = context.group(Age.matcher)
    let one = group.filtered { (age: Age) in age.value > 2 }.sorted(by: \Name.text)
      .filtered { (name: Name) in name.text != "3" }
    let other = group.sorted(by: \Name.text).filtered { (age: Age, name: Name) in
      age.value > 2 && name.text != "3"
    }
    expectEqual(names(one), ["0", "1", "2", "4", "5", "6"])
    expectEqual(names(other), names(one))
  }

  @Test func `Missing keys come last, in either direction`() {
    let group = context.group(Name.matcher)
    let up = group.sorted(by: \Score.value).start()
    let down = group.sorted(by: \Score.value, .descending).start()
    let all = ["a", "b", "c", "d", "e"].map { context.createEntity(with: Name($0)) }
    all[0].set(Score(value: 2))
    all[1].set(Score(value: nil))
    all[3].set(Score(value: -1))
    all[4].set(Score(value: .nan))
    expectEqual(names(up), ["d", "a", "b", "c", "e"])
    expectEqual(names(down), ["a", "d", "b", "c", "e"])
    all[2].set(Score(value: .infinity))
    expectEqual(names(up), ["d", "a", "c", "b", "e"])
    all[0].remove(Score.self)
    expectEqual(names(up), ["d", "c", "a", "b", "e"])
  }

  @Test func `Extreme numbers are in order, before missing ones`() {
    struct Number: Component { var value: Int }
    let group = context.group(Name.matcher)
    let (up, down) = (group.sorted(by: \Number.value), group.sorted(by: \Number.value, .descending))
    for (name, value) in [("max", Int.max), ("none", nil), ("min", .min), ("zero", 0)] {
      let entity = context.createEntity(with: Name(name))
      if let value { entity.set(Number(value: value)) }
    }
    expectEqual(names(up), ["min", "zero", "max", "none"])
    expectEqual(names(down), ["max", "zero", "min", "none"])
  }

  @Test func `A computed property can be sorted by`() {
    for name in ["ccc", "a", "bb"] { _ = person(name, 0) }
    expectEqual(
      names(context.group(Name.matcher).sorted(by: \Name.text.count)), ["a", "bb", "ccc"])
  }

  @Test func `A view is asked for positions, parts and members`() {
    let view = context.group(Age.matcher).sorted(by: \Age.value).start()
    let people = (0..<100).map { person("\($0)", 99 - $0) }
    expectEqual(view.count, 100)
    expectEqual(view.first(3), [people[99], people[98], people[97]])
    expectEqual(view.first(1000).count, 100)
    expectEqual(view[0], people[99])
    expectEqual(view[40], people[59])
    expectNil(view[-1])
    expectNil(view[100])
    expectEqual(view.last, people[0])
    expectEqual(view.position(of: people[30]), 69)
    people[30].destroy()
    expectNil(view.position(of: people[30]))
    expectFalse(view.contains(people[30]))
    expectTrue(view.contains(people[31]))
  }

  @Test func `A view shows what an iteration mutated`() {
    for number in 0..<5 { _ = person("\(number)", number) }
    let group = context.group(Age.matcher)
    let view = group.sorted(by: \Age.value).start()
    expectEqual(names(view), ["0", "1", "2", "3", "4"])
    group.withEach { (_: Entity, age: inout Age) in age.value *= -1 }
    expectEqual(names(view), ["4", "3", "2", "1", "0"])
  }

  @Test func `A view that an iteration makes knows the keys of entities that wait to change`() {
    struct Late: Component {}
    let people = (0..<3).map { person("\($0)", 3 - $0) }
    var view: LiveView?
    var inside: [String] = []
    context.group(Name.matcher).withEach { (_: Entity, name: Name) in
      guard view == nil else { return }
      for person in people { person.set(Late()) }
      let new = context.group(Name.matcher).sorted(by: \Age.value)
      inside = names(new)
      view = new.start()
    }
    expectEqual(inside, ["2", "1", "0"])
    expectEqual(view.map(names), ["2", "1", "0"])
  }

  @Test func `A view that outlives its context is empty`() {
    var context: Context? = Context()
    let view = context?.group(Age.matcher).sorted(by: \Age.value).start()
    let late = context?.group(Age.matcher).view()
    _ = context?.createEntity(with: Age(value: 1))
    expectEqual(view?.count, 1)
    context = nil
    let next = Context()
    _ = next.createEntity(with: Age(value: 1))
    expectEqual(view?.count, 0)
    expectNil(view?.first)
    expectEqual(late?.count, 0)
    expectEqual(late?.start().isStarted, false)
    expectEqual(view?.isStarted, false)
  }

  @Test func `A view without references stops working`() {
    for _ in 0..<3 {
      let view = context.group(Age.matcher).sorted(by: \Age.value).start()
      expectEqual(view.count, 0)
      expectEqual(context.statistics.views, 1)
    }
    let entity = person("a", 1)
    entity.set(Age(value: 2))
    expectEqual(context.statistics.views, 0)
  }

  @Test func `A filter that changes the context stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let view = context.group(Name.matcher).filtered { (_: Name) in
        context.createEntity().isAlive
      }
      .start()
      _ = context.createEntity(with: Name("a"))
      _ = view.count
    }
    expectTrue(stopped(result, saying: "change it"))
  }
}
