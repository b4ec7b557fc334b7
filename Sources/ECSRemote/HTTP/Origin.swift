import Foundation

/// The address of a server: what may share connections and secrets.
struct Origin: Hashable, Sendable {
  let scheme: String

  /// In lower case, without the brackets of addresses.
  let host: String
  let port: Int

  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      var host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    guard (1...65_535).contains(port) else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    (self.scheme, self.host, self.port) = (scheme, host, port)
  }

  /// As the field `Host` says it.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
  }
}
