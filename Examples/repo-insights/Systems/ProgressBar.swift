import Dispatch
import ECS
import Foundation

/// Draws how far reading has come, on standard error, in a loop of its own that wakes a few times a
/// second.
///
/// Short runs show nothing: the first bar comes after a while.
final class ProgressBar: ReactiveSystem {
  let name = "Progress bar"
  let collector: Collector
  private let context: Context
  private let terminal: Terminal

  private static let width = 30

  init(context: Context, terminal: Terminal) {
    self.context = context
    self.terminal = terminal
    collector = context.collector(for: Progress.matcher, type: .addedOrUpdated)
  }

  func execute(entities: EntitySet) {
    guard let progress = context.uniqueComponent(Progress.self), progress.isShown else { return }
    ProgressBar.show(line(progress))
  }

  private func line(_ progress: Progress) -> String {
    guard let expected = progress.expected, expected > 0 else {
      return "Read \(grouped(progress.commits)) commits"
    }
    let share = min(1, Double(progress.commits) / Double(expected))
    let bar = padded(terminal.bar(share, width: ProgressBar.width), ProgressBar.width)
    return "\(terminal.styled(bar, .bar)) \(padded(String(Int(share * 100)), 3, right: true)) %  "
      + "\(grouped(progress.commits)) of \(grouped(expected)) commits"
  }

  /// Takes the bar away.
  static func clear() { show("") }

  /// Replaces the line; a standard error that can't be written to is nobody's problem.
  private static func show(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(line)".utf8))
  }
}
