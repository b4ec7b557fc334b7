#if RedisTLS
  import Dispatch
  import Foundation
  import NIOCore
  import NIOSSL
  import NIOTLS

  /// The bytes that have come over a connection, and those on their way: between SwiftNIO's thread
  /// and the one that asks.
  // Guarded by the lock.
  final class EncryptedExchange: @unchecked Sendable {
    /// How many bytes wait here or there before one side waits for the other.
    private static let limit = 1 << 20

    private let lock = NSLock()
    private let bell = DispatchSemaphore(value: 0)
    private var isAwaited = false
    private var isAbandoned = false
    private var readyChannel: (any Channel)?
    private var received = ByteBuffer()
    private var isPaused = false
    private var unsent = 0
    private var failure: BrokerError?

    // MARK: On SwiftNIO's thread

    /// Says that both sides have agreed; the answer is whether the connection is still wanted.
    func begin(_ channel: any Channel) -> Bool {
      lock.withLock {
        if isAbandoned { return false }
        readyChannel = channel
        ring()
        return true
      }
    }

    /// Keeps what has come; the answer is whether to read on.
    func append(_ bytes: inout ByteBuffer) -> Bool {
      lock.withLock {
        received.writeBuffer(&bytes)
        isPaused = received.readableBytes >= Self.limit
        ring()
        return !isPaused
      }
    }

    /// The first reason counts.
    func end(_ error: BrokerError) {
      lock.withLock {
        if failure == nil { failure = error }
        ring()
      }
    }

    func noteSent(_ count: Int) {
      lock.withLock {
        unsent -= count
        ring()
      }
    }

    private func ring() {
      guard isAwaited else { return }
      isAwaited = false
      bell.signal()
    }

    // MARK: On the thread that asks

    func waitUntilReady(atMost time: Duration) throws(BrokerError) -> any Channel {
      rest(until: EncryptedExchange.deadline(time)) { readyChannel != nil || failure != nil }
      let result: Result<any Channel, BrokerError> = lock.withLock {
        defer { readyChannel = nil }
        if let failure { return .failure(failure) }
        if let readyChannel { return .success(readyChannel) }
        isAbandoned = true
        return .failure(.timedOut(time))
      }
      return try result.get()
    }

    /// How many bytes of some can be sent now.
    func reserve(_ count: Int) throws(BrokerError) -> Int {
      let result: Result<Int, BrokerError> = lock.withLock {
        if let failure { return .failure(failure) }
        let taken = max(0, min(count, Self.limit - unsent))
        unsent += taken
        return .success(taken)
      }
      return try result.get()
    }

    /// Moves what has come; also says whether the other side was held up until now.
    func take(into buffer: inout [UInt8]) throws(BrokerError) -> (count: Int, wasPaused: Bool) {
      lock.lock()
      defer { lock.unlock() }
      let count = min(buffer.count, received.readableBytes)
      if count == 0 {
        if let failure { throw failure }
        return (0, false)
      }
      received.readWithView(count) { buffer.replaceSubrange(0..<count, with: $0) }
      received.discardReadBytes()
      guard isPaused, received.readableBytes < Self.limit / 2 else { return (count, false) }
      isPaused = false
      return (count, true)
    }

    func wait(toSend: Bool, atMost time: Duration) {
      rest(until: EncryptedExchange.deadline(time)) {
        received.readableBytes > 0 || failure != nil || toSend && unsent < Self.limit
      }
    }

    /// Waits until something is so, which is asked with the lock held.
    private func rest(until end: DispatchTime, _ isDone: () -> Bool) {
      while true {
        let isOver = lock.withLock {
          isAwaited = !isDone()
          return !isAwaited
        }
        if isOver || bell.wait(timeout: end) == .timedOut { return }
      }
    }

    /// By a clock that is never set; at most an hour from now.
    private static func deadline(_ time: Duration) -> DispatchTime {
      .now() + min(time, .seconds(3600)) / .seconds(1)
    }
  }

  extension ByteBuffer {
    fileprivate mutating func readWithView(_ count: Int, _ body: (ByteBufferView) -> Void) {
      body(readableBytesView.prefix(count))
      moveReaderIndex(forwardBy: count)
    }
  }

  /// Hands over what comes to the side that asks.
  final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let exchange: EncryptedExchange
    private var isReady = false

    init(_ exchange: EncryptedExchange) { self.exchange = exchange }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var bytes = unwrapInboundIn(data)
      if exchange.append(&bytes) { return }
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .handshakeCompleted = event as? TLSUserEvent {
        isReady = true
        if !exchange.begin(context.channel) { context.close(promise: nil) }
      }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // What comes before both have agreed is about certificates, and does not pass by itself.
      let isRefusal =
        !isReady && (error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError)
      exchange.end(isRefusal ? .refused("\(error)") : .unreachable("\(error)"))
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      exchange.end(.unreachable("The broker has ended the connection"))
      context.fireChannelInactive()
    }
  }
#endif
