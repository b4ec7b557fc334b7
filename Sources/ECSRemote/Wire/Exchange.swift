import Foundation
import Sockets

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

  /// The receiver of the answer.
  enum Delivery {
    case whole(CheckedContinuation<Result, Never>)

    /// The head first, then the body, and how many bytes of the request's body were sent.
    case parts(BodyPipe, head: Promise<Result>, sent: @Sendable (Int) -> Void)
  }

  let number: Int
  let origin: Origin
  private(set) var deadline: ContinuousClock.Instant
  private let request: HTTPRequest
  private let bytes: [UInt8]
  private let maximumBodySize: Int
  private let delivery: Delivery

  /// Whether the reader has enough for now.
  private var isPaused = false

  private(set) var phase = Phase.resolving
  private var addresses: ArraySlice<SocketAddress> = []
  private var parser: ResponseParser
  private var position = 0
  private var isOnKeptConnection = false

  /// Whether the head was handed over.
  private var isBegun = false
  private var sendingFailure: String?

  init(
    _ number: Int, _ request: HTTPRequest, to origin: Origin, _ bytes: [UInt8],
    maximumBodySize: Int, deadline: ContinuousClock.Instant,
    _ delivery: Delivery
  ) {
    (self.number, self.origin, self.bytes) = (number, origin, bytes)
    (self.request, self.deadline) = (request, deadline)
    self.maximumBodySize = maximumBodySize
    self.delivery = delivery
    parser = ResponseParser(for: request.method, maximumBodySize: maximumBodySize)
  }

  /// What to wait for; nil while the addresses are asked for, and while the reader wants no more.
  var interest: SocketPoll.Interest? {
    switch phase {
    case .resolving: nil
    case .talking where isPaused: nil
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

  func finish(_ result: Result) {
    switch delivery {
    case .whole(let continuation): continuation.resume(returning: result)
    case .parts(let pipe, let head, _):
      head.fire(result)
      pipe.finish(result.map { _ in })
    }
  }

  // MARK: Delivering

  /// There is room for more.
  func resume() { isPaused = false }

  // Hands over what has come, if it goes on part by part; false if that is enough for now.
  private func deliver() throws(TransportError) -> Bool {
    guard case .parts(let pipe, let head, _) = delivery, var answer = parser.head else {
      return true
    }
    if !isBegun {
      try request.checkCoding(of: answer.headers)
      isBegun = true
      // From now on it may take any time: the reader has a deadline.
      deadline = .now + .seconds(1 << 32)
      answer.body = Data()
      head.fire(.success(answer))
    }
    let part = parser.takeBody()
    isPaused = !part.isEmpty && !pipe.write(part)
    return !isPaused
  }

  private func noteSent() {
    guard case .parts(_, _, let sent) = delivery, let body = request.body else { return }
    let count = position - (bytes.count - body.count)
    if count > 0 { sent(count) }
  }

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
      do throws(SocketFailure) {
        let socket = try Socket(connectingTo: address)
        // Each gets its share of the time, since some never answer.
        let share = ContinuousClock.now.duration(to: deadline) / (addresses.count + 1)
        phase = .connecting(socket, until: .now + share)
        return nil
      } catch {
        failure = .notConnected(error.description)
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
      case .done(let count):
        position += count
        noteSent()
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
          let response = try parser.read(buffer[..<count])
          let hasRoom = try deliver()
          if let response {
            if case .whole = delivery { try request.checkCoding(of: response.headers) }
            let isWhole = position == bytes.count && sendingFailure == nil
            if parser.isReusable, isWhole { reusable = socket }
            return .ended(.success(response))
          }
          if !hasRoom { return .goesOn }
        } catch {
          return .ended(.failure(error))
        }
      case .ended:
        do throws(TransportError) {
          let response = try parser.end()
          if case .whole = delivery { try request.checkCoding(of: response.headers) }
          return .ended(.success(response))
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
    guard isOnKeptConnection, !parser.hasBegun, request.method.isIdempotent else {
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
