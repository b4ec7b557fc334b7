#if Tracing
  import Dispatch
  import ECS
  public import Tracing

  extension LoopInstrument {
    /// Makes a span of each pass, of each run of a system in it, and of each work.
    ///
    /// The spans are called `pass`, `run` and `work`, and have the attributes `ecs.loop`,
    /// `ecs.system`, `ecs.phase` and `ecs.entities`. They are `ServiceContext.current` for what
    /// systems do, so spans that a system begins are their children. A work is a child of the run
    /// that began it; one that had to wait has no parent.
    ///
    /// - Parameter tracer: What makes spans; by default, that of the process at the time.
    /// - Returns: The instrument.
    public static func tracing(_ tracer: (any Tracer)? = nil) -> LoopInstrument {
      LoopInstrument(
        name: "ECSInstrumentation.tracing", logger: LoopTracer(tracer: tracer, loop: ""))
    }
  }

  /// The maker of the spans of a loop.
  // Guarded by `guardian`.
  private final class LoopTracer: SystemLogger, @unchecked Sendable {
    private let tracer: (any Tracer)?
    private let loop: String
    private let guardian = DispatchQueue(label: "ECSInstrumentation.tracing")

    // INVARIANT: used inside `guardian` only.
    /// The spans of the runs that are under way, one inside the other.
    private var runs: [any Span] = []

    init(tracer: (any Tracer)?, loop: String) {
      (self.tracer, self.loop) = (tracer, loop)
    }

    func logger(ofLoop name: String) -> any SystemLogger { LoopTracer(tracer: tracer, loop: name) }

    private var current: any Tracer { tracer ?? InstrumentationSystem.tracer }

    func pass(_ body: () -> Void) {
      current.withAnySpan("pass", ofKind: .internal) { span in
        span.attributes["ecs.loop"] = loop
        body()
      }
    }

    func run(_ name: String, in phase: LoopFailure.Phase, entities: Int, _ body: () -> Void) {
      current.withAnySpan("run", ofKind: .internal) { span in
        span.attributes["ecs.loop"] = loop
        span.attributes["ecs.system"] = name
        span.attributes["ecs.phase"] = "\(phase)"
        span.attributes["ecs.entities"] = entities
        guardian.sync { runs.append(span) }
        defer { _ = guardian.sync { runs.removeLast() } }
        body()
      }
    }

    func didFail(_ name: String, _ error: any Error) {
      // A work that threw has said so in its own span.
      guard let span = guardian.sync(execute: { runs.last }) else { return }
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
    }

    func work(
      _ name: String, _ body: () async throws -> @Sendable () -> Void
    ) async throws -> @Sendable () -> Void {
      try await current.withAnySpan("work", ofKind: .internal) { span in
        span.attributes["ecs.loop"] = loop
        span.attributes["ecs.system"] = name
        do {
          return Result<@Sendable () -> Void, any Error>.success(try await body())
        } catch {
          // The loop has ended, which is no failure.
          if !(error is CancellationError && Task.isCancelled) {
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
          }
          return .failure(error)
        }
      }.get()
    }
  }
#endif
