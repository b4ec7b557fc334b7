import ECS
import ECSStore
import Foundation
import Synchronization

extension Row {
  /// How long another thread waits for the context at most, while all rows are saved as new ones.
  static func holdingLock(_ n: Int, _ workspace: Workspace) -> Row {
    let items = (1...n).map(Item.init)
    return Row(
      id: "K6", title: "longest wait for the context in a save (goal: 80 ns/row)", operations: n,
      unit: "row",
      contenders: [
        Contender("session") { _ in
          let file = try workspace.makeFile(.one)
          let session = try Store(at: .file(file), schema: Parts.one.makeSchema()).session()
          let context = session.context
          context.perform { for item in items { Parts.one.create(item, in: context) } }
          let watch = Watch(context)
          return Round(
            run: {
              watch.start()
              try session.save()
              watch.stop()
            },
            check: {
              try verify(BareDatabase(file.path).sums(), Sums(items), "session")
              workspace.remove(file)
            }, measured: { watch.longest })
        }
      ])
  }
}

/// A thread that takes the context again and again, and notes how long it took at most.
private final class Watch: Sendable {
  private let context: Context
  private let isRunning = Atomic(true)
  private let longestWait = Atomic(0)
  private let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

  init(_ context: Context) { self.context = context }

  var longest: Double { Double(longestWait.load(ordering: .acquiring)) }

  func start() {
    Thread.detachNewThread { [self] in
      started.signal()
      var longest = 0
      while isRunning.load(ordering: .acquiring) {
        let start = ContinuousClock.now
        context.perform {}
        let wait = ContinuousClock.now - start
        longest = max(longest, Int(wait / .nanoseconds(1)))
      }
      longestWait.store(longest, ordering: .releasing)
      ended.signal()
    }
    started.wait()
  }

  func stop() {
    isRunning.store(false, ordering: .releasing)
    ended.wait()
  }
}
