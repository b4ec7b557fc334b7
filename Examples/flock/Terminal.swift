import Foundation
import Synchronization

/// Draws pictures on a terminal, or as plain text where there is none.
enum Terminal {
  static let isPresent = isatty(STDOUT_FILENO) == 1

  /// The columns and rows of the terminal, or those of a classic one.
  static var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard isPresent, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 1,
      window.ws_row > 2
    else { return (80, 24) }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  private static let interrupted = Atomic(false)

  /// Whether somebody has pressed Control-C since `start()`.
  static var isInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  static func start() {
    interrupted.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in Terminal.interrupted.store(true, ordering: .relaxed) }
    // Another screen, so that what was on this one comes back; no cursor.
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  static func stop() {
    write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
  }

  /// Draws a picture in colors: a half block shows two pixels, one above the other.
  static func draw(_ picture: Picture, status: String) {
    var text = "\u{1B}[H"
    for y in stride(from: 0, to: picture.height - 1, by: 2) {
      var last: (SIMD3<UInt8>, SIMD3<UInt8>)?
      for x in 0..<picture.width {
        let (upper, lower) = (picture.pixel(x, y), picture.pixel(x, y + 1))
        if last?.0 != upper { text += "\u{1B}[38;2;\(upper.x);\(upper.y);\(upper.z)m" }
        if last?.1 != lower { text += "\u{1B}[48;2;\(lower.x);\(lower.y);\(lower.z)m" }
        text += "▀"
        last = (upper, lower)
      }
      text += "\u{1B}[0m\r\n"
    }
    write(text + status.prefix(picture.width) + "\u{1B}[K")
  }

  /// A picture in characters, the brighter the denser.
  static func plainText(_ picture: Picture) -> String {
    let characters = Array(" .:-=+*#%@")
    return (0..<picture.height).map { y in
      let line = (0..<picture.width).map { x -> Character in
        let color = picture.pixel(x, y)
        let brightness = (Int(color.x) + Int(color.y) + Int(color.z)) / 3
        return characters[brightness * (characters.count - 1) / 255]
      }
      return String(line)
    }
    .joined(separator: "\n")
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
