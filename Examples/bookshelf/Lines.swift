#if SQLite
  import Foundation

  /// Lines of standard input, and the pauses between them.
  struct Lines {
    private var pending: [UInt8] = []
    private var isOver = false

    enum Event {
      case line(String)

      /// Nothing was typed for a while.
      case pause
      case end
    }

    /// Waits for the next line, but not for longer than some milliseconds.
    mutating func next(waiting milliseconds: Int32) -> Event {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          defer { pending.removeFirst(end + 1) }
          return .line(String(decoding: pending[..<end], as: UTF8.self))
        }
        if isOver {
          defer { pending = [] }
          return pending.isEmpty ? .end : .line(String(decoding: pending, as: UTF8.self))
        }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&input, 1, milliseconds)
        if ready == 0 { return .pause }
        if ready < 0, errno != EINTR { isOver = true }
        guard ready > 0 else { continue }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if count <= 0 { isOver = true } else { pending += bytes.prefix(count) }
      }
    }
  }
#endif
