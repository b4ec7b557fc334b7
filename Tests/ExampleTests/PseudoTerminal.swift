import Foundation

/// A terminal of which the test is the keyboard and the screen.
final class PseudoTerminal: Sendable {
  /// What a program gets as its input and output.
  let device: FileHandle
  private let screen: FileHandle

  init?() {
    var (keyboard, display) = (Int32(0), Int32(0))
    guard openpty(&keyboard, &display, nil, nil, nil) == 0 else { return nil }
    screen = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: display, closeOnDealloc: true)
  }

  /// How the terminal treats keys.
  var settings: [UInt32] {
    var settings = termios()
    tcgetattr(device.fileDescriptor, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_lflag].map { UInt32($0) }
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
        var drawn = ""
        // `FileHandle` would wait until there is as much as it was asked for.
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !drawn.contains(texts) {
          var waiting = pollfd(fd: screen.fileDescriptor, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 300_000) > 0 else { break }
          let count = Foundation.read(screen.fileDescriptor, &bytes, bytes.count)
          guard count > 0 else { break }
          drawn += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        continuation.resume(returning: drawn)
      }
    }
  }
}

extension String {
  fileprivate func contains(_ texts: [String]) -> Bool {
    var rest = self[...]
    for text in texts {
      guard let range = rest.range(of: text) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
