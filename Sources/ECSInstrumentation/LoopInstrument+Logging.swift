#if Logging
  import ECS
  public import Logging

  extension LoopInstrument {
    /// Logs what systems throw as errors, and their runs and works at a level that is usually off.
    ///
    /// The metadata is `loop`, `system`, `phase`, `entities`, `seconds` and `error`.
    ///
    /// - Parameters:
    ///   - logger: Where to log. Its handler is called where systems run, and must not wait.
    ///   - level: The level of runs and works; failures have `.error`.
    /// - Returns: The instrument.
    public static func logging(_ logger: Logger, level: Logger.Level = .trace) -> LoopInstrument {
      LoopInstrument(
        name: "ECSInstrumentation.logging", logger: LoopLogger(logger: logger, level: level))
    }
  }

  /// The writer of the lines of a loop.
  private struct LoopLogger: SystemLogger {
    var logger: Logger
    let level: Logger.Level

    func logger(ofLoop name: String) -> any SystemLogger {
      var copy = self
      copy.logger[metadataKey: "loop"] = "\(name)"
      return copy
    }

    func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
      logger.log(
        level: level, "ran",
        metadata: [
          "system": "\(name)", "phase": "\(phase)", "entities": "\(entities)",
          "seconds": "\(time / .seconds(1))",
        ])
    }

    func work(
      _ name: String, _ body: () async throws -> @Sendable () -> Void
    ) async throws -> @Sendable () -> Void {
      let start = ContinuousClock.now
      defer {
        let seconds = start.duration(to: .now) / .seconds(1)
        logger.log(
          level: level, "worked", metadata: ["system": "\(name)", "seconds": "\(seconds)"])
      }
      return try await body()
    }

    func didFail(_ name: String, _ error: any Error) {
      logger.error("failed", metadata: ["system": "\(name)", "error": "\(error)"])
    }
  }
#endif
