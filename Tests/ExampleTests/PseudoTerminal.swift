import Foundation

/// A terminal of which the test is the keyboard and the screen.
final class PseudoTerminal: Sendable {
  /// What a program gets as its input and output.
  let device: FileHandle
  private let screen: FileHandle

  init?() {
    let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
    guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
      let name = ptsname(descriptor)
    else { return nil }
    let other = open(name, O_RDWR | O_NOCTTY)
    guard other >= 0 else { return nil }
    screen = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: other, closeOnDealloc: true)
  }

  func type(_ keys: String) throws {
    try screen.write(contentsOf: Data(keys.utf8))
  }

  /// Reads what is drawn until it contains a text, or all of it if it never does.
  func read(until text: String) async -> String {
    let screen = screen
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var drawn = Data()
        while !String(decoding: drawn, as: UTF8.self).contains(text) {
          let more = screen.availableData
          if more.isEmpty { break }
          drawn += more
        }
        continuation.resume(returning: String(decoding: drawn, as: UTF8.self))
      }
    }
  }
}
