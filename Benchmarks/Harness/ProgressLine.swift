import Foundation

/// A line on standard error that says what is being measured; nothing where it would not be seen.
final class ProgressLine {
  private let total: Int
  private var done = 0
  private let start = ContinuousClock.now
  private let isTerminal = isatty(2) == 1

  init(total: Int) {
    self.total = total
  }

  /// Shows how much is done and what is next, which counts as done when this is called again.
  func begin(_ next: String) {
    defer { done += 1 }
    let width = 24
    let filled = total > 0 ? done * width / total : 0
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let seconds = (ContinuousClock.now - start).components.seconds
    write("\r\u{1b}[K\(bar) \(done)/\(total)  \(seconds) s  \(next)")
  }

  /// Takes the line away.
  func clear() { write("\r\u{1b}[K") }

  private func write(_ text: String) {
    if isTerminal { FileHandle.standardError.write(Foundation.Data(text.utf8)) }
  }
}
