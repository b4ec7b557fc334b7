import Dispatch
import ECS
import ExampleSupport
import Foundation

/// Reads a repository into a dashboard, and then goes on with each commit that is made.
enum LiveProgram {
  /// Runs until it is ended from outside.
  static func run(_ repository: Repository, _ selection: Selection) throws -> Never {
    guard FullScreen.isPresent, ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
      throw Failure(message: "--live needs a terminal, to write to and to read keys from.")
    }
    let queue = DispatchQueue(label: "dashboard")
    let pipeline = Pipeline(boundary: repository.boundary, isLive: true)
    let dashboard = Dashboard(pipeline.context, title: repository.name, queue: queue)
    let isolated = Isolated(dashboard)
    queue.sync { dashboard.start() }
    let keys = dashboard.keys
    Task.detached {
      for await key in keys {
        queue.async {
          if isolated.value?.take(key) == false { end(isolated) }
        }
      }
      // The terminal is gone.
      queue.async { end(isolated) }
    }
    do {
      try follow(repository, selection, pipeline) { state in
        queue.async { isolated.value?.enter(state) }
      }
    } catch {
      queue.sync { dashboard.stop() }
      throw error
    }
  }

  private static func end(_ dashboard: Isolated<Dashboard>) {
    dashboard.value?.stop()
    Cleanup.runAll()
    exit(0)
  }

  /// Reads all that is there, and then what is added.
  private static func follow(
    _ repository: Repository, _ selection: Selection, _ pipeline: Pipeline,
    _ enter: (Dashboard.State) -> Void
  ) throws -> Never {
    var watch = HeadWatch(repository, selection.branch)
    var read: String?
    var isRewritten = false
    while true {
      let head = try watch.head()
      if let head, head != read {
        enter(read == nil ? .reading : .catchingUp)
        if let read, try !repository.isAncestor(read, of: head) { isRewritten = true }
        let range = read.map { "\($0)..\(head)" } ?? head
        try pipeline.run(GitLog(repository, selection.arguments(of: range)))
        pipeline.context.joinMovedFiles(present: try repository.presentPaths(in: head))
        read = head
      }
      // What was read of a history that is another one now is not taken back.
      let notice = isRewritten ? "the history was rewritten: start again" : nil
      enter(.watching(head == nil ? read == nil ? "no commits yet" : "branch is gone" : notice))
      watch.wait()
    }
  }
}

/// Takes what belongs to a queue to closures that run on it.
// Owned by the queue that the closures run on: nothing else looks at the value.
struct Isolated<Value: AnyObject>: @unchecked Sendable {
  weak var value: Value?

  init(_ value: Value) { self.value = value }
}
