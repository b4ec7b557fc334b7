#if RedisTLS
  import ECSCluster
  import ECSTestSupport
  import Foundation
  import Testing

  /// Encrypted connections to a real Redis, with certificates that are made for the test.
  @Suite(
    .noHangs, .ownThread, .serialized, .enabled(if: RedisServer.isThere && Certificates.canBeMade))
  struct RedisTLSTests {
    @Test func `Events travel over an encrypted connection, however large`() throws {
      let certificates = try Certificates()
      let server = try certificates.server()
      for host in ["127.0.0.1", "localhost"] {
        let broker = try certificates.broker(server, host)
        let session = broker.makeSession(for: host)
        try session.open(ClusterSettings(partitions: 1, schema: "x"))
        // More than what waits on either side before the other one is held up.
        let bytes = (0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let pack = EventPack(
          partition: 0, producer: "p", first: 1, number: 1, count: 1, bytes: bytes)
        try expectEqual(session.send([pack], limit: 9), [.accepted(waiting: 1)])
        let read = try session.read([ReadPosition(partition: 0, number: 0)], limit: 9, wait: .zero)
        expectEqual(read.map(\.bytes), [bytes])
        // One waits until the other sends.
        let other = broker.makeSession(for: host)
        try other.open(ClusterSettings(partitions: 1, schema: "x"))
        let small = EventPack(
          partition: 0, producer: "p", first: 2, number: 2, count: 1, bytes: [7])
        try expectEqual(other.send([small], limit: 9), [.accepted(waiting: 2)])
        let rest = try session.read([ReadPosition(partition: 0, number: 1)], limit: 9, wait: .zero)
        expectEqual(rest.map(\.bytes), [[7]])
      }
    }

    @Test func `The other side has to show a certificate for its name that somebody vouches for`()
      throws
    {
      // A name only, since an address would do for each name that leads there.
      let certificates = try Certificates(names: "DNS:localhost")
      let server = try certificates.server()
      let (address, authorities) = (
        "rediss://localhost:\(server.tlsPort)", certificates.path("ca.pem")
      )
      let untrusted = try RedisBroker(address, timeout: .seconds(60))
      expectRefusal { try untrusted.makeSession(for: "c").beat("w", for: .zero) }
      let wrongName = try RedisBroker(
        address, timeout: .seconds(60),
        tls: RedisTLS(authorities: authorities, serverName: "other.example"))
      expectRefusal { try wrongName.makeSession(for: "c").beat("w", for: .zero) }
      // It does not answer in the language of TLS.
      let plain = try RedisBroker(
        "rediss://localhost:\(server.port)", timeout: .milliseconds(100),
        tls: RedisTLS(authorities: authorities))
      #expect(throws: BrokerError.self) { try plain.makeSession(for: "c").beat("w", for: .zero) }
    }

    @Test func `A certificate of this program is shown where one is asked for`() throws {
      let certificates = try Certificates()
      let server = try certificates.server("--tls-auth-clients", "yes")
      let silent = try certificates.broker(server, "localhost")
      #expect(throws: BrokerError.self) { try silent.makeSession(for: "c").beat("w", for: .zero) }
      let broker = try RedisBroker(
        "rediss://localhost:\(server.tlsPort)", timeout: .seconds(60),
        tls: RedisTLS(
          authorities: certificates.path("ca.pem"), certificate: certificates.path("server.pem"),
          key: certificates.path("server.key")))
      try expectEqual(broker.makeSession(for: "c").beat("w", for: .seconds(9)), ["w"])
    }

    @Test func `A connection that ends is made again, and silence is not waited for`() throws {
      let certificates = try Certificates()
      let server = try certificates.server()
      let session = try certificates.broker(server, "localhost").makeSession(for: "c")
      try expectEqual(session.beat("w", for: .seconds(900)), ["w"])
      server.kill()
      #expect(throws: BrokerError.self) { try session.beat("w", for: .seconds(900)) }
      try server.start()
      try expectEqual(session.beat("w", for: .seconds(900)), ["w"])

      // Takes connections and says nothing.
      server.pause()
      defer { server.goOn() }
      let deaf = try RedisBroker(
        "rediss://localhost:\(server.tlsPort)", timeout: .milliseconds(100),
        tls: RedisTLS(authorities: certificates.path("ca.pem")))
      #expect(throws: BrokerError.timedOut(.milliseconds(100))) {
        try deaf.makeSession(for: "c").beat("w", for: .zero)
      }
    }

    @Test func `Files that are none are named`() throws {
      let certificates = try Certificates()
      let (key, none) = (certificates.path("server.key"), certificates.path("none.pem"))
      let wrong: [RedisTLS] = [
        RedisTLS(authorities: none), RedisTLS(authorities: certificates.path("")),
        RedisTLS(authorities: key), RedisTLS(certificate: none, key: key),
        RedisTLS(certificate: certificates.path("server.pem")), RedisTLS(key: key),
        RedisTLS(certificate: certificates.path("server.pem"), key: certificates.path("ca.pem")),
        // A key of another certificate.
        RedisTLS(certificate: certificates.path("server.pem"), key: certificates.path("ca.key")),
      ]
      for tls in wrong {
        do {
          _ = try RedisBroker("rediss://localhost", tls: tls)
          Issue.record("taken: \(tls)")
        } catch {
          guard case .badCertificate = error else {
            Issue.record("\(error)")
            continue
          }
        }
      }
    }

    private func expectRefusal(_ body: () throws -> [String]) {
      do {
        _ = try body()
        Issue.record("It is let in")
      } catch BrokerError.refused {
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  /// An authority, and a certificate of it for this machine.
  private struct Certificates {
    private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
      .split(separator: ":").map { "\($0)/openssl" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var canBeMade: Bool { path != nil }

    private let folder: TemporaryFolder

    init(names: String = "DNS:localhost,IP:127.0.0.1") throws {
      folder = try TemporaryFolder()
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", path("ca.key"), "-out", path("ca.pem"), "-days", "2", "-subj", "/CN=authority")
      try openssl(
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", path("server.key"), "-out", path("server.csr"), "-subj", "/CN=localhost")
      try Data("subjectAltName=\(names)\n".utf8).write(
        to: URL(fileURLWithPath: path("names")))
      try openssl(
        "x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
        "-CAcreateserial", "-days", "2", "-extfile", path("names"), "-out", path("server.pem"))
    }

    func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    func server(_ options: String...) throws -> RedisServer {
      try RedisServer(
        options: [
          "--tls-cert-file", path("server.pem"), "--tls-key-file", path("server.key"),
          "--tls-ca-cert-file", path("ca.pem"),
        ] + (options.isEmpty ? ["--tls-auth-clients", "no"] : options), isEncrypted: true)
    }

    func broker(_ server: RedisServer, _ host: String) throws -> RedisBroker {
      try RedisBroker(
        "rediss://\(host):\(server.tlsPort)", timeout: .seconds(60),
        tls: RedisTLS(authorities: path("ca.pem")))
    }

    private func openssl(_ words: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Certificates.path ?? "")
      process.arguments = words
      process.standardError = FileHandle.nullDevice
      try process.start()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
  }

  /// Is removed with what is in it when it is no longer needed.
  private final class TemporaryFolder {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID())")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }
#endif
