import Foundation

/// A key that was pressed.
package enum Key: Hashable, Sendable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, tab, backspace, escape

  /// Control with a letter.
  case control(Character)
}

/// Makes keys of the bytes that a terminal sends.
package struct KeyDecoder {
  private var pending: [UInt8] = []

  package init() {}

  /// The keys that bytes complete; no bytes mean that nothing has followed for a while.
  package mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    let waited = pending.count
    pending += bytes
    var keys: [Key] = []
    while let first = pending.first {
      guard let (length, key) = first == 0x1B ? sequence() : character() else { break }
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    // An escape that nothing follows is the key; the start of something longer is nothing.
    if !pending.isEmpty, pending.count == waited {
      if pending == [0x1B] { keys.append(.escape) }
      pending = []
    }
    return keys
  }

  /// Whether more bytes are needed to tell what was pressed.
  package var isUndecided: Bool { !pending.isEmpty }

  private func character() -> (length: Int, key: Key?)? {
    let first = pending[0]
    switch first {
    case 0x0D, 0x0A: return (1, .enter)
    case 0x09: return (1, .tab)
    case 0x08, 0x7F: return (1, .backspace)
    case 0x01...0x1A: return (1, .control(Character(Unicode.Scalar(first + 0x60))))
    case 0..<0x20: return (1, nil)
    default: break
    }
    let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    guard pending.count >= length else { return nil }
    let text = String(decoding: pending.prefix(length), as: UTF8.self)
    return (length, text.first.flatMap { $0 == "\u{FFFD}" ? nil : .character($0) })
  }

  /// `ESC [ … letter`, `ESC [ … ~` or `ESC O letter`.
  private func sequence() -> (length: Int, key: Key?)? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case 0x4F:
      guard pending.count > 2 else { return nil }
      return (3, KeyDecoder.named(pending[2], ""))
    case 0x5B:
      guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
      else { return nil }
      return (
        end + 1, KeyDecoder.named(pending[end], String(decoding: pending[2..<end], as: UTF8.self))
      )
    case 0x1B: return (1, .escape)
    // Alt with a key has no meaning here.
    default: return (2, nil)
    }
  }

  private static func named(_ final: UInt8, _ parameter: String) -> Key? {
    switch (final, parameter) {
    case (0x41, _): .up
    case (0x42, _): .down
    case (0x43, _): .right
    case (0x44, _): .left
    case (0x48, _), (0x7E, "1"), (0x7E, "7"): .home
    case (0x46, _), (0x7E, "4"), (0x7E, "8"): .end
    case (0x7E, "5"): .pageUp
    case (0x7E, "6"): .pageDown
    default: nil
    }
  }
}

extension FullScreen {
  /// The keys that are pressed, until the terminal is gone or the stream is dropped.
  package func keys() -> AsyncStream<Key> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var decoder = KeyDecoder()
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
          var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
          let ready = unsafe poll(&input, 1, decoder.isUndecided ? 50 : -1)
          if ready < 0, errno == EINTR { continue }
          let count = unsafe ready == 0 ? 0 : read(STDIN_FILENO, &bytes, bytes.count)
          if count < 0, errno == EINTR || errno == EAGAIN { continue }
          guard count > 0 || ready == 0 else { break }
          for key in decoder.keys(bytes.prefix(max(0, count))) { continuation.yield(key) }
        }
        continuation.finish()
      }
    }
  }
}
