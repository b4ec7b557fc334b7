import Foundation
import Testing

/// A terminal of which the test is the keyboard and the screen.
final class PseudoTerminal: Sendable {
  /// What a program gets as its input and output.
  let device: FileHandle
  private let screen: FileHandle

  /// - Parameters:
  ///   - columns: The width of the window; 0 if it is unknown.
  ///   - rows: Its height.
  init?(columns: Int = 0, rows: Int = 0) {
    var (keyboard, display) = (Int32(0), Int32(0))
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    guard unsafe openpty(&keyboard, &display, nil, nil, &size) == 0 else { return nil }
    screen = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: display, closeOnDealloc: true)
  }

  /// How the terminal treats keys.
  var settings: [UInt32] {
    var settings = termios()
    unsafe tcgetattr(device.fileDescriptor, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_lflag].map { UInt32($0) }
  }

  /// Gives the window another size; programs that it does not control have to get a signal.
  func resize(columns: Int, rows: Int) {
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    _ = unsafe ioctl(screen.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) throws {
    try screen.write(contentsOf: Data(keys.utf8))
  }

  /// Reads what is drawn until it contains texts, one after the other, or nothing more comes for
  /// minutes, which is an issue.
  ///
  /// A drawing comes in pieces: end with a text of its last line to read the whole.
  func read(until texts: String..., at location: SourceLocation = #_sourceLocation) async -> String
  {
    let search = await read(into: TextSearch(texts), location) { search, piece in
      search.append(piece)
      return search.isOver
    }
    return String(decoding: search.bytes, as: UTF8.self)
  }

  /// Draws what comes on a screen until a condition holds for it, or nothing more comes for
  /// minutes, which is an issue.
  func show(
    on screen: TerminalScreen, at location: SourceLocation = #_sourceLocation,
    until condition: @escaping @Sendable (TerminalScreen) -> Bool
  ) async -> TerminalScreen {
    if condition(screen) { return screen }
    return await read(into: screen, location) { screen, piece in
      screen.take(piece)
      return condition(screen)
    }
  }

  /// Hands over what comes, piece by piece, until the reader has enough.
  private func read<Reader: Sendable>(
    into reader: Reader, _ location: SourceLocation,
    _ take: @escaping @Sendable (inout Reader, ArraySlice<UInt8>) -> Bool
  ) async -> Reader {
    let screen = screen
    let (result, failure) = await withCheckedContinuation { continuation in
      // A thread of its own: queues have few, and others may keep them waiting.
      Thread.detachNewThread {
        var (reader, failure) = (reader, String?.none)
        // `FileHandle` would wait until there is as much as it was asked for.
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while failure == nil {
          var waiting = pollfd(fd: screen.fileDescriptor, events: Int16(POLLIN), revents: 0)
          let ready = unsafe poll(&waiting, 1, PseudoTerminal.patience)
          let count =
            unsafe ready > 0 ? Foundation.read(screen.fileDescriptor, &bytes, bytes.count) : -1
          if ready == 0 {
            failure = "nothing more came"
          } else if count < 0, errno == EINTR || errno == EAGAIN {
            continue
          } else if count <= 0 {
            failure = unsafe "reading failed: \(String(cString: strerror(errno)))"
          } else if take(&reader, bytes.prefix(count)) {
            break
          }
        }
        continuation.resume(returning: (reader, failure))
      }
    }
    if let failure {
      Issue.record("\(failure), after \(result)", sourceLocation: location)
    }
    return result
  }

  /// In milliseconds; machines that run all tests at once may take minutes to start a program.
  private static let patience: Int32 = 900_000
}

/// Looks for texts that follow each other in what comes piece by piece.
private struct TextSearch: CustomStringConvertible {
  private(set) var bytes: [UInt8] = []
  private var texts: ArraySlice<[UInt8]>
  private var position = 0

  init(_ texts: [String]) { self.texts = texts.map { Array($0.utf8) }[...] }

  var isOver: Bool { texts.isEmpty }

  var description: String {
    "\(String(decoding: bytes, as: UTF8.self).debugDescription), without \(texts.map { String(decoding: $0, as: UTF8.self) })"
  }

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
