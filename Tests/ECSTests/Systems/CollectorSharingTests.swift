import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Two systems of a loop on one collector: the second would never run, so the loop refuses it.
@Suite(.noHangs) struct CollectorSharingTests {
  private static func system(_ name: String, _ collector: Collector) -> ClosureSystem {
    ClosureSystem(name, collector: collector) { @Sendable _ in }
  }

  @Test func `A loop refuses two systems on one collector`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let collector = Context().collector(for: Tag.matcher)
      _ = Loop(name: "shop", systems: [Self.system("a", collector), Self.system("b", collector)])
    }
    expectTrue(stopped(result, saying: "Systems a and b of loop shop", "its own collector"))
  }

  @Test func `A loop refuses another system on a collector in use, even by an inner loop`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let collector = Context().collector(for: Tag.matcher)
      let inner = Loop(name: "inner", systems: [Self.system("a", collector)])
      let outer = Loop(name: "outer", systems: [inner])
      outer.add(Self.system("b", collector))
    }
    expectTrue(stopped(result, saying: "Systems a and b of loop outer"))
  }

  @Test func `A reactive loop refuses two systems on one collector`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let collector = context.collector(for: Tag.matcher)
      _ = ReactiveLoop(
        ctx: context, queue: .main,
        systems: [Self.system("a", collector), Self.system("b", collector)], name: "shop")
    }
    expectTrue(stopped(result, saying: "Systems a and b of loop shop"))
  }

  @Test func `A reactive loop refuses a further closure where it is added`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let collector = context.collector(for: Tag.matcher)
      let loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "q"), systems: [], name: "shop")
      loop.pause()
      loop.on(collector, name: "a") { _ in }
      loop.on(collector, name: "b") { _ in }
    }
    expectTrue(stopped(result, saying: "Systems a and b of loop shop"))
  }

  @Test func `Collectors of one group, triggers and other loops may be shared`() {
    struct Counting: ExecuteSystem {
      let triggers: [Collector]
      func execute() {}
    }
    let context = Context()
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(
      name: "loop",
      systems: [
        Self.system("a", collector), Self.system("b", context.collector(for: Tag.matcher)),
        Counting(triggers: [collector]), Counting(triggers: [collector]),
      ])
    expectEqual(loop.triggers.count, 4)
    expectEqual(Loop(name: "other", systems: [Self.system("c", collector)]).triggers.count, 1)
  }
}
