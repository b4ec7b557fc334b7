import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation

/// The way to the server, which loses things, and on which the process may die.
// Guarded by its lock.
final class Courier: @unchecked Sendable {
  private let lock = NSLock()
  private let server: PostServer
  private var random: SplitMix64
  private var isAlive = true
  private var isCalm = false
  private var gate: Gate?

  /// Takes something from each request.
  private let loss: @Sendable (inout HTTPRequest) -> Void

  init(
    _ server: PostServer, seed: UInt64,
    losing loss: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }
  ) {
    (self.server, self.loss) = (server, loss)
    random = SplitMix64(seed: seed)
  }

  var isDead: Bool { lock.withLock { !isAlive } }

  /// From now on nothing reaches the server or the disk.
  func die() { lock.withLock { isAlive = false } }

  /// From now on nothing goes wrong, if it has not before: false if the process is dead.
  func calm() -> Bool {
    lock.withLock {
      isCalm = true
      return isAlive
    }
  }

  /// Does something that a process does as a whole or not at all.
  func live<Value>(_ body: () throws -> Value) throws -> Value {
    try lock.withLock {
      if !isCalm, random.oneIn(50) { isAlive = false }
      guard isAlive else { throw TransportError.cancelled }
      return try body()
    }
  }

  // MARK: Slow answers

  var isHolding: Bool { lock.withLock { gate != nil } }

  /// From now on answers are on their way, until they are released.
  func hold() { lock.withLock { gate = gate ?? Gate() } }

  func release() async {
    let gate = lock.withLock {
      defer { self.gate = nil }
      return self.gate
    }
    await gate?.open()
  }

  func bring(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let answer = try carry(request)
    if request.url.lastPathComponent == "events" { return answer }
    await lock.withLock({ gate })?.pass()
    if isDead { throw .cancelled }
    return answer
  }

  // Whole events, but for the last one.
  private func feed(_ request: HTTPRequest) -> HTTPResponse {
    let number = Int(request.headers["Last-Event-ID"] ?? "0") ?? 0
    var body = Data(server.feed(after: number).utf8)
    if !isCalm, random.oneIn(3) { body = body.prefix(random.below(body.count + 1)) }
    return HTTPResponse(200, headers: ["Content-Type": "text/event-stream"], body: body)
  }

  private func carry(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    lock.lock()
    defer { lock.unlock() }
    guard isAlive else { throw .cancelled }
    if request.url.lastPathComponent == "events" { return feed(request) }
    var request = request
    loss(&request)
    if isCalm { return server.answer(request) }
    let fault: Faults.Fault?
    switch random.below(100) {
    case 0..<5: fault = .error(.notConnected("away"))
    case 5..<9: fault = .error(.timedOut)
    case 9..<17: fault = .errorAfter(.interrupted("away"))
    case 17..<22: fault = .broken
    case 22..<26: fault = .wrong
    case 26..<40:
      let isDone = server.hasDone(request.headers["Idempotency-Key"])
      let statuses = [500, 503, 429, 408, 409] + (isDone ? [] : [412, 422])
      fault = .status(statuses[random.below(statuses.count)])
    case 40..<42:
      isAlive = false
      throw .cancelled
    case 42..<45:
      isAlive = false
      fault = .errorAfter(.cancelled)
    default: fault = nil
    }
    return try fault.answer(request, server)
  }
}
