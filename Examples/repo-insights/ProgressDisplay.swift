import Dispatch
import ECS
import ExampleSupport
import Foundation

/// The progress bar with what it needs: a loop that runs it, and the number of commits to expect.
final class ProgressDisplay {
  private let loop: ReactiveLoop
  private let queue = DispatchQueue(label: "progress")
  private let timer: any DispatchSourceTimer

  /// Nil if standard error is not a terminal.
  init?(_ context: Context, _ repository: Repository, _ selection: Selection) {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let bar = ProgressBar(context: context, terminal: Terminal(STDERR_FILENO))
    timer = DispatchSource.makeTimerSource(queue: queue)
    loop = ReactiveLoop(ctx: context, queue: queue, delay: .milliseconds(100), systems: [bar])
    queue.asyncAfter(deadline: .now() + .milliseconds(700)) {
      context.updateUniqueComponent(Progress.self) { $0.isShown = true }
    }
    timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
    timer.setEventHandler { context.updateUniqueComponent(Progress.self) { $0.seconds += 1 } }
    timer.resume()
    DispatchQueue.global().async {
      guard let count = try? repository.count(selection) else { return }
      context.updateUniqueComponent(Progress.self) { $0.expected = count }
    }
  }

  /// Takes the bar away, once it is drawn no more.
  func end() {
    timer.cancel()
    loop.cancel()
    queue.sync { ProgressBar.clear() }
  }
}
