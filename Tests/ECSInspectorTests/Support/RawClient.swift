#if Inspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Sockets
  import Testing

  /// A connection on which a test says, byte by byte, what it wants.
  final class RawClient {
    private let socket: Socket
    private var received: [UInt8] = []
    private var hasEnded = false

    init(port: Int) throws {
      socket = try Socket(connectingTo: try #require(SocketAddress.first(port)))
    }

    func send(_ text: String) async {
      let bytes = Array(text.utf8)
      var position = 0
      while position < bytes.count {
        switch socket.write(bytes, from: position) {
        case .done(let count): position += count
        case .later: await pause()
        case .ended, .failed: return
        }
      }
    }

    /// Takes in what comes, until that is enough, or there is no more.
    func receive(until isEnough: ([UInt8]) -> Bool) async {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !isEnough(received), !hasEnded {
        switch socket.read(into: &buffer) {
        case .done(let count): received += buffer.prefix(count)
        case .later: await pause()
        case .ended, .failed: hasEnded = true
        }
      }
    }

    /// Whether the other end keeps the connection for a while.
    func isOpen(for time: Duration) async -> Bool {
      let end = ContinuousClock.now + time
      await receive { _ in ContinuousClock.now > end }
      return !hasEnded
    }

    /// The next answer, whose body has a length.
    func answer() async throws -> RawAnswer {
      await receive { RawAnswer($0) != nil }
      let answer = try #require(RawAnswer(received))
      received.removeFirst(answer.size)
      return answer
    }

    /// What has come so far, as text.
    var text: String { String(decoding: received, as: UTF8.self) }
  }

  extension SocketAddress {
    fileprivate static func first(_ port: Int) -> SocketAddress? {
      try? addresses(of: "127.0.0.1", port: port).first
    }
  }

  /// An answer as it came.
  struct RawAnswer {
    let status: Int

    /// By names in lower case.
    let headers: [String: String]
    let body: Data
    fileprivate let size: Int

    /// Nil if it is not complete.
    fileprivate init?(_ bytes: [UInt8]) {
      guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
      let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        .components(separatedBy: "\r\n")
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      let length = headers["content-length"].flatMap { Int($0) } ?? 0
      guard bytes.count >= end.upperBound + length else { return nil }
      let status = lines[0].split(separator: " ")
      guard status.count > 1, let code = Int(status[1]) else { return nil }
      (self.status, self.headers) = (code, headers)
      body = Data(bytes[end.upperBound..<end.upperBound + length])
      size = end.upperBound + length
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> JSONValue { try JSONValue(data: body) }
  }
#endif
