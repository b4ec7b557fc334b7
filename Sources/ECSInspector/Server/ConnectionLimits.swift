#if Inspector
  import HTTPServing
  import Synchronization

  /// Limits of connections, kept where these wait for bytes to come or go.
  ///
  /// A connection that has not shown the token has some seconds, and there are only so many of them:
  /// whatever can connect could take all descriptors of the program otherwise. One that has shown it
  /// may wait for longer, and for as long as it likes while a stream is sent.
  final class ConnectionLimits: AsyncSocketPool {
    private struct Connection {
      let start: ContinuousClock.Instant
      var isKnown = false
      var isWaiting = false
    }

    private let base: any AsyncSocketPool

    /// By the ports of the other ends.
    private let connections = Mutex<[UInt16: Connection]>([:])

    /// How many connections without the token there are at a time.
    static var mostUnknown: Int { 256 }

    /// How long one without the token has for all that it asks.
    static var unknownLimit: Duration { .seconds(10) }

    /// How long one with the token may be without a request.
    static var idleLimit: Duration { .seconds(120) }

    init(_ base: any AsyncSocketPool) { self.base = base }

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    /// Notes that a request on a connection had the token.
    func know(_ address: HTTPRequest.Address?) {
      guard case .ip4(_, let port)? = address else { return }
      // It has not waited yet if all came at once.
      connections.withLock { $0[port, default: Connection(start: .now)].isKnown = true }
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
      // The socket that listens has no other end.
      guard case .ip4(_, let port)? = try? socket.remotePeer() else {
        return try await base.suspendSocket(socket, untilReadyFor: events)
      }
      guard let limit = begin(port, isReading: events.contains(.read)) else {
        throw SocketError.disconnected
      }
      do {
        try await wait(for: socket, events, limit: limit)
        connections.withLock { $0[port]?.isWaiting = false }
      } catch {
        connections.withLock { $0[port] = nil }
        throw error
      }
    }

    /// A connection begins to wait: how long it may, or nil if there are too many.
    private func begin(_ port: UInt16, isReading: Bool) -> Duration? {
      let now = ContinuousClock.now
      return connections.withLock { connections in
        var connection = connections[port] ?? Connection(start: now)
        if !connection.isKnown {
          // Of one that has ended, the port may have come to another one.
          if now - connection.start >= ConnectionLimits.unknownLimit {
            connection = Connection(start: now)
          }
          if connections[port] == nil, !hasRoom(&connections, now) { return nil }
        }
        connection.isWaiting = true
        connections[port] = connection
        if connection.isKnown { return isReading ? ConnectionLimits.idleLimit : .seconds(1 << 30) }
        return connection.start + ConnectionLimits.unknownLimit - now
      }
    }

    private func hasRoom(
      _ connections: inout [UInt16: Connection], _ now: ContinuousClock.Instant
    ) -> Bool {
      func unknown() -> Int { connections.values.count { !$0.isKnown } }
      if connections.count >= ConnectionLimits.mostUnknown {
        // Those that neither wait nor were answered lately have ended.
        connections = connections.filter {
          $0.value.isWaiting || now - $0.value.start < ConnectionLimits.unknownLimit
        }
      }
      return connections.count < ConnectionLimits.mostUnknown
        || unknown() < ConnectionLimits.mostUnknown
    }

    private func wait(
      for socket: Socket, _ events: Socket.Events, limit: Duration
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { [base] in
          try await base.suspendSocket(socket, untilReadyFor: events)
        }
        group.addTask {
          try await Task.sleep(for: limit)
          throw SocketError.disconnected
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
#endif
