import ECSRemote
import Foundation

/// What goes wrong with requests, one after the other; then nothing does.
// Guarded by its lock.
final class Faults: @unchecked Sendable {
  enum Fault {
    /// The server never hears of it.
    case error(TransportError)

    /// The server does it, and the answer is lost.
    case errorAfter(TransportError)

    /// The server does nothing.
    case status(Int)

    /// The server does it, and half of the answer comes.
    case broken

    /// The server does it, and something else comes.
    case wrong
  }

  private let lock = NSLock()
  private var faults: [Fault]

  init(_ faults: [Fault]) { self.faults = faults.reversed() }

  /// The next request fails.
  func add(_ fault: Fault) { lock.withLock { faults.insert(fault, at: 0) } }

  func answer(
    _ request: HTTPRequest, _ server: PostServer
  ) throws(TransportError) -> HTTPResponse {
    let fault = lock.withLock { faults.popLast() }
    return try fault.answer(request, server)
  }
}

extension Faults.Fault? {
  func answer(
    _ request: HTTPRequest, _ server: PostServer
  ) throws(TransportError) -> HTTPResponse {
    switch self {
    case nil: return server.answer(request)
    case .error(let error): throw error
    case .errorAfter(let error):
      _ = server.answer(request)
      throw error
    case .status(let status): return HTTPResponse(status)
    case .broken:
      var answer = server.answer(request)
      answer.body = answer.body.prefix(max(1, answer.body.count / 2))
      return answer.status < 300 && answer.status != 204 ? answer : HTTPResponse(502)
    case .wrong:
      let answer = server.answer(request)
      return answer.status < 300 ? .json(#"{"id":{},"title":7}"#) : answer
    }
  }
}

/// Something that is on or off.
// Guarded by its lock.
final class Switch: @unchecked Sendable {
  private let lock = NSLock()
  private var state = false
  var isOn: Bool {
    get { lock.withLock { state } }
    set { lock.withLock { state = newValue } }
  }
}

// Guarded by its lock.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  var value: Int { lock.withLock { count } }

  @discardableResult
  func add(_ number: Int) -> Int {
    lock.withLock {
      count += number
      return count
    }
  }

  func atLeast(_ number: Int) { lock.withLock { count = max(count, number) } }
}
