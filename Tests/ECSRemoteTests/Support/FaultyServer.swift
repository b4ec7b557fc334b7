import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A request as it came over the wire.
struct ReceivedRequest: Sendable, Hashable {
  /// The header, as its bytes were.
  let head: String
  let body: String

  var method: String { String(head.prefix { $0 != " " }) }
  var target: String { String(head.split(separator: " ").dropFirst().first ?? "") }

  func field(_ name: String) -> String? {
    for line in head.components(separatedBy: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }
}

/// A server on loopback that does to its connections whatever a test asks for.
// Guarded by its lock.
final class FaultyServer: @unchecked Sendable {
  private let listener: Int32
  let port: Int
  private let lock = NSLock()
  private var received: [ReceivedRequest] = []
  private var connections = 0
  private var isStopped = false
  private let early: String?
  private let handler: @Sendable (ReceivedRequest, Peer) -> Void

  // Listens on a free port; the handler is called on the connection's thread, for each request.
  // What is `early` is sent when the header has come, without reading the body.
  init(
    early: String? = nil, _ handler: @escaping @Sendable (ReceivedRequest, Peer) -> Void
  ) throws {
    self.handler = handler
    self.early = early
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    unsafe address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, size) != 0 || listen(listener, 64) != 0
          || getsockname(listener, address, &size) != 0
      }
    }
    if failure { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      while true {
        let file = accept(listener, nil, nil)
        guard file >= 0, let self else {
          closeFile(listener)
          return
        }
        let peer = Peer(file)
        self.lock.withLock { self.connections += 1 }
        Thread.detachNewThread { self.serve(peer) }
      }
    }
  }

  deinit { stop() }

  /// No connection is accepted any more.
  func stop() {
    // Its number may be another's afterwards.
    let isFirst = lock.withLock {
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    #if canImport(Glibc)
      shutdown(listener, Int32(SHUT_RDWR))
    #else
      shutdown(listener, SHUT_RDWR)
    #endif
  }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
  }

  var requests: [ReceivedRequest] { lock.withLock { received } }

  /// How many connections were made.
  var connectionCount: Int { lock.withLock { connections } }

  private func serve(_ peer: Peer) {
    if let early {
      peer.readHead()
      peer.send(early)
      return
    }
    while let request = peer.readRequest() {
      lock.withLock { received.append(request) }
      handler(request, peer)
    }
    peer.close()
  }
}

/// The server's end of a connection.
// Used by its thread only.
final class Peer: @unchecked Sendable {
  private var file: Int32
  private var pending: [UInt8] = []

  init(_ file: Int32) {
    self.file = file
    // A test that forgets to end a connection ends all the same.
    var time = timeval(tv_sec: 300, tv_usec: 0)
    unsafe _ = setsockopt(
      file, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close() }

  /// Answers with a body and its length.
  func answer(_ status: Int, _ body: String = "", _ fields: [String: String] = [:]) {
    var head = "HTTP/1.1 \(status) X\r\n"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
  }

  /// Sends bytes as they are; false if the other side is gone.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var position = 0
    while position < bytes.count, file >= 0 {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      let rest = Array(bytes[position...].prefix(1 << 20))
      let count = unsafe sendBytes(file, rest, rest.count, flags)
      if count <= 0 { return false }
      position += count
    }
    return file >= 0
  }

  /// Waits until the other side has ended the connection; false if it never does.
  @discardableResult
  func waitForEnd() -> Bool {
    while let count = receive() { if count == 0 { return true } }
    return false
  }

  /// Ends the connection.
  func close() {
    guard file >= 0 else { return }
    closeFile(file)
    file = -1
  }

  /// Ends the connection so that the other side gets an error.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe _ = setsockopt(
      file, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  fileprivate func readHead() {
    while pending.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      guard let count = receive(), count > 0 else { return }
    }
  }

  /// The next request with its body; nil if there is none.
  fileprivate func readRequest() -> ReceivedRequest? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        let request = ReceivedRequest(head: head, body: "")
        let length = Int(request.field("Content-Length") ?? "0") ?? 0
        while pending.count < end.upperBound + length {
          guard let count = receive(), count > 0 else { return nil }
        }
        let body = pending[end.upperBound..<(end.upperBound + length)]
        pending.removeFirst(end.upperBound + length)
        return ReceivedRequest(head: head, body: String(decoding: body, as: UTF8.self))
      }
      guard let count = receive(), count > 0 else { return nil }
    }
  }

  /// The number of bytes that came, 0 at the end; nil if it failed.
  private func receive() -> Int? {
    guard file >= 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(file, &buffer, buffer.count, 0)
    if count > 0 { pending += buffer[..<count] }
    return count >= 0 ? count : errno == ECONNRESET ? 0 : nil
  }

  /// A slow server: it waits before it goes on.
  func pause() { usleep(5000) }
}

private func closeFile(_ file: Int32) { close(file) }

private func sendBytes(
  _ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(file, bytes, count, flags)
}
