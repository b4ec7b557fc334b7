#if Logging
  import ECS
  import ECSInstrumentation
  import ECSTestSupport
  import Logging
  import Testing

  @Suite(.noHangs) struct LoggingTests {
    @Test func `runs and failures are logged with the names of loop and system`() async {
      let lines = Lines()
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.instrument(.logging(lines.logger))
      shop.context.createEntities(2, with: Order(quantity: 1))
      await shop.loop.settled()
      shop.context.createEntity(with: Order(quantity: 0))
      await shop.loop.settled()
      expectEqual(
        lines.all,
        [
          "trace ran entities=2 loop=shop phase=execute system=Count",
          "error failed error=NoStock() loop=shop system=Count",
          "trace ran entities=1 loop=shop phase=execute system=Count",
        ])
    }

    @Test func `a second instrument takes the place of the first`() async {
      let (first, second) = (Lines(), Lines())
      let shop = TestLoop()
      shop.addCounting()
      shop.loop.instrument(.logging(first.logger))
      shop.loop.instrument(.logging(second.logger), .logging(second.logger))
      shop.context.createEntity(with: Order())
      await shop.loop.settled()
      expectTrue(first.all.isEmpty)
      expectEqual(second.all.count, 1)
    }

    @Test func `works are logged, and their failures`() async {
      let lines = Lines()
      let shop = TestLoop()
      shop.loop.onAsync(Order.matcher, name: "Pay", limit: 1) { order in
        guard order.get(Order.self)?.quantity != 0 else { throw NoStock() }
        return { order.set(Paid()) }
      }
      shop.loop.instrument(.logging(lines.logger))
      let order = shop.context.createEntity(with: Order())
      await shop.loop.settled()
      expectTrue(order.has(Paid.self))
      expectTrue(lines.all.contains("trace worked loop=shop system=Pay"))
      shop.context.createEntity(with: Order(quantity: 0))
      await shop.loop.settled()
      expectEqual(lines.all.last, "error failed error=NoStock() loop=shop system=Pay")
    }

    @Test func `a feed warns of commits that were dropped, and says that it has ended`() async {
      let lines = Lines()
      let context = Context()
      let journal = context.journal()
      let commits = journal.commits(buffering: .bufferingNewest(1))
        .instrumented(.logging(lines.logger), name: "audit")
      for _ in 1...3 { context.createEntity(with: Order()) }
      journal.finish()
      for await _ in commits {}
      expectEqual(
        lines.all,
        [
          "warning commits were dropped dropped=2 feed=audit lag=0",
          "debug the feed has ended dropped=0 feed=audit lag=0",
        ])
    }
  }

  /// What is logged, without times.
  private final class Lines: Sendable {
    private let lines = Recorded<String>()

    var all: [String] { lines.all }

    var logger: Logger {
      var logger = Logger(label: "test") { _ in LineHandler(lines: self.lines) }
      logger.logLevel = .trace
      return logger
    }
  }

  private struct LineHandler: LogHandler {
    let lines: Recorded<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      let words = all.filter { $0.key != "seconds" }.map { "\($0.key)=\($0.value)" }.sorted()
      lines.add((["\(event.level)", "\(event.message)"] + words).joined(separator: " "))
    }
  }
#endif
