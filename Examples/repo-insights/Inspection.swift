import ECS
import ExampleSupport
import Foundation

#if Inspector
  import Dispatch
  import ECSHistory
  import ECSInspector
  import Synchronization

  /// Shows the entities of a history in a browser.
  enum Inspection {
    /// Reads a history, and shows it until a line or the end of standard input comes.
    static func run(_ repository: Repository, _ filter: Filter) throws {
      let pipeline = Pipeline(boundary: repository.boundary)
      let inspector = try start(pipeline)
      try OutputFile.show("Open \(inspector.url) in a browser of this machine. Return ends it.\n")
      if repository.head != nil {
        try pipeline.run(GitLog(repository, filter.selection.arguments))
      }
      _ = readLine()
      withExtendedLifetime(inspector) {}
    }

    private static func start(_ pipeline: Pipeline) throws -> Inspector {
      let (context, loop) = (pipeline.context, pipeline.loop)
      // What happened. A recorder of changes would keep places in the pipeline, which are free when
      // their batches are released, and reading would wait for them without end.
      let log = EventLog([context])
      loop.setLogger(log, named: "log")
      let started = DispatchSemaphore(value: 0)
      let result = Mutex<Result<Inspector, any Error>?>(nil)
      Task.detached {
        let outcome: Result<Inspector, any Error>
        do {
          // The option asks for it, however the program was built.
          let inspector = try await Inspector(allowInRelease: true) { shown in
            shown.add(context)
            shown.add(loop)
            shown.add(log)
          }
          outcome = .success(inspector)
        } catch {
          outcome = .failure(error)
        }
        result.withLock { $0 = outcome }
        started.signal()
      }
      started.wait()
      guard let outcome = result.withLock(\.self) else {
        throw Failure(message: "The inspector did not start.")
      }
      return try outcome.get()
    }
  }
#else
  /// Says what it needs.
  enum Inspection {
    static func run(_ repository: Repository, _ filter: Filter) throws {
      throw Failure.usage("--inspect needs a build with '--traits Inspector'.")
    }
  }
#endif
