#if Inspector
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import HTTPServing
  import Testing

  /// Connections from several addresses of this machine, of which only Linux has more than one.
  @Suite(.noHangs, .enabled(if: LocalClient.hasAddresses)) struct AddressTests {
    @Test func `connections of other addresses are counted each`() async throws {
      let visitor = try await Visitor()
      var clients: [LocalClient] = []
      while clients.count < 300 {
        // The same port of each address; where it is taken, another one.
        let first = try LocalClient("127.0.0.2", to: visitor)
        let others = (3...6).compactMap {
          try? LocalClient("127.0.0.\($0)", port: first.port, to: visitor)
        }
        clients += [first] + others
      }
      // Those that are too many end at once, though each has an hour.
      while try clients.count(where: { try $0.isOpen() }) > 256 { await pause() }
    }

    @Test func `a connection with the token lets no other one of its port in`() async throws {
      let visitor = try await Visitor(unknownLimit: .seconds(2))
      let known = try await LocalClient.known("127.0.0.2", to: visitor)
      let unknown = try LocalClient("127.0.0.3", port: known.port, to: visitor)
      while try unknown.isOpen() { await pause() }
      await expectEqual(known.status(of: visitor.request("GET", "/api/program")), 200)
    }

    @Test func `a connection that comes after one with the token has not shown it`() async throws {
      let visitor = try await Visitor(unknownLimit: .seconds(2))
      let witness = try await LocalClient.known("127.0.0.5", to: visitor)
      let known = try await LocalClient.known("127.0.0.4", to: visitor)
      let port = known.port
      // It waits for the next request before it ends.
      try await Task.sleep(for: .milliseconds(200))
      known.close()
      // The system may keep the address for a moment.
      var next = try? LocalClient("127.0.0.4", port: port, to: visitor)
      while next == nil {
        await pause()
        next = try? LocalClient("127.0.0.4", port: port, to: visitor)
      }
      while try next?.isOpen() == true { await pause() }
      // Had it the two minutes of one with the token, this one's would be over before.
      await expectEqual(witness.status(of: visitor.request("GET", "/api/program")), 200)
    }
  }

  /// A connection from an address of this machine.
  private final class LocalClient {
    let port: UInt16
    private let socket: HTTPServing.Socket
    private var isClosed = false

    /// Whether there are several addresses.
    static var hasAddresses: Bool {
      (try? Socket.bound("127.0.0.2", 0).close()) != nil
    }

    init(_ address: String, port: UInt16 = 0, to visitor: Visitor) throws {
      socket = try Socket.bound(address, port)
      do {
        try socket.connect(to: try .inet(ip4: "127.0.0.1", port: UInt16(visitor.port)))
        guard case .ip4(_, let port) = try socket.sockname() else {
          throw SocketError.unsupportedAddress
        }
        self.port = port
        try socket.setFlags(.nonBlocking)
      } catch {
        try? socket.close()
        throw error
      }
    }

    deinit { close() }

    func close() {
      if !isClosed { try? socket.close() }
      isClosed = true
    }

    /// Whether the other end keeps it.
    func isOpen() throws -> Bool {
      do {
        _ = try socket.read(atMost: 4_096)
        return true
      } catch SocketError.blocked {
        return true
      } catch {
        return false
      }
    }

    /// One that has shown the token: another one, if it has ended before its turn came.
    static func known(_ address: String, to visitor: Visitor) async throws -> LocalClient {
      while true {
        let client = try LocalClient(address, to: visitor)
        if await client.status(of: visitor.request("GET", "/api/program")) == 200 { return client }
      }
    }

    /// The status of the answer to a request; nil if the connection ends before.
    func status(of request: String) async -> Int? {
      var text = ""
      do {
        _ = try socket.write(Data(request.utf8))
        while !text.hasSuffix("}") {
          do {
            text += String(decoding: try socket.read(atMost: 4_096), as: UTF8.self)
          } catch SocketError.blocked {
            await pause()
          }
        }
      } catch {
        return nil
      }
      return Int(text.dropFirst(9).prefix(3))
    }
  }

  extension HTTPServing.Socket {
    /// A socket at an address of this machine.
    static func bound(_ address: String, _ port: UInt16) throws -> HTTPServing.Socket {
      let socket = try HTTPServing.Socket(domain: AF_INET)
      do {
        // Programs that other tests start would keep it open.
        _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: try .inet(ip4: address, port: port))
        return socket
      } catch {
        try? socket.close()
        throw error
      }
    }
  }
#endif
