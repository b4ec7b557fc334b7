import Foundation

/// A terminal of which the test is the keyboard and the screen.
final class PseudoTerminal: Sendable {
  /// What a program gets as its input and output.
  let device: FileHandle
  private let screen: FileHandle

  /// - Parameters:
  ///   - columns: The width of the window; 0 if nobody knows.
  ///   - rows: Its height.
  init?(columns: Int = 0, rows: Int = 0) {
    var (keyboard, display) = (Int32(0), Int32(0))
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    guard openpty(&keyboard, &display, nil, nil, &size) == 0 else { return nil }
    screen = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: display, closeOnDealloc: true)
  }

  /// How the terminal treats keys.
  var settings: [UInt32] {
    var settings = termios()
    tcgetattr(device.fileDescriptor, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_lflag].map { UInt32($0) }
  }

  /// Gives the window another size; programs that it does not control have to be told by a signal.
  func resize(columns: Int, rows: Int) {
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    _ = ioctl(screen.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) throws {
    try screen.write(contentsOf: Data(keys.utf8))
  }

  /// Reads what is drawn until it contains texts, one after the other, or nothing more comes for
  /// minutes.
  ///
  /// A drawing comes in pieces: end with a text of its last line to read the whole.
  func read(until texts: String...) async -> String {
    let screen = screen
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var search = TextSearch(texts)
        // `FileHandle` would wait until there is as much as it was asked for.
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while !search.isOver {
          var waiting = pollfd(fd: screen.fileDescriptor, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 300_000) > 0 else { break }
          let count = Foundation.read(screen.fileDescriptor, &bytes, bytes.count)
          guard count > 0 else { break }
          search.append(bytes.prefix(count))
        }
        continuation.resume(returning: String(decoding: search.bytes, as: UTF8.self))
      }
    }
  }

  /// Draws what comes on a screen until a condition holds for it, or nothing more comes for minutes.
  func show(
    on screen: TerminalScreen, until condition: @escaping @Sendable (TerminalScreen) -> Bool
  ) async -> TerminalScreen {
    let device = self.screen
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var screen = screen
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while !condition(screen) {
          var waiting = pollfd(fd: device.fileDescriptor, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 120_000) > 0 else { break }
          let count = Foundation.read(device.fileDescriptor, &bytes, bytes.count)
          guard count > 0 else { break }
          screen.take(bytes.prefix(count))
        }
        continuation.resume(returning: screen)
      }
    }
  }
}

/// Looks for texts that follow each other in what comes piece by piece.
private struct TextSearch {
  private(set) var bytes: [UInt8] = []
  private var texts: ArraySlice<[UInt8]>
  private var position = 0

  init(_ texts: [String]) { self.texts = texts.map { Array($0.utf8) }[...] }

  var isOver: Bool { texts.isEmpty }

  mutating func append(_ piece: ArraySlice<UInt8>) {
    bytes += piece
    while let text = texts.first, position + text.count <= bytes.count {
      if bytes[position...].starts(with: text) {
        position += text.count
        texts.removeFirst()
      } else {
        position += 1
      }
    }
  }
}
