import Dispatch
import ECS
import ECSTestSupport
import Testing

/// That these compile without warnings is what is tested; that they run is a bonus.
@Suite(.noHangs) struct IsolationTests {
  @MainActor final class Display: @MainActor ReactiveSystem {
    let collector: Collector
    var shown = 0

    init(_ context: Context) { collector = context.collector(for: Position.matcher) }

    func execute(entities: EntitySet) {
      MainActor.preconditionIsolated()
      shown += entities.count
    }
  }

  final class Total: ReactiveSystem {
    let collector: Collector
    private let journal: Recorder<String>
    private var sum: Float = 0

    init(_ context: Context, _ journal: Recorder<String>) {
      collector = context.collector(for: Position.matcher)
      self.journal = journal
    }

    func execute(entities: EntitySet) {
      for entity in entities { sum += entity.get(Position.self)?.x ?? 0 }
      journal.append("\(sum)")
    }
  }

  @MainActor
  @Test func `A system of the main actor runs in a loop on the main queue`() {
    let context = Context()
    let display = Display(context)
    let loop = ReactiveLoop(ctx: context, systems: [display])
    context.createEntities(3, with: Position(x: 0, y: 0))
    loop.runUntilSettled()
    expectEqual(display.shown, 3)
  }

  @MainActor
  @Test func `A system of the main actor runs by itself`() async {
    let context = Context()
    let display = Display(context)
    let loop = ReactiveLoop(ctx: context, systems: [display])
    context.createEntities(3, with: Position(x: 0, y: 0))
    await loop.settled()
    expectEqual(display.shown, 3)
  }

  @MainActor
  @Test func `A closure of the main actor is a system of the main actor`() async {
    let context = Context()
    let display = Display(context)
    let loop = ReactiveLoop(
      ctx: context,
      systems: [
        ClosureSystem("show", collector: context.collector(for: Tag.matcher)) { entities in
          display.shown += entities.count
        }
      ])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(display.shown, 1)
  }

  @Test func `A system that is not Sendable is handed over to a background queue`() async {
    let (context, journal) = (Context(), Recorder<String>())
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "background"), delay: nil,
      systems: [Total(context, journal)])
    _ = context.createEntity(with: Position(x: 2, y: 0))
    await loop.settled()
    expectEqual(journal.take(), ["2.0"])
  }

  @MainActor
  @Test func `The main actor makes systems for a background queue`() async {
    let (context, journal) = (Context(), Recorder<String>())
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "background"),
      systems: [
        Total(context, journal),
        ClosureSystem("count", collector: context.collector(for: Position.matcher)) {
          @Sendable entities in journal.append("\(entities.count)")
        },
      ])
    loop.on(Position.matcher, name: "closure") { entities in
      dispatchPrecondition(condition: .notOnQueue(.main))
      journal.append("closure \(entities.count)")
    }
    _ = context.createEntity(with: Position(x: 2, y: 0))
    await loop.settled()
    expectEqual(journal.take(), ["2.0", "1", "closure 1"])
  }

  @MainActor
  @Test func `A plain system fits a loop on the main queue`() async {
    let (context, journal) = (Context(), Recorder<String>())
    let loop = ReactiveLoop(
      ctx: context, queue: .main, delay: nil, systems: [Total(context, journal)])
    _ = context.createEntity(with: Position(x: 2, y: 0))
    await loop.settled()
    expectEqual(journal.take(), ["2.0"])
  }

  @Test func `A loop that is run by hand calls closures that change local variables`() {
    let context = Context()
    var sum = 0
    let loop = Loop(
      name: "local",
      systems: [
        ClosureSystem("sum", collector: context.collector(for: Tag.matcher)) { sum += $0.count }
      ])
    context.createEntities(3, with: Tag())
    loop.execute()
    expectEqual(sum, 3)
  }
}
