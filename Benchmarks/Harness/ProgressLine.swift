import Foundation

/// A line on standard error that says what is being measured; nothing where nobody would see it.
final class ProgressLine {
  private let total: Int
  private let begin = ContinuousClock.now
  private let isTerminal = isatty(2) == 1

  init(total: Int) {
    self.total = total
  }

  /// Shows how much is done and what comes next.
  func show(_ done: Int, _ next: String) {
    let width = 24
    let filled = total > 0 ? done * width / total : 0
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let seconds = (ContinuousClock.now - begin).components.seconds
    write("\r\u{1b}[K\(bar) \(done)/\(total)  \(seconds) s  \(next)")
  }

  /// Takes the line away.
  func clear() { write("\r\u{1b}[K") }

  private func write(_ text: String) {
    if isTerminal { FileHandle.standardError.write(Foundation.Data(text.utf8)) }
  }
}
