#if RedisTLS
  import Foundation
  import NIOSSL

  /// The encryption of connections to Redis.
  ///
  /// ```swift
  /// let broker = try RedisBroker("rediss://:password@redis.example.org")
  /// let own = try RedisBroker("rediss://10.0.0.7", tls: RedisTLS(authorities: "/etc/redis/ca.pem"))
  /// ```
  ///
  /// It is there with the package's trait `RedisTLS`, which fetches swift-nio-ssl. The other side
  /// always has to show a certificate for its name, or for the address that it has; TLS is 1.2 or
  /// later.
  public struct RedisTLS: Hashable, Sendable {
    /// The path of a file with the certificates of authorities that may vouch for the other side;
    /// nil for those that the system trusts.
    public var authorities: String?

    /// The path of a file with the certificate that this program shows, and those that vouch for
    /// it; nil for none.
    public var certificate: String?

    /// The path of the file with the certificate's key, which has no password.
    public var key: String?

    /// The name for which the other side has to show a certificate; nil for the host of the
    /// address.
    ///
    /// It is no address: in place of one, that of the connection is compared with the certificate.
    public var serverName: String?

    /// Says how connections are encrypted.
    ///
    /// Files have the format PEM.
    public init(
      authorities: String? = nil, certificate: String? = nil, key: String? = nil,
      serverName: String? = nil
    ) {
      (self.authorities, self.certificate) = (authorities, certificate)
      (self.key, self.serverName) = (key, serverName)
    }

    /// Makes connections, with files that are read now.
    ///
    /// - Throws: ``ClusterError/badCertificate(_:)``.
    func connecting() throws(ClusterError) -> RedisBroker.Connecting {
      var settings = TLSConfiguration.makeClientConfiguration()
      settings.minimumTLSVersion = .tlsv12
      let context: NIOSSLContext
      do {
        if let authorities { settings.trustRoots = .file(try RedisTLS.readable(authorities)) }
        if let certificate {
          settings.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate)
            .map { .certificate($0) }
          guard let key else { throw Missing("The certificate \(certificate) has no key") }
          settings.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        } else if let key {
          throw Missing("The key \(key) has no certificate")
        }
        context = try NIOSSLContext(configuration: settings)
      } catch {
        throw .badCertificate("\(error)")
      }
      return { [serverName] address, time throws(BrokerError) in
        try EncryptedStream(to: address, context, name: serverName, within: time)
      }
    }

    private struct Missing: Error, CustomStringConvertible {
      let description: String
      init(_ description: String) { self.description = description }
    }

    /// A path at which there is a file.
    ///
    /// A folder would be taken for one of certificates, whatever is in it.
    private static func readable(_ path: String) throws -> String {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let attributes, attributes[.type] as? FileAttributeType != .typeDirectory else {
        throw Missing("There is no file at \(path)")
      }
      return path
    }
  }

  extension RedisBroker {
    /// Names a Redis that is connected to with encryption; of the address `rediss://…`, or of
    /// `redis://…` as well.
    ///
    /// - Throws: ``ClusterError/badAddress(_:)``, or ``ClusterError/badCertificate(_:)`` if a file
    ///   can't be read.
    public init(
      _ address: String, timeout: Duration = .seconds(1), tls: RedisTLS
    ) throws(ClusterError) {
      try self.init(address, timeout: timeout, connecting: try tls.connecting())
    }
  }
#endif
