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

  /// The values of a system of a loop.
  private struct SystemMetrics {
    // Made at once, since a counter that begins with its first error shows no rate of it.
    let entities: Counter
    let errors: Counter

    // Made when there is something to record: most systems have not all of them.
    var executions: CoreMetrics.Timer?
    var cleanups: CoreMetrics.Timer?
    var works: CoreMetrics.Timer?
    var worksInFlight: Meter?
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

    /// Reads the values of a system, which are made if there are none yet, or adds to them.
    private func metrics<Result>(
      of system: String,
      _ body: (inout SystemMetrics, _ labels: [(String, String)]) -> Result
    ) -> Result {
      guardian.sync {
        let name = systems[system] == nil && systems.count >= limit ? "other" : system
        let labels = [("loop", loop), ("system", name)]
        func counter(_ what: String) -> Counter {
          Counter(label: "\(prefix)_system_\(what)_total", dimensions: labels, factory: factory)
        }
        var metrics =
          systems[name]
          ?? SystemMetrics(entities: counter("entities"), errors: counter("errors"))
        defer { systems[name] = metrics }
        return body(&metrics, labels)
      }
    }

    private func timer(
      _ timer: WritableKeyPath<SystemMetrics, CoreMetrics.Timer?>, _ what: String,
      of system: String, _ more: [(String, String)] = []
    ) -> CoreMetrics.Timer {
      metrics(of: system) { metrics, labels in
        let made =
          metrics[keyPath: timer]
          ?? CoreMetrics.Timer(
            label: "\(prefix)_system_\(what)_duration_seconds", dimensions: labels + more,
            preferredDisplayUnit: .seconds, factory: factory)
        metrics[keyPath: timer] = made
        return made
      }
    }

    func pass(_ body: () -> Void) {
      let start = ContinuousClock.now
      body()
      passes?.recordNanoseconds(start.duration(to: .now).nanoseconds)
    }

    func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
      let timer = timer(
        phase == .cleanup ? \.cleanups : \.executions, "run", of: name, [("phase", "\(phase)")])
      timer.recordNanoseconds(time.nanoseconds)
      if entities > 0 {
        metrics(of: name) { metrics, _ in metrics.entities }.increment(by: entities)
      }
    }

    func didFail(_ name: String, _ error: any Error) {
      metrics(of: name) { metrics, _ in metrics.errors }.increment()
    }

    func work(
      _ name: String, _ body: () async throws -> @Sendable () -> Void
    ) async throws -> @Sendable () -> Void {
      let inFlight = metrics(of: name) { metrics, labels in
        let made =
          metrics.worksInFlight
          ?? Meter(
            label: "\(prefix)_system_works_in_flight", dimensions: labels, factory: factory)
        metrics.worksInFlight = made
        return made
      }
      let time = timer(\.works, "work", of: name)
      let start = ContinuousClock.now
      inFlight.increment()
      defer {
        inFlight.decrement()
        time.recordNanoseconds(start.duration(to: .now).nanoseconds)
      }
      return try await body()
    }
  }

  extension Duration {
    /// Whole nanoseconds, at most those of 285 years: clocks of a loop may say anything.
    fileprivate var nanoseconds: Int64 {
      let seconds = max(-9_000_000_000, min(components.seconds, 9_000_000_000))
      return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
  }
#endif
