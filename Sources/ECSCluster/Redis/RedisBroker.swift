/// A broker that keeps everything in Redis 6.2 or later, or in Valkey.
///
/// ```swift
/// let broker = try RedisBroker("redis://user:password@10.0.0.7:6379/0")
/// ```
///
/// Data is safe from the broker's end if Redis runs with `appendonly yes` and `appendfsync always`;
/// with `appendfsync everysec`, what came in the last second may be lost, but events and what they
/// changed are lost together. `maxmemory-policy` has to be `noeviction`.
public struct RedisBroker: Broker {
  /// Makes a connection to an address, in some time.
  public typealias Connecting =
    @Sendable (RedisAddress, Duration) throws(BrokerError) -> any ByteStream

  let address: RedisAddress
  let timeout: Duration
  let connect: Connecting

  /// Names a Redis, which is connected to when it is needed.
  ///
  /// - Parameters:
  ///   - address: `redis://user:password@host:port/database`, of which all but the host can be left
  ///     out.
  ///   - timeout: How long to wait for a connection, and for an answer or each 64 KB of it.
  ///   - connecting: Makes connections; nil for such with encryption if the address is one of
  ///     `rediss://`, which needs the package's trait `RedisTLS`, and without it otherwise.
  /// - Throws: ``ClusterError/badAddress(_:)`` if it is none, or is one of `rediss://` and nothing
  ///   makes encrypted connections.
  public init(
    _ address: String, timeout: Duration = .seconds(1), connecting: Connecting? = nil
  ) throws(ClusterError) {
    guard let parsed = RedisAddress(address) else {
      throw .badAddress(RedisAddress.withoutSecrets(address))
    }
    try self.init(parsed, timeout: timeout, connecting: connecting)
  }

  /// Names a Redis by the parts of its address.
  public init(
    _ address: RedisAddress, timeout: Duration = .seconds(1), connecting: Connecting? = nil
  ) throws(ClusterError) {
    (self.address, self.timeout) = (address, timeout)
    if let connecting {
      connect = connecting
    } else if address.isEncrypted {
      #if RedisTLS
        connect = try RedisTLS().connecting()
      #else
        throw .badAddress("rediss://\(address)")
      #endif
    } else {
      connect = RedisBroker.connectPlainly
    }
  }

  package static let connectPlainly: Connecting = { address, time throws(BrokerError) in
    try SocketStream(to: address, within: time)
  }

  /// Makes a session, which connects when it is first used.
  public func makeSession(for cluster: String) -> any BrokerSession {
    RedisSession(self, cluster)
  }
}
