import Dispatch
import Foundation

/// A key that the menu knows.
enum Key {
  case up
  case down
  case toggle
  case quit
}

/// A terminal that hands over each key at once and does not show it, on another screen.
///
/// `stop()` puts back how the terminal was.
@MainActor final class Terminal {
  private var original = termios()
  private var pending: [UInt8] = []
  private var sources: [any DispatchSourceProtocol] = []

  static var isPresent: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  func start() {
    tcgetattr(STDIN_FILENO, &original)
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  func stop() {
    for source in sources { source.cancel() }
    write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
  }

  func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// The keys that are pressed; to end the program or to close the terminal is to quit.
  func keys() -> AsyncStream<Key> {
    let (stream, continuation) = AsyncStream.makeStream(of: Key.self)
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let keys = self?.readKeys() else { return continuation.finish() }
        for key in keys { continuation.yield(key) }
      }
    }
    input.resume()
    sources.append(input)
    for signal in [SIGTERM, SIGHUP] {
      onSignal(signal) { continuation.yield(.quit) }
    }
    return stream
  }

  /// Calls a body with the size of the window, now and when it changes.
  func onResize(_ body: @escaping @MainActor (WindowSize) -> Void) {
    body(windowSize)
    onSignal(SIGWINCH) { [weak self] in
      if let self { body(windowSize) }
    }
  }

  private func onSignal(_ number: Int32, _ body: @escaping @MainActor () -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { body() } }
    source.resume()
    sources.append(source)
  }

  private var windowSize: WindowSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return WindowSize(columns: 80, rows: 24) }
    return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Reads what there is; nil at the end of the input.
  private func readKeys() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return nil }
    pending += bytes.prefix(count)
    var keys: [Key] = []
    while let byte = pending.first {
      // An arrow is three bytes, of which some may still have to come.
      let isSequence = byte == 0x1B && (pending.count < 2 || [0x5B, 0x4F].contains(pending[1]))
      if isSequence, pending.count < 3 { break }
      let length = isSequence ? 3 : 1
      if let key = Terminal.key(pending.prefix(length)) { keys.append(key) }
      pending.removeFirst(length)
    }
    return keys
  }

  private static func key(_ bytes: ArraySlice<UInt8>) -> Key? {
    switch String(decoding: bytes, as: UTF8.self) {
    case "k", "\u{1B}[A", "\u{1B}OA": .up
    case "j", "\u{1B}[B", "\u{1B}OB": .down
    case " ", "\r", "\n": .toggle
    // Control-C and Control-D too, which are bytes like others here.
    case "q", "\u{3}", "\u{4}": .quit
    default: nil
    }
  }
}
