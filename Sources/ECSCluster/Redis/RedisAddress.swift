import Foundation

/// The place of a Redis, and the user that asks: `redis://user:password@host:port/database`.
public struct RedisAddress: Hashable, Sendable {
  /// The name or the address of the machine.
  public var host: String

  /// The port.
  public var port = 6379

  /// The user that asks; nil for the default user.
  public var user: String?

  /// The password; nil for none.
  public var password: String?

  /// The number of the database.
  public var database = 0

  /// Whether the connection is to be encrypted: `rediss://`.
  public var isEncrypted = false

  /// Makes an address of its parts.
  public init(
    host: String, port: Int = 6379, user: String? = nil, password: String? = nil, database: Int = 0
  ) {
    (self.host, self.port, self.user) = (host, port, user)
    (self.password, self.database) = (password, database)
  }

  /// Reads an address; nil if it is none.
  ///
  /// Users and passwords may have characters in the form `%40`.
  public init?(_ text: String) {
    let schemes = ["redis://": false, "rediss://": true]
    guard let scheme = schemes.first(where: { text.hasPrefix($0.key) }) else { return nil }
    isEncrypted = scheme.value
    var rest = text.dropFirst(scheme.key.count)
    if let slash = rest.lastIndex(of: "/"), !rest[slash...].contains("@") {
      let number = rest[rest.index(after: slash)...]
      if !number.isEmpty {
        guard let database = Int(number), database >= 0 else { return nil }
        self.database = database
      }
      rest = rest[..<slash]
    }
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = RedisAddress.decoded(parts[0]) else { return nil }
      user = name.isEmpty ? nil : name
      if parts.count == 2 {
        guard let word = RedisAddress.decoded(parts[1]) else { return nil }
        password = word
      }
      rest = rest[rest.index(after: at)...]
    }
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = String(rest[..<end])
      rest = rest[end...]
    }
    if host.isEmpty { return nil }
    if !rest.isEmpty {
      guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65535).contains(port) else {
        return nil
      }
      self.port = port
    }
  }

  /// A text that is perhaps an address, without user and password.
  static func withoutSecrets(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let scheme = text[..<at].range(of: "://").map { text[..<$0.upperBound] } ?? ""
    return "\(scheme)…\(text[at...])"
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension RedisAddress: CustomStringConvertible {
  /// The host and the port, without user and password.
  public var description: String { "\(host):\(port)" }
}
