import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits for sockets, and can be woken from any thread.
package final class SocketPoll: Sendable {
  /// Which socket is waited for, and what for.
  package struct Interest {
    package let file: Int32
    package let writes: Bool

    package init(file: Int32, writes: Bool) { (self.file, self.writes) = (file, writes) }
  }

  private let reading: Int32
  private let writing: Int32

  /// - Throws: ``SocketFailure``.
  package init() throws(SocketFailure) {
    var ends: [Int32] = [0, 0]
    // SAFETY: There is room for two.
    guard unsafe pipe(&ends) == 0 else {
      throw SocketFailure(unsafe String(cString: strerror(errno)))
    }
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the wait that is under way, or the next one.
  package func wake() {
    var byte: UInt8 = 1
    // SAFETY: One byte is there. If the pipe is full, it wakes as well.
    unsafe _ = systemWrite(writing, &byte, 1)
  }

  /// Waits until one of the sockets has something to do, the time is over, or it is woken.
  ///
  /// - Returns: For each interest, whether there is something to do.
  package func wait(for interests: [Interest], atMost time: Duration) -> [Bool] {
    var entries = [pollfd(file: reading, events: Int16(POLLIN))]
    for interest in interests {
      entries.append(
        pollfd(
          file: interest.file, events: Int16(POLLIN) | (interest.writes ? Int16(POLLOUT) : 0)))
    }
    let (seconds, attoseconds) = max(time, .zero).components
    // Rounded up: a wait that ends too early would be repeated at once.
    let attosecondsOfOne: Int64 = 1_000_000_000_000_000
    let milliseconds =
      min(seconds, 60) * 1000 + (attoseconds + attosecondsOfOne - 1) / attosecondsOfOne
    // SAFETY: The array has as many elements as are given.
    let count = unsafe poll(&entries, nfds_t(entries.count), Int32(milliseconds))
    guard count > 0 else { return interests.map { _ in false } }
    if entries[0].revents != 0 { drain() }
    return entries.dropFirst().map { $0.revents != 0 }
  }

  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 256)
    // SAFETY: The buffer has as many bytes as are given.
    while unsafe systemRead(reading, &buffer, buffer.count) == buffer.count {}
  }
}

extension pollfd {
  fileprivate init(file: Int32, events: Int16) {
    self.init(fd: file, events: events, revents: 0)
  }
}

// The names are those of methods, too, where they are used.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  unsafe read(file, bytes, count)
}
