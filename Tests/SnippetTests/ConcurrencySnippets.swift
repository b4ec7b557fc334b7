import Dispatch
import ECS
import ECSTestSupport
import Testing

/// The code of the article "Concurrency".
@Suite(.noHangs) struct ConcurrencySnippets {
  struct Balance: Component {
    var cents: Int
  }
  struct Job: Component {
    let number: Int
  }
  struct Done: Component {}
  struct Score: Component {
    var points: Int
  }
  struct Name: Component {
    var text: String
  }

  @MainActor final class Title {
    var text = ""
  }

  @MainActor final class JobList: @MainActor ReactiveSystem {
    let collector: Collector
    private(set) var finished = 0

    init(_ context: Context) {
      collector = context.collector(for: Matcher(all: [Job.cid, Done.cid]))
    }

    func execute(entities: EntitySet) {
      finished += entities.count
    }
  }

  final class Work: ReactiveSystem {
    let collector: Collector

    init(_ context: Context) { collector = context.collector(for: Job.matcher) }

    func execute(entities: EntitySet) {
      for job in entities { job.set(Done()) }
    }
  }

  @Test func `Several calls become one section`() {
    let context = Context()
    let (from, to) = (
      context.createEntity(with: Balance(cents: 500)), context.createEntity(with: Balance(cents: 0))
    )
    let wasPaid = context.perform {
      guard let cents = from.get(Balance.self)?.cents, cents >= 100 else { return false }
      from.set(Balance(cents: cents - 100))
      to.update(Balance.self) { $0.cents += 100 }
      return true
    }
    print(wasPaid)  // true
    #expect(wasPaid && to.get(Balance.self)?.cents == 100)
  }

  @Test func `Single changes are handed to a task`() async {
    var context: Context? = Context()
    guard let scores = context?.group(Score.matcher) else { return }
    let task = Task {
      var count = 0
      for await change in scores.singleChanges(.updated) {
        print(change.old(Score.self)?.points ?? 0, "->", change.new(Score.self)?.points ?? 0)
        count += 1
      }
      return count
    }
    while context?.statistics.observers == 0 { await Task.yield() }
    let player = context?.createEntity(with: Score(points: 1))
    player?.set(Score(points: 2))
    player?.set(Score(points: 3))
    context = nil
    #expect(await task.value == 2)
  }

  @Test func `A bridge of one's own feeds and ends outside of the critical section`() async {
    let context = Context()
    let player = context.createEntity(with: Name(text: "Ada"))
    let names = AsyncStream<String>(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let subscription = player.observeAfterwards {
        continuation.yield(player.get(Name.self)?.text ?? "")
      }
      continuation.onTermination = { _ in
        DispatchQueue.global().async { subscription.cancel() }
      }
    }
    player.set(Name(text: "Bob"))
    for await name in names {
      #expect(name == "Bob")
      break
    }
  }

  @Test func `Producers on many threads feed a loop`() async {
    let context = Context()
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "work"), systems: [Work(context)])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 { _ = context.createEntity(with: Job(number: thread * 100 + number)) }
    }
    await loop.settled()
    print(context.group(Done.matcher).count)  // 400
    #expect(context.group(Done.matcher).count == 400)
  }

  @MainActor
  @Test func `The main actor shows what a background queue does`() async {
    let context = Context()
    let list = JobList(context)
    let work = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "work"), systems: [Work(context)])
    let display = ReactiveLoop(ctx: context, systems: [list])

    let (title, badge) = (Title(), JobList(context))
    display.onMainActor(Done.matcher, name: "title") { done in title.text = "\(done.count) done" }
    display.addOnMainActor(badge)
    for number in 0..<10 { _ = context.createEntity(with: Job(number: number)) }
    await work.settled()
    await display.settled()
    #expect(list.finished == 10)
    #expect(badge.finished == 10)
    #expect(title.text.hasSuffix(" done"))
  }
}
