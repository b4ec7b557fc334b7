#if Tracing
  import ECS
  import ECSInstrumentation
  import ECSTestSupport
  import InMemoryTracing
  import Testing
  import Tracing

  @Suite(.noHangs) struct TracingTests {
    private let tracer = InMemoryTracer()

    private func spans(named name: String) -> [FinishedInMemorySpan] {
      tracer.finishedSpans.filter { $0.operationName == name }
    }

    @Test func `a pass has the runs of its systems, which have what they begin`() async throws {
      let tracer = tracer
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.on(Order.matcher, name: "Ask") { _ in
        tracer.withAnySpan("query", ofKind: .client) { _ in }
      }
      shop.loop.instrument(.tracing(tracer))
      shop.context.createEntities(2, with: Order())
      await shop.loop.settled()
      let pass = try #require(spans(named: "pass").first)
      let runs = spans(named: "run")
      expectEqual(runs.map { $0.parentSpanID }, [pass.spanID, pass.spanID])
      expectEqual(runs.map { $0.attributes.get("ecs.system") }, [.string("Count"), .string("Ask")])
      expectTrue(runs.allSatisfy { $0.attributes.get("ecs.loop") == .string("shop") })
      expectTrue(runs.allSatisfy { $0.attributes.get("ecs.entities") == .int64(2) })
      let query = try #require(spans(named: "query").first)
      expectEqual(query.parentSpanID, runs[1].spanID)
      expectEqual(query.traceID, pass.traceID)
    }

    @Test func `what a system throws is in its span`() async throws {
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.instrument(.tracing(tracer))
      shop.context.createEntity(with: Order(quantity: 0))
      await shop.loop.settled()
      let run = try #require(spans(named: "run").first)
      expectEqual(run.errors.count, 1)
      expectTrue(run.errors.first?.error is NoStock)
      expectEqual(run.status?.code, .error)
      expectEqual(spans(named: "pass").first?.errors.isEmpty, true)
    }

    @Test func `a work is a child of the run that began it, and has what it awaits`() async throws {
      let tracer = tracer
      let shop = TestLoop()
      shop.loop.onAsync(Order.matcher, name: "Pay", limit: 4) { order in
        guard order.get(Order.self)?.quantity != 0 else { throw NoStock() }
        await tracer.withAnySpan("charge", ofKind: .client) { _ in await Task.yield() }
        return { order.set(Paid()) }
      }
      shop.loop.instrument(.tracing(tracer))
      let order = shop.context.createEntity(with: Order())
      await shop.loop.settled()
      expectTrue(order.has(Paid.self))
      let run = try #require(spans(named: "run").first)
      let work = try #require(spans(named: "work").first)
      expectEqual(work.parentSpanID, run.spanID)
      expectEqual(work.attributes.get("ecs.system"), .string("Pay"))
      expectEqual(spans(named: "charge").first?.parentSpanID, work.spanID)
      shop.context.createEntity(with: Order(quantity: 0))
      await shop.loop.settled()
      let failed = try #require(spans(named: "work").last)
      expectEqual(failed.errors.count, 1)
      expectEqual(failed.status?.code, .error)
    }

    @Test func `a work that had to wait has no parent`() async {
      let shop = TestLoop()
      shop.loop.onAsync(Order.matcher, name: "Pay", limit: 1) { order in
        await Task.yield()
        return { order.set(Paid()) }
      }
      shop.loop.instrument(.tracing(tracer))
      shop.context.createEntities(3, with: Order())
      await shop.loop.settled()
      let works = spans(named: "work")
      expectEqual(works.count, 3)
      let run = spans(named: "run").first?.spanID
      expectEqual(works.filter { $0.parentSpanID == run }.count, 1)
      expectEqual(works.filter { $0.parentSpanID == nil }.count, 2)
    }

    @Test func `a work that ends with its loop is no error`() async throws {
      let shop = TestLoop()
      let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
      shop.loop.onAsync(Order.matcher, name: "Pay", limit: 1) { _ in
        beginning.yield()
        try await Task.sleep(for: .seconds(60))
        return {}
      }
      shop.loop.instrument(.tracing(tracer))
      shop.context.createEntity(with: Order())
      for await _ in beginnings { break }
      shop.loop.cancel()
      while !tracer.activeSpans.isEmpty { await Task.yield() }
      let work = try #require(spans(named: "work").first)
      expectTrue(work.errors.isEmpty && work.status == nil)
    }

    @Test func `all spans have ended when the loop has`() async {
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.instrument(.tracing(tracer))
      shop.loop.instrument(.tracing(tracer))
      shop.context.createEntity(with: Order())
      await shop.loop.settled()
      shop.loop.cancel()
      await shop.loop.settled()
      expectTrue(tracer.activeSpans.isEmpty)
      expectEqual(tracer.finishedSpans.count, 2)
    }
  }
#endif
