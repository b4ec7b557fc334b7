import ECS
import ECSTestSupport
import Testing

private struct Age: Component, Equatable { var value: Int }
private struct Refused: Error {}

/// A copy of what a view shows, kept by its differences alone.
// Guarded by the context: it is called in there only.
private final class Copy: @unchecked Sendable {
  private(set) var entities: [Entity] = []
  private(set) var failures = 0
  private(set) var calls = 0
  private var subscription: Subscription?
  let view: LiveView

  init(_ view: LiveView, initial: Bool = true) {
    self.view = view
    if !initial { entities = Array(view.entities()) }
    subscription = view.observe(initial: initial) { [weak self] change in self?.take(change)
    }
  }

  private func take(_ change: LiveViewChange) {
    calls += 1
    if !change.difference.apply(to: &entities) { failures += 1 }
  }

  /// Whether it equals the view.
  var isExact: Bool { failures == 0 && entities == Array(view.entities()) }
}

/// Observers of views that begin at awkward moments.
@Suite(.noHangs) struct ViewBeginningTests {
  enum Kind: CaseIterable {
    case plain, sorted, limited, filtered, related, byTarget, ordered
  }

  let context = Context()
  let owner: Entity
  let ages: Group

  init() {
    owner = context.createEntity(with: Age(value: 100))
    ages = context.group(Age.matcher)
    for number in 0..<4 { make(number) }
  }

  @discardableResult
  private func make(_ value: Int) -> Entity {
    context.createEntity(with: Age(value: value)).relate(PartOf.self, to: owner)
  }

  private func view(_ kind: Kind) -> LiveView {
    switch kind {
    case .plain: ages.view()
    case .sorted: ages.sorted(by: \Age.value, .descending)
    case .limited: ages.sorted(by: \Age.value).limited(to: 3)
    case .filtered: ages.filtered { (age: Age) in age.value % 2 == 0 }.sorted(by: \Age.value)
    case .related: owner.sources(PartOf.self).sorted(by: \Age.value)
    case .byTarget:
      ages.filtered(byTarget: PartOf.self) { (age: Age) in age.value >= 100 }
        .sorted(by: \Age.value, ofTarget: PartOf.self)
    case .ordered: context.orderedIndex { (age: Age) in age.value }.view
    }
  }

  /// Changes all that any of the views depends on.
  private func change() {
    ages.first { $0 != owner }?.destroy()
    make(1)
    make(50)
    owner.set(Age(value: (owner.get(Age.self)?.value ?? 0) ^ 64))
    ages.first { $0 != owner }?.set(Age(value: 60)).unrelate(PartOf.self, from: owner)
  }

  private func fail(_ depth: Int, _ body: () -> Void) {
    do throws(Refused) {
      try context.transaction { () throws(Refused) in
        if depth > 1 { fail(depth - 1, body) } else { body() }
        throw Refused()
      }
    } catch {}
  }

  /// What happens in the transaction that is taken back, besides that an observer begins.
  enum Course: CaseIterable {
    case changesBefore, changesAfter, changesAround, changesOutside, nothing
  }

  @Test(arguments: Kind.allCases, Course.allCases)
  func `An observer that began in a transaction that was taken back is exact`(
    kind: Kind, course: Course
  ) {
    for depth in 1...3 {
      for (isStarted, isObserved) in [(false, false), (true, false), (true, true)] {
        let view = view(kind)
        if isStarted { view.start() }
        let other = isObserved ? Copy(view) : nil
        var copies: [Copy] = []
        context.perform {
          if course == .changesOutside { change() }
          fail(depth) {
            if [.changesBefore, .changesAround].contains(course) { change() }
            copies.append(Copy(view))
            copies.append(Copy(view, initial: false))
            if [.changesAfter, .changesAround].contains(course) { change() }
          }
          if course == .changesOutside { change() }
        }
        expectTrue((copies + [other].compactMap(\.self)).allSatisfy { $0.isExact }, "\(depth)")
        if course == .nothing {
          // Nothing was seen that is not so any more.
          expectTrue(copies.map(\.calls) == [1, 0] && [nil, 1].contains(other?.calls))
        }
        change()
        expectTrue(
          (copies + [other].compactMap(\.self)).allSatisfy { $0.isExact }, "\(depth), later")
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `Observers that come and go in transactions within each other are exact`(kind: Kind) {
    let view = view(kind)
    var (inner, outer): (Copy?, Copy?)
    context.perform {
      fail(1) {
        change()
        outer = Copy(view)
        fail(1) {
          outer = nil
          change()
          inner = Copy(view)
          change()
        }
        change()
        outer = Copy(view)
      }
      change()
    }
    expectTrue(inner?.isExact == true && outer?.isExact == true)
    change()
    expectTrue(inner?.isExact == true && outer?.isExact == true)
  }

  @Test(arguments: Kind.allCases)
  func `An observer that comes between changes gets each of them once`(kind: Kind) {
    let view = view(kind)
    let answers = Recorder<Int>()
    let context = context
    let answer = view.observe(initial: false) { [owner] _ in
      if answers.count == 3 { return }
      answers.append(1)
      context.createEntity(with: Age(value: answers.count)).relate(PartOf.self, to: owner)
    }
    var copies: [Copy] = []
    context.perform {
      make(7)
      copies = [Copy(view), Copy(view, initial: false)]
      make(8)
    }
    expectTrue(copies.allSatisfy { $0.isExact })
    change()
    expectTrue(copies.allSatisfy { $0.isExact })
    withExtendedLifetime(answer) {}
  }
}
