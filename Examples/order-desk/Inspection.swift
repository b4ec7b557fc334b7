import ECS

#if Inspector
  import ECSHistory
  import ECSInspector

  /// Shows a worker's accounts in a browser, and what changed them, until it is released.
  func inspect(_ context: Context) async throws -> Inspector {
    let flight = FlightRecorder(context, memory: 16 << 20)
    // The option asks for it, however the program was built.
    let inspector = try await Inspector(allowInRelease: true) {
      $0.add(context)
      $0.add(flight, as: "orders")
    }
    say("Open \(inspector.url) in a browser of this machine.")
    return inspector
  }
#else
  /// Says what it needs.
  func inspect(_ context: Context) async throws -> Never {
    throw UsageError(description: "--inspect needs a build with '--traits Inspector'.")
  }
#endif
