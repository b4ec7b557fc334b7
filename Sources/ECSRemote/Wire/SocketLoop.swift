import Dispatch
import Foundation

/// Carries out exchanges with servers, all of them on one queue, which is free when there are none.
// Messages are guarded by the lock, all else by the queue.
final class SocketLoop: @unchecked Sendable {
  private enum Message {
    case begin(Exchange)
    case resolved(Origin, Result<[SocketAddress], TransportError>)
    case cancel(Int)
  }

  private struct Kept {
    let socket: Socket
    let since: ContinuousClock.Instant
  }

  /// How long a connection is kept without use; servers usually end it after five seconds to minutes.
  private static let longestRest = Duration.seconds(30)
  private static let keptForEach = 8

  private let queue = DispatchQueue(label: "ECSRemote.SocketLoop")
  private let poll: SocketPoll
  private let lock = NSLock()
  private var messages: [Message] = []
  private var isRunning = false
  private var lastNumber = 0

  private var exchanges: [Exchange] = []
  private var waiting: [Origin: [Exchange]] = [:]
  private var kept: [Origin: [Kept]] = [:]
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init() throws(TransportError) { poll = try SocketPoll() }

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
    dropKept(before: .now - SocketLoop.longestRest)
    guard !kept.isEmpty else { return }
    queue.asyncAfter(deadline: .now() + 31) { [weak self] in
      self?.dropKept(before: .now - SocketLoop.longestRest)
    }
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
    }
    for (origin, list) in waiting where list.isEmpty { waiting[origin] = nil }
  }

  private func start(_ exchange: Exchange) {
    dropKept(before: .now - SocketLoop.longestRest)
    while let last = kept[exchange.origin]?.popLast() {
      guard last.socket.isQuiet else { continue }
      exchange.talk(on: last.socket)
      exchanges.append(exchange)
      return settle([exchange]) { $0.advance(&buffer) }
    }
    resolve(exchange)
  }

  /// Asks for the addresses, on another thread: that may take any time.
  private func resolve(_ exchange: Exchange) {
    let origin = exchange.origin
    waiting[origin, default: []].append(exchange)
    guard waiting[origin]?.count == 1 else { return }
    DispatchQueue.global().async {
      let result = Result { () throws(TransportError) in
        try SocketAddress.addresses(of: origin.host, port: origin.port)
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
        if let socket = exchange.reusable { keep(socket, for: exchange.origin) }
        exchange.finish(result)
      }
    }
  }

  private func keep(_ socket: Socket, for origin: Origin) {
    var list = kept[origin] ?? []
    if list.count >= SocketLoop.keptForEach { list.removeFirst() }
    list.append(Kept(socket: socket, since: .now))
    kept[origin] = list
  }

  private func dropKept(before moment: ContinuousClock.Instant) {
    for (origin, list) in kept {
      let rest = list.filter { $0.since > moment }
      kept[origin] = rest.isEmpty ? nil : rest
    }
  }
}
