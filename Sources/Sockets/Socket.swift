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

/// A connection to a server that never waits; it ends with the object.
package final class Socket {
  /// The outcome of an attempt to read or to write.
  package enum Transfer {
    /// So many bytes.
    case done(Int)

    /// Not now.
    case later

    /// The other side has ended what it sends.
    case ended
    case failed(String)
  }

  package let file: Int32

  /// Begins to connect.
  ///
  /// - Throws: ``SocketFailure``.
  package init(connectingTo address: SocketAddress) throws(SocketFailure) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    file = socket(address.family, kind, 0)
    guard file >= 0 else { throw SocketFailure(Socket.reason) }
    guard fcntl(file, F_SETFL, O_NONBLOCK) == 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else {
      throw SocketFailure(Socket.reason)
    }
    setOption(Int32(IPPROTO_TCP), TCP_NODELAY)
    #if canImport(Darwin)
      setOption(SOL_SOCKET, SO_NOSIGPIPE)
    #endif
    // SAFETY: The bytes are an address as the system made it, and live during the call.
    let code = unsafe address.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return Int32(-1) }
      return unsafe connect(
        file, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard code == 0 || errno == EINPROGRESS || errno == EINTR else {
      throw SocketFailure(Socket.reason)
    }
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Lets the system forget what was not sent when the connection ends, also that of a program that
  /// is killed, instead of sending it as long as it takes.
  package func forgetUnsent() {
    var value = linger(l_onoff: 1, l_linger: 0)
    // SAFETY: The value lives during the call, and has the size that is given.
    unsafe _ = setsockopt(
      file, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }

  private func setOption(_ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    // SAFETY: The value lives during the call, and has the size that is given.
    unsafe _ = setsockopt(file, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What went wrong while connecting; nil for nothing.
  package func connectionFailure() -> String? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    // SAFETY: Both live during the call.
    guard unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
      return Socket.reason
    }
    return code == 0 ? nil : unsafe String(cString: strerror(code))
  }

  /// Sends bytes from a position on.
  package func write(_ bytes: [UInt8], from position: Int) -> Transfer {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    // SAFETY: The bytes live during the call, and only those behind the position are read.
    let count = unsafe bytes.withUnsafeBytes { bytes in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...].prefix(1 << 20))
      return unsafe send(file, part.baseAddress, part.count, flags)
    }
    return count >= 0 ? .done(count) : Socket.failure()
  }

  /// Reads into a buffer, from its start.
  package func read(into buffer: inout [UInt8]) -> Transfer {
    // SAFETY: The buffer lives during the call, and no more than its count is written.
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe recv(file, bytes.baseAddress, bytes.count, 0)
    }
    return count > 0 ? .done(count) : count == 0 ? .ended : Socket.failure()
  }

  /// Whether it may serve another request: nothing has come, and the other side has not ended it.
  package var isQuiet: Bool {
    var buffer: [UInt8] = [0]
    if case .later = read(into: &buffer) { return true }
    return false
  }

  private static func failure() -> Transfer {
    switch errno {
    case EAGAIN, EWOULDBLOCK, EINTR: .later
    default: .failed(reason)
    }
  }

  private static var reason: String { unsafe String(cString: strerror(errno)) }
}
