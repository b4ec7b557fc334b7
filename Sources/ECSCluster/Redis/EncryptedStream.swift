#if RedisTLS
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// A connection with encryption.
  ///
  /// SwiftNIO works on it on a thread of its own, and what has come waits here.
  final class EncryptedStream: ByteStream {
    private let channel: any Channel
    private let exchange: EncryptedExchange

    /// Connects, and waits until both sides have agreed.
    ///
    /// - Throws: ``BrokerError/unreachable(_:)``, ``BrokerError/timedOut(_:)``, or
    ///   ``BrokerError/refused(_:)`` if the certificate is not that of the address, or no trusted
    ///   authority vouches for it.
    init(
      to address: RedisAddress, _ context: NIOSSLContext, name: String?, within time: Duration
    ) throws(BrokerError) {
      let exchange = EncryptedExchange()
      // An address is no name, and is compared with those of the certificate.
      let server = name ?? address.host
      let isAddress = (try? NIOCore.SocketAddress(ipAddress: server, port: address.port)) != nil
      let connection = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(TimeAmount(time))
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let handler = try NIOSSLClientHandler(
              context: context, serverHostname: isAddress ? nil : server)
            try channel.pipeline.syncOperations.addHandlers(handler, ExchangeHandler(exchange))
          }
        }
        .connect(host: address.host, port: address.port)
      connection.whenFailure { exchange.end(.unreachable("\(address): \($0)")) }
      do throws(BrokerError) {
        channel = try exchange.waitUntilReady(atMost: time)
      } catch {
        connection.whenSuccess { $0.close(promise: nil) }
        throw error
      }
      self.exchange = exchange
    }

    deinit { channel.close(promise: nil) }

    func send(_ bytes: [UInt8], from position: Int) throws(BrokerError) -> Int {
      let count = try exchange.reserve(bytes.count - position)
      if count == 0 { return 0 }
      var buffer = channel.allocator.buffer(capacity: count)
      buffer.writeBytes(bytes[position..<position + count])
      channel.writeAndFlush(buffer).whenComplete { [exchange] result in
        exchange.noteSent(count)
        if case .failure(let error) = result { exchange.end(.unreachable("\(error)")) }
      }
      return count
    }

    func receive(into buffer: inout [UInt8]) throws(BrokerError) -> Int {
      let (count, isPaused) = try exchange.take(into: &buffer)
      if isPaused { channel.setOption(.autoRead, value: true).whenFailure { _ in } }
      return count
    }

    func wait(toSend: Bool, atMost time: Duration) {
      exchange.wait(toSend: toSend, atMost: time)
    }
  }
#endif
