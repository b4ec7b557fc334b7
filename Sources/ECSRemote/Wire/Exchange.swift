import Foundation

/// A request with its answer, on a connection.
// Owned by the loop that it is given to.
final class Exchange: @unchecked Sendable {
  enum Phase {
    /// The addresses of the host are asked for.
    case resolving

    /// A connection is being made, until a moment.
    case connecting(Socket, until: ContinuousClock.Instant)

    /// The request is sent, and the answer read.
    case talking(Socket)
  }

  typealias Result = Swift.Result<HTTPResponse, TransportError>

  let number: Int
  let origin: Origin
  let deadline: ContinuousClock.Instant
  private let method: HTTPMethod
  private let bytes: [UInt8]
  private let maximumBodySize: Int
  private let continuation: CheckedContinuation<Result, Never>

  private(set) var phase = Phase.resolving
  private var addresses: ArraySlice<SocketAddress> = []
  private var parser: ResponseParser
  private var position = 0
  private var isOnKeptConnection = false
  private var sendingFailure: String?

  init(
    _ number: Int, _ request: HTTPRequest, to origin: Origin, _ bytes: [UInt8],
    maximumBodySize: Int, deadline: ContinuousClock.Instant,
    _ continuation: CheckedContinuation<Result, Never>
  ) {
    (self.number, self.origin, self.bytes) = (number, origin, bytes)
    (self.method, self.deadline) = (request.method, deadline)
    self.maximumBodySize = maximumBodySize
    self.continuation = continuation
    parser = ResponseParser(for: method, maximumBodySize: maximumBodySize)
  }

  /// What to wait for; nil while the addresses are asked for.
  var interest: SocketPoll.Interest? {
    switch phase {
    case .resolving: nil
    case .connecting(let socket, _): SocketPoll.Interest(file: socket.file, writes: true)
    case .talking(let socket):
      SocketPoll.Interest(file: socket.file, writes: position < bytes.count)
    }
  }

  /// The next moment at which something has to be done.
  var alarm: ContinuousClock.Instant {
    if case .connecting(_, let end) = phase { return min(end, deadline) }
    return deadline
  }

  /// The connection, if it may serve another request.
  private(set) var reusable: Socket?

  func finish(_ result: Result) { continuation.resume(returning: result) }

  // MARK: Connecting

  /// Goes on with a connection that has served others.
  func talk(on kept: Socket) {
    isOnKeptConnection = true
    phase = .talking(kept)
  }

  /// Goes on when the addresses are known.
  func connect(to addresses: [SocketAddress]) -> Result? {
    self.addresses = addresses[...]
    return connectToNext(after: .notConnected("\(origin.host) has no address"))
  }

  private func connectToNext(after failure: TransportError) -> Result? {
    var failure = failure
    while let address = addresses.popFirst() {
      do throws(TransportError) {
        let socket = try Socket(connectingTo: address)
        // Each gets its share of the time, since some never answer.
        let share = ContinuousClock.now.duration(to: deadline) / (addresses.count + 1)
        phase = .connecting(socket, until: .now + share)
        return nil
      } catch {
        failure = error
      }
    }
    return .failure(failure)
  }

  // MARK: Going on

  /// Does what can be done now; the result if there is one.
  func advance(_ buffer: inout [UInt8]) -> Step {
    switch phase {
    case .resolving: return .goesOn
    case .connecting(let socket, _):
      if let failure = socket.connectionFailure() {
        let result = connectToNext(after: .notConnected("\(origin.authority): \(failure)"))
        return result.map { .ended($0) } ?? .goesOn
      }
      phase = .talking(socket)
      return talk(socket, &buffer)
    case .talking(let socket): return talk(socket, &buffer)
    }
  }

  /// Its time has come: it goes on with another address, or ends.
  func expire(at now: ContinuousClock.Instant) -> Step {
    if now >= deadline { return .ended(.failure(.timedOut)) }
    guard case .connecting(_, let end) = phase, now >= end else { return .goesOn }
    let result = connectToNext(after: .notConnected("\(origin.authority) does not answer"))
    return result.map { .ended($0) } ?? .goesOn
  }

  enum Step {
    case goesOn

    /// The kept connection was of no use: a new one is needed.
    case needsConnection
    case ended(Result)
  }

  private func talk(_ socket: Socket, _ buffer: inout [UInt8]) -> Step {
    sending: while position < bytes.count {
      switch socket.write(bytes, from: position) {
      case .done(let count): position += count
      case .later, .ended: break sending
      case .failed(let reason):
        // There may be an answer that says why.
        sendingFailure = reason
        position = bytes.count
      }
    }
    // Not for ever, for the sake of others.
    for _ in 0..<16 {
      switch socket.read(into: &buffer) {
      case .later: return .goesOn
      case .done(let count):
        do throws(TransportError) {
          if let response = try parser.read(buffer[..<count]) {
            let isWhole = position == bytes.count && sendingFailure == nil
            if parser.isReusable, isWhole { reusable = socket }
            return .ended(.success(response))
          }
        } catch {
          return .ended(.failure(error))
        }
      case .ended:
        do throws(TransportError) {
          return .ended(.success(try parser.end()))
        } catch {
          return failed(error)
        }
      case .failed(let reason): return failed(.interrupted(reason))
      }
    }
    return .goesOn
  }

  /// A server may end a connection that waits, at any time: what is harmless is then sent again.
  private func failed(_ error: TransportError) -> Step {
    guard isOnKeptConnection, !parser.hasBegun, method.isIdempotent else {
      if let sendingFailure, case .interrupted = error {
        return .ended(.failure(.interrupted(sendingFailure)))
      }
      return .ended(.failure(error))
    }
    isOnKeptConnection = false
    sendingFailure = nil
    position = 0
    phase = .resolving
    return .needsConnection
  }
}
