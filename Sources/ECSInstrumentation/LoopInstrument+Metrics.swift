#if Metrics
  import Dispatch
  import ECS
  public import CoreMetrics

  extension LoopInstrument {
    /// Counts and times passes, runs and works.
    ///
    /// The labels of values are `loop`, `system` and `phase`: names that are in the program, never
    /// entities. Systems with more names than the limit have the name `other`.
    ///
    /// Handlers stay when the loop ends, as counters have to, and a loop with the same name goes on
    /// with them.
    ///
    /// - Parameters:
    ///   - prefix: What names begin with; the rest of a name follows an underscore.
    ///   - systems: How many names of systems of a loop have values of their own.
    ///   - factory: What makes handlers; by default, that of the process.
    /// - Returns: The instrument.
    public static func metrics(
      prefix: String = "ecs", systems: Int = 256,
      factory: any MetricsFactory = MetricsSystem.factory
    ) -> LoopInstrument {
      LoopInstrument(
        name: "ECSInstrumentation.metrics",
        logger: LoopMetrics(prefix: prefix, limit: systems, factory: factory))
    }
  }

  /// The values of the systems of a loop.
  private struct SystemMetrics: Sendable {
    let entities: Counter
    let errors: Counter
    let executions: CoreMetrics.Timer
    let cleanups: CoreMetrics.Timer
    let works: CoreMetrics.Timer
    let worksInFlight: Meter

    init(_ system: String, of loop: String, _ prefix: String, _ factory: any MetricsFactory) {
      let labels = [("loop", loop), ("system", system)]
      entities = Counter(
        label: "\(prefix)_system_entities_total", dimensions: labels, factory: factory)
      errors = Counter(
        label: "\(prefix)_system_errors_total", dimensions: labels, factory: factory)
      executions = CoreMetrics.Timer(
        label: "\(prefix)_system_run_duration_seconds",
        dimensions: labels + [("phase", "execute")], preferredDisplayUnit: .seconds,
        factory: factory)
      cleanups = CoreMetrics.Timer(
        label: "\(prefix)_system_run_duration_seconds",
        dimensions: labels + [("phase", "cleanup")], preferredDisplayUnit: .seconds,
        factory: factory)
      works = CoreMetrics.Timer(
        label: "\(prefix)_system_work_duration_seconds", dimensions: labels,
        preferredDisplayUnit: .seconds, factory: factory)
      worksInFlight = Meter(
        label: "\(prefix)_system_works_in_flight", dimensions: labels, factory: factory)
    }
  }

  /// The counters and timers of a loop.
  // Guarded by `guardian`.
  private final class LoopMetrics: SystemLogger, @unchecked Sendable {
    private let loop: String
    private let prefix: String
    private let limit: Int
    private let factory: any MetricsFactory
    private let passes: CoreMetrics.Timer?
    private let guardian = DispatchQueue(label: "ECSInstrumentation.metrics")

    // INVARIANT: used inside `guardian` only.
    private var systems: [String: SystemMetrics] = [:]

    init(prefix: String, limit: Int, factory: any MetricsFactory, loop: String? = nil) {
      (self.prefix, self.limit, self.factory) = (prefix, limit, factory)
      self.loop = loop ?? ""
      passes = loop.map {
        CoreMetrics.Timer(
          label: "\(prefix)_loop_pass_duration_seconds", dimensions: [("loop", $0)],
          preferredDisplayUnit: .seconds, factory: factory)
      }
    }

    func logger(ofLoop name: String) -> any SystemLogger {
      LoopMetrics(prefix: prefix, limit: limit, factory: factory, loop: name)
    }

    private func metrics(of system: String) -> SystemMetrics {
      guardian.sync {
        let name = systems[system] == nil && systems.count >= limit ? "other" : system
        if let metrics = systems[name] { return metrics }
        let metrics = SystemMetrics(name, of: loop, prefix, factory)
        systems[name] = metrics
        return metrics
      }
    }

    func pass(_ body: () -> Void) {
      let start = ContinuousClock.now
      body()
      passes?.recordNanoseconds(start.duration(to: .now).nanoseconds)
    }

    func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
      let metrics = metrics(of: name)
      if entities > 0 { metrics.entities.increment(by: entities) }
      (phase == .cleanup ? metrics.cleanups : metrics.executions).recordNanoseconds(
        time.nanoseconds)
    }

    func didFail(_ name: String, _ error: any Error) { metrics(of: name).errors.increment() }

    func work(
      _ name: String, _ body: () async throws -> @Sendable () -> Void
    ) async throws -> @Sendable () -> Void {
      let metrics = metrics(of: name)
      let start = ContinuousClock.now
      metrics.worksInFlight.increment()
      defer {
        metrics.worksInFlight.decrement()
        metrics.works.recordNanoseconds(start.duration(to: .now).nanoseconds)
      }
      return try await body()
    }
  }

  extension Duration {
    /// Whole nanoseconds, of which there are enough for 292 years.
    fileprivate var nanoseconds: Int64 {
      components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
  }
#endif
