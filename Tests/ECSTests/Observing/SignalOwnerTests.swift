import ECS
import ECSTestSupport
import Testing

@Suite struct SignalOwnerTests {
  private struct Source: ChangeSource {
    let changeSignal: ChangeSignal
  }

  private struct Refusal: Error {}

  let context = Context()

  private func observe(
    _ owner: SignalOwner, _ body: @escaping @Sendable () -> Void
  ) -> Subscription {
    Source(changeSignal: owner.changeSignal).observe(initial: false) { _ in body() }
  }

  @Test func `What is announced is delivered once, when the outermost change ends`() {
    let owner = SignalOwner(in: context, name: "news")
    let calls = Recorder<Int>()
    let subscription = observe(owner) { calls.append(1) }
    context.perform {
      owner.announce()
      owner.announce()
      expectEqual(calls.count, 0)
    }
    expectEqual(calls.count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `What is announced in a transaction that is taken back is not delivered`() {
    let owner = SignalOwner(in: context, name: "news")
    let calls = Recorder<Int>()
    let subscription = observe(owner) { calls.append(1) }
    #expect(throws: Refusal.self) {
      try context.transaction {
        owner.announce()
        throw Refusal()
      }
    }
    expectEqual(calls.count, 0)
    owner.announce()
    expectEqual(calls.count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: [false, true])
  func `Those that announce in a circle are stopped and reported`(hasJournal: Bool) {
    context.maximumObserverRounds = 50
    let (first, second) = (
      SignalOwner(in: context, name: "first"), SignalOwner(in: context, name: "second")
    )
    let reports = Recorder<RunawayReport>()
    let calls = Recorder<Int>()
    let subscriptions = [
      context.observeRunaways { reports.append($0) },
      observe(first) {
        calls.append(1)
        second.announce()
      },
      observe(second) {
        calls.append(2)
        first.announce()
      },
    ]
    let journal = hasJournal ? context.journal().observe { _ in first.announce() } : nil
    context.createEntity(with: Tag())
    first.announce()
    expectTrue(context.statistics.runaways >= 1 && reports.count >= 1)
    expectTrue(Set(reports.items.flatMap(\.observers)).isSubset(of: ["first", "second"]))
    expectLessThanOrEqual(calls.count, 102)
    // The circle is over.
    let count = calls.count
    context.perform {}
    expectEqual(calls.count, count)
    withExtendedLifetime((subscriptions, journal)) {}
  }

  @Test func `Observers end with what is observed, and get nothing of the next context`() {
    var context = Context() as Context?
    var owner = context.map { SignalOwner(in: $0, name: "news") }
    let calls = Recorder<Int>()
    let subscription = owner.map { observe($0) { calls.append(1) } }
    context = nil
    let next = Context()
    owner?.announce()
    expectEqual(calls.count, 0)
    owner = nil
    next.createEntity(with: Tag())
    expectEqual(calls.count, 0)
    withExtendedLifetime(subscription) {}
  }
}
