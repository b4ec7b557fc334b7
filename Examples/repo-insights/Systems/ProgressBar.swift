import Dispatch
import ECS
import ExampleSupport
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

  /// As much as fits into a line: a terminal that has to break it would fill with such lines.
  private func line(_ progress: Progress) -> String {
    let room = Terminal.width(STDERR_FILENO) - 1
    let time = progress.seconds > 0 ? ", \(progress.seconds) s" : ""
    guard let expected = progress.expected, expected > 0 else {
      return shortened("Read \(grouped(progress.commits)) commits\(time)", to: room)
    }
    let share = min(1, Double(progress.commits) / Double(expected))
    let text =
      "\(padded(String(Int(share * 100)), 3, right: true)) %  "
      + "\(grouped(progress.commits)) of \(grouped(expected)) commits\(time)"
    let width = min(ProgressBar.width, room - text.count - 1)
    guard width > 3 else { return shortened(text, to: room) }
    let bar = padded(terminal.bar(share, width: width), width)
    return "\(terminal.styled(bar, .bar)) \(text)"
  }

  /// Takes the bar away.
  static func clear() { show("") }

  /// Replaces the line; a standard error that can't be written to is no problem.
  private static func show(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(line)".utf8))
  }
}
