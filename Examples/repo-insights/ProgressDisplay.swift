import Dispatch
import ECS
import Foundation

/// The progress bar with what it needs: a loop that runs it, and the number of commits to expect.
final class ProgressDisplay {
  private let loop: ReactiveLoop
  private let queue = DispatchQueue(label: "progress")

  /// Nil if standard error is not a terminal.
  init?(_ context: Context, _ repository: Repository, since: String?) {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let bar = ProgressBar(context: context, terminal: Terminal(STDERR_FILENO))
    loop = ReactiveLoop(ctx: context, queue: queue, delay: .milliseconds(100), systems: [bar])
    queue.asyncAfter(deadline: .now() + .milliseconds(700)) {
      context.updateUniqueComponent(Progress.self) { $0.isShown = true }
    }
    DispatchQueue.global().async {
      guard let count = try? repository.count(since: since) else { return }
      context.updateUniqueComponent(Progress.self) { $0.expected = count }
    }
  }

  /// Takes the bar away, once it is drawn no more.
  func end() {
    loop.cancel()
    queue.sync { ProgressBar.clear() }
  }
}
