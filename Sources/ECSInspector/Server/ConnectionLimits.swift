#if Inspector
  import Foundation
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

      /// When a request last had the token; nil if none has had it.
      var known: ContinuousClock.Instant?

      /// Whether its socket has waited before.
      var hasSocket = false
      var isWaiting = false
    }

    private let base: any AsyncSocketPool

    /// How long a connection without the token has for all that it asks.
    private let unknownLimit: Duration

    /// By the other ends.
    private let connections = Mutex<[HTTPRequest.Address: Connection]>([:])

    /// How many connections without the token there are at a time.
    static var mostUnknown: Int { 256 }

    /// How long one with the token may be without a request.
    static var idleLimit: Duration { .seconds(120) }

    init(_ base: any AsyncSocketPool, unknownLimit: Duration) {
      (self.base, self.unknownLimit) = (base, unknownLimit)
    }

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    /// Notes that a request on a connection had the token, or is still being answered.
    func know(_ address: HTTPRequest.Address?) {
      guard let address else { return }
      let now = ContinuousClock.now
      // It has not waited yet if all came at once.
      connections.withLock { $0[address, default: Connection(start: now)].known = now }
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
      let isNew = try socket.closeOnExecution()
      // The socket that listens has no other end.
      guard let peer = try? socket.remotePeer() else {
        return try await base.suspendSocket(socket, untilReadyFor: events)
      }
      if isNew {
        // The body of an answer does not wait until the other end confirms its head, some 40 ms.
        try socket.setValue(
          true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
      }
      let address = HTTPRequest.Address.make(from: peer)
      guard let limit = begin(address, isNew: isNew, isReading: events.contains(.read)) else {
        throw SocketError.disconnected
      }
      do {
        try await wait(for: socket, events, limit: limit)
        connections.withLock { $0[address]?.isWaiting = false }
      } catch {
        connections.withLock { $0[address] = nil }
        throw error
      }
    }

    /// A connection begins to wait: how long it may, or nil if it must not.
    private func begin(
      _ address: HTTPRequest.Address, isNew: Bool, isReading: Bool
    ) -> Duration? {
      let now = ContinuousClock.now
      return connections.withLock { connections in
        var connection = connections[address]
        // What is noted of an address is of the socket that had it before, unless that has been let
        // in and has not waited yet.
        if isNew, let before = connection, before.hasSocket || hasLapsed(before, now) {
          connection = nil
        }
        guard var connection = connection ?? (isNew ? Connection(start: now) : nil) else {
          // Its time was over when it went on.
          return nil
        }
        connections[address] = nil
        if connection.known == nil, !hasRoom(&connections, now) { return nil }
        connection.hasSocket = true
        connection.isWaiting = true
        connections[address] = connection
        if connection.known != nil {
          return isReading ? ConnectionLimits.idleLimit : .seconds(1 << 30)
        }
        let limit = connection.start + unknownLimit - now
        return limit > .zero ? limit : nil
      }
    }

    /// Whether there may be another connection without the token.
    private func hasRoom(
      _ connections: inout [HTTPRequest.Address: Connection], _ now: ContinuousClock.Instant
    ) -> Bool {
      if connections.count >= ConnectionLimits.mostUnknown {
        // Those that neither wait nor were answered lately have ended.
        connections = connections.filter { $0.value.isWaiting || !hasLapsed($0.value, now) }
      }
      return connections.values.count { $0.known == nil } < ConnectionLimits.mostUnknown
    }

    /// Whether one has ended, if it does not wait.
    private func hasLapsed(_ connection: Connection, _ now: ContinuousClock.Instant) -> Bool {
      guard let known = connection.known else { return now - connection.start >= unknownLimit }
      return now - known >= ConnectionLimits.idleLimit
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

  extension Socket {
    /// Keeps a socket from programs that this one starts: they would hold it open when it has ended
    /// here.
    ///
    /// - Returns: Whether that had not been done yet, so that the socket is a new one.
    fileprivate func closeOnExecution() throws -> Bool {
      let flags = fcntl(file.rawValue, F_GETFD)
      guard flags >= 0 else { throw SocketError.disconnected }
      if flags & FD_CLOEXEC != 0 { return false }
      guard fcntl(file.rawValue, F_SETFD, flags | FD_CLOEXEC) == 0 else {
        throw SocketError.disconnected
      }
      return true
    }
  }
#endif
