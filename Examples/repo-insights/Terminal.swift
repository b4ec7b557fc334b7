import ExampleSupport
import Foundation

/// What the receiver of the report can show.
struct Terminal {
  let columns: Int

  /// Whether there is more than ASCII for bars and lines.
  let isRich: Bool
  let hasColor: Bool

  /// What a file descriptor writes to: plain if that is not a terminal.
  init(_ descriptor: Int32) {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty } ?? ""
    isRich = isTerminal && locale.uppercased().replacing("-", with: "").contains("UTF8")
    hasColor = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
    columns = isTerminal ? max(40, min(120, Terminal.width(descriptor))) : 80
  }

  /// The columns of a terminal, 80 if they are not known.
  static func width(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  enum Style: String {
    case title = "1"
    case dim = "2"
    case added = "32"
    case deleted = "31"
    case bar = "36"
    case selected = "7"
  }

  /// A text in a style; what is selected has to be seen without colors, too.
  func styled(_ text: String, _ style: Style) -> String {
    hasColor || style == .selected ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// How many columns a text takes whose styles take none.
  func visibleColumns(_ text: String) -> Int {
    ExampleSupport.columns(text.replacing(/\u{1B}\[[0-9;]*m/, with: ""))
  }

  var ellipsis: String { isRich ? "…" : "..." }

  /// A bar that takes a share of a width; there is something to see unless the share is 0.
  func bar(_ share: Double, width: Int) -> String {
    guard share > 0 else { return "" }
    guard isRich else {
      return String(repeating: "#", count: max(1, Int((share * Double(width)).rounded())))
    }
    let eighths = max(1, Int((share * Double(width * 8)).rounded()))
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + part
  }

  /// What a column of a chart shows in a row of it: filled up to a height in rows.
  func block(height: Double, row: Int) -> String {
    let filled = height - Double(row)
    guard isRich else { return filled >= (row == 0 ? 0.001 : 0.5) ? "#" : " " }
    let eighths = Int((filled * 8).rounded())
    guard eighths > 0 || (row == 0 && height > 0) else { return " " }
    return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][max(0, min(eighths, 8) - 1)]
  }
}
