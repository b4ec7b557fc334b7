#if Metrics
  import CoreMetrics
  import ECS
  import ECSInstrumentation
  import ECSTestSupport
  import ECSTesting
  import MetricsTestKit
  import Testing

  @Suite(.noHangs) struct MetricsTests {
    private let metrics = TestMetrics()
    private let labels = [("loop", "shop"), ("system", "Count")]

    @Test func `passes, runs, entities and errors are counted`() async throws {
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.instrument(.metrics(factory: metrics))
      shop.context.createEntities(2, with: Order())
      await shop.loop.settled()
      shop.context.createEntity(with: Order(quantity: 0))
      await shop.loop.settled()
      let passes = try metrics.expectTimer("ecs_loop_pass_duration_seconds", [("loop", "shop")])
      expectEqual(passes.values.count, 2)
      let runs = try metrics.expectTimer(
        "ecs_system_run_duration_seconds", labels + [("phase", "execute")])
      expectEqual(runs.values.count, 2)
      expectTrue(runs.values.allSatisfy { $0 >= 0 && $0 < 60_000_000_000 })
      try expectEqual(metrics.expectCounter("ecs_system_entities_total", labels).totalValue, 3)
      try expectEqual(metrics.expectCounter("ecs_system_errors_total", labels).totalValue, 1)
      // No works, and no clean-ups.
      expectTrue(metrics.meters.isEmpty && metrics.timers.count == 2)
    }

    @Test func `a time of a thousand years is recorded as a long one`() throws {
      let clock = ManualClock()
      let loop = Loop(
        name: "shop",
        systems: [ClosureExecuteSystem("Wait") { clock.advance(by: .seconds(40_000_000_000)) }],
        clock: clock.clock)
      loop.instrument(.metrics(factory: metrics))
      loop.execute()
      let runs = try metrics.expectTimer(
        "ecs_system_run_duration_seconds",
        [("loop", "shop"), ("system", "Wait"), ("phase", "execute")])
      expectEqual(runs.values, [9_000_000_000_000_000_000])
    }

    @Test func `a loop that is instrumented twice counts once, with the last prefix`() async throws
    {
      let shop = TestLoop()
      shop.addCounting()
      for prefix in ["a", "b", "b"] {
        shop.loop.instrument(.metrics(prefix: prefix, factory: metrics))
      }
      shop.context.createEntity(with: Order())
      await shop.loop.settled()
      try expectEqual(metrics.expectCounter("b_system_entities_total", labels).totalValue, 1)
      #expect(throws: (any Error).self) {
        try metrics.expectCounter("a_system_entities_total", labels)
      }
    }

    @Test func `names of systems beyond the limit are one`() async throws {
      let shop = TestLoop()
      shop.loop.instrument(.metrics(systems: 2, factory: metrics))
      for number in 0..<10 { shop.addCounting(name: "System \(number)") }
      shop.context.createEntity(with: Order())
      await shop.loop.settled()
      let systems = Set(
        metrics.counters.compactMap { counter in
          counter.dimensions.first { $0.0 == "system" }?.1
        })
      expectEqual(systems, ["System 0", "System 1", "other"])
      let others = try metrics.expectCounter(
        "ecs_system_entities_total", [("loop", "shop"), ("system", "other")])
      expectEqual(others.totalValue, 8)
    }

    @Test func `works are timed, and none is in flight when the loop has ended`() async throws {
      let shop = TestLoop()
      shop.loop.instrument(.metrics(factory: metrics))
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      shop.loop.onAsync(Order.matcher, name: "Pay", limit: 1) { order in
        if order.get(Order.self)?.quantity == 0 {
          start.yield()
          try await Task.sleep(for: .seconds(600))
        }
        return { order.set(Paid()) }
      }
      shop.context.createEntity(with: Order())
      await shop.loop.settled()
      shop.context.createEntity(with: Order(quantity: 0))
      for await _ in started { break }
      let labels = [("loop", "shop"), ("system", "Pay")]
      let inFlight = try metrics.expectMeter("ecs_system_works_in_flight", labels)
      expectEqual(inFlight.values.last, 1)
      shop.loop.cancel()
      await shop.loop.settled()
      expectEqual(inFlight.values.last, 0)
      let works = try metrics.expectTimer("ecs_system_work_duration_seconds", labels)
      expectEqual(works.values.count, 2)
    }

    @Test func `a loop that is called is timed by its calls`() throws {
      let context = Context()
      let collector = context.collector(for: Order.matcher)
      let loop = Loop(name: "shop", systems: [Counting(collector)])
      loop.instrument(.metrics(factory: metrics))
      loop.initialise()
      context.createEntity(with: Order())
      loop.execute()
      loop.execute()
      loop.cleanup()
      let passes = try metrics.expectTimer("ecs_loop_pass_duration_seconds", [("loop", "shop")])
      expectEqual(passes.values.count, 2)
      try expectEqual(metrics.expectCounter("ecs_system_entities_total", labels).totalValue, 1)
    }

    @Test func `a feed says how far it is behind, what it lost, and that it has ended`()
      async throws
    {
      let context = Context()
      let journal = context.journal(of: Order.self)
      let commits = journal.commits(buffering: .bufferingNewest(2))
        .instrumented(.metrics(factory: metrics), name: "audit")
      for _ in 1...5 { context.createEntity(with: Order()) }
      for _ in 1...7 { context.createEntity(with: Paid()) }  // Of others.
      let feed = [("feed", "audit")]
      let lag = try metrics.expectGauge("ecs_feed_lag_commits", feed)
      commits.report()
      expectEqual(lag.lastValue, 2)
      var iterator = commits.makeAsyncIterator()
      _ = await iterator.next()
      expectEqual(lag.lastValue, 1)
      context.createEntity(with: Order())
      journal.finish()
      commits.report()
      expectEqual(lag.lastValue, 2)
      for _ in 1...2 { _ = await iterator.next() }
      expectEqual(lag.lastValue, 0)
      let end = await iterator.next()
      expectNil(end)
      expectEqual(lag.lastValue, 0)
      commits.report()
      expectEqual(lag.lastValue, 0)
      try expectEqual(metrics.expectCounter("ecs_feed_commits_total", feed).totalValue, 3)
      try expectEqual(metrics.expectCounter("ecs_feed_dropped_commits_total", feed).totalValue, 3)
    }

    @Test func `a back end that throws all away changes nothing`() async {
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.instrument(.metrics(factory: NOOPMetricsHandler.instance))
      shop.context.createEntity(with: Order())
      await shop.loop.settled()
      expectEqual(shop.loop.statistics.first?.entities, 1)
    }
  }

  private final class Counting: ReactiveSystem {
    let name = "Count"
    let collector: Collector

    init(_ collector: Collector) { self.collector = collector }

    func execute(entities: EntitySet) {}
  }
#endif
