import Dispatch
import Foundation
import Sockets

/// Carries out exchanges with servers, all of them on one queue, which is free when there are none.
// Messages are guarded by the lock, all else by the queue.
final class SocketLoop: @unchecked Sendable {
  private enum Message {
    case begin(Exchange)
    case resolved(Origin, Result<[SocketAddress], TransportError>)
    case cancel(Int)
    case resume(Int)
  }

  private let queue = DispatchQueue(label: "ECSRemote.SocketLoop")
  private let poll: SocketPoll
  private let lock = NSLock()
  private var messages: [Message] = []
  private var isRunning = false
  private var lastNumber = 0

  private var exchanges: [Exchange] = []
  private var waiting: [Origin: [Exchange]] = [:]
  private let kept = KeptConnections()
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init() throws(TransportError) {
    do throws(SocketFailure) {
      poll = try SocketPoll()
    } catch {
      throw .notConnected(error.description)
    }
  }

  deinit { queue.async { [kept] in kept.dropAll() } }

  // MARK: From any thread

  /// A number for an exchange.
  func makeNumber() -> Int {
    lock.withLock {
      lastNumber += 1
      return lastNumber
    }
  }

  func begin(_ exchange: Exchange) { send(.begin(exchange)) }

  /// Ends an exchange; nothing if it has not begun or is over.
  func cancel(_ number: Int) { send(.cancel(number)) }

  /// The reader of an answer that comes part by part wants more.
  func resume(_ number: Int) { send(.resume(number)) }

  private func send(_ message: Message) {
    let starts = lock.withLock {
      messages.append(message)
      defer { isRunning = true }
      return !isRunning
    }
    if starts { queue.async { self.run() } } else { poll.wake() }
  }

  // MARK: On the queue

  private func run() {
    while let messages = nextMessages() {
      for message in messages { handle(message) }
      let now = ContinuousClock.now
      settle(exchanges.filter { $0.alarm <= now }) { $0.expire(at: now) }
      expireWaiting(now)
      guard !exchanges.isEmpty || !waiting.isEmpty else { continue }
      let all = exchanges + waiting.values.joined()
      let alarm = all.map(\.alarm).min() ?? now
      let interests = exchanges.compactMap(\.interest)
      let ready = poll.wait(for: interests, atMost: ContinuousClock.now.duration(to: alarm))
      let files = Set(zip(interests, ready).filter(\.1).map(\.0.file))
      settle(exchanges.filter { $0.interest.map { files.contains($0.file) } ?? false }) {
        $0.advance(&buffer)
      }
    }
    kept.dropOld(later: queue)
  }

  /// What has come; nil, and the loop ends, if nothing is to be done.
  private func nextMessages() -> [Message]? {
    lock.withLock {
      if messages.isEmpty, exchanges.isEmpty, waiting.isEmpty {
        isRunning = false
        return nil
      }
      defer { messages = [] }
      return messages
    }
  }

  private func handle(_ message: Message) {
    switch message {
    case .begin(let exchange): start(exchange)
    case .resolved(let origin, let result):
      let resolved = waiting.removeValue(forKey: origin) ?? []
      exchanges += resolved
      settle(resolved) { exchange in
        switch result {
        case .success(let addresses): exchange.connect(to: addresses).map { .ended($0) } ?? .goesOn
        case .failure(let error): .ended(.failure(error))
        }
      }
    case .cancel(let number):
      for (origin, list) in waiting {
        guard let exchange = list.first(where: { $0.number == number }) else { continue }
        waiting[origin] = list.filter { $0 !== exchange }
        exchange.finish(.failure(.cancelled))
      }
      settle(exchanges.filter { $0.number == number }) { _ in .ended(.failure(.cancelled)) }
    case .resume(let number):
      settle(exchanges.filter { $0.number == number }) {
        $0.resume()
        return $0.advance(&buffer)
      }
    }
    for (origin, list) in waiting where list.isEmpty { waiting[origin] = nil }
  }

  private func start(_ exchange: Exchange) {
    guard let socket = kept.take(for: exchange.origin) else { return resolve(exchange) }
    exchange.talk(on: socket)
    exchanges.append(exchange)
    settle([exchange]) { $0.advance(&buffer) }
  }

  /// Asks for the addresses, on another thread: that may take any time.
  private func resolve(_ exchange: Exchange) {
    let origin = exchange.origin
    waiting[origin, default: []].append(exchange)
    guard waiting[origin]?.count == 1 else { return }
    DispatchQueue.global().async {
      let result = Result { () throws(TransportError) in
        do throws(SocketFailure) {
          return try SocketAddress.addresses(of: origin.host, port: origin.port)
        } catch {
          throw .notConnected(error.description)
        }
      }
      self.send(.resolved(origin, result))
    }
  }

  private func expireWaiting(_ now: ContinuousClock.Instant) {
    for (origin, list) in waiting {
      let late = list.filter { $0.deadline <= now }
      guard !late.isEmpty else { continue }
      let rest = list.filter { $0.deadline > now }
      waiting[origin] = rest.isEmpty ? nil : rest
      for exchange in late { exchange.finish(.failure(.timedOut)) }
    }
  }

  /// Takes a step of some exchanges, and ends those that are done.
  private func settle(_ some: [Exchange], _ step: (Exchange) -> Exchange.Step) {
    for exchange in some {
      switch step(exchange) {
      case .goesOn: break
      case .needsConnection:
        exchanges.removeAll { $0 === exchange }
        resolve(exchange)
      case .ended(let result):
        exchanges.removeAll { $0 === exchange }
        if let socket = exchange.reusable { kept.keep(socket, for: exchange.origin) }
        exchange.finish(result)
      }
    }
  }
}
