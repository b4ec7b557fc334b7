#if ExampleServer || Inspector
  /// A server that listens on an address of IPv4.
  package struct RunningServer: Sendable {
    /// The port that it listens on.
    package let port: UInt16
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server.
    ///
    /// - Returns: When it listens.
    /// - Throws: Why it can't.
    package init(_ server: HTTPServer) async throws {
      let listening = Task { try await server.waitUntilListening() }
      let running = Task {
        // One that could not begin would be waited for all the same.
        defer { listening.cancel() }
        try await server.run()
      }
      do {
        try await withTaskCancellationHandler {
          try await listening.value
        } onCancel: {
          listening.cancel()
        }
      } catch {
        running.cancel()
        // It says why it could not begin.
        try await running.value
        throw error
      }
      guard case .ip4(_, let port)? = await server.listeningAddress else {
        throw SocketError.unsupportedAddress
      }
      (self.server, self.running, self.port) = (server, running, port)
    }

    /// Waits until it ends.
    package func wait() async throws { try await running.value }

    /// Ends it, with all connections.
    package func stop() async {
      await server.stop()
      running.cancel()
      _ = await running.result
    }
  }
#endif
