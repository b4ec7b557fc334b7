import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on this machine that gives each request without a body the same answer.
final class LoopbackServer: Sendable {
  /// Where it is.
  let url: String

  private let listener: Int32

  /// Listens on a free port; nil if that is not possible.
  init?(answering body: String) {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard listener >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    // SAFETY: The text lives during the call.
    unsafe address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: The address lives during the calls, and has the size that is given.
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else {
      close(listener)
      return nil
    }
    self.listener = listener
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/members"
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    let answer = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    Thread.detachNewThread {
      while true {
        let file = accept(listener, nil, nil)
        guard file >= 0 else { break }
        Thread.detachNewThread { LoopbackServer.serve(file, answer) }
      }
      close(listener)
    }
  }

  deinit {
    #if canImport(Glibc)
      shutdown(listener, Int32(SHUT_RDWR))
    #else
      shutdown(listener, SHUT_RDWR)
    #endif
  }

  /// Answers until the other side ends the connection.
  private static func serve(_ file: Int32, _ answer: [UInt8]) {
    var on: Int32 = 1
    // SAFETY: The value lives during the call, and has the size that is given.
    unsafe _ = setsockopt(
      file, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var ending: [UInt8] = []
    while true {
      // SAFETY: No more than fits is written.
      let count = unsafe recv(file, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      ending = (ending + buffer[..<count]).suffix(4)
      guard ending == Array("\r\n\r\n".utf8) else { continue }
      ending = []
      // SAFETY: All of it is there. So few bytes are taken at once.
      unsafe _ = send(file, answer, answer.count, 0)
    }
    close(file)
  }
}
