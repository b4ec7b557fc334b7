import Foundation

extension HTTPRequest {
  /// What the transport writes itself.
  private static let ownFields = [
    "host", "content-length", "connection", "transfer-encoding", "keep-alive", "te", "upgrade",
    "expect",
  ]

  /// Refuses what would not be one request at the place that was meant.
  ///
  /// - Throws: ``TransportError/badRequest(_:)``.
  func check() throws(TransportError) {
    guard isToken(method.rawValue) else {
      throw .badRequest("'\(method.rawValue)' is no method")
    }
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
      throw .badRequest("\(url) is neither http nor https")
    }
    guard let host = url.host, !host.isEmpty else { throw .badRequest("\(url) names no host") }
    // It is decoded, and written to the header.
    guard isHost(host) else { throw .badRequest("\(url) names a host that can't be one") }
    // They would go into the header of any server that the URL names.
    guard url.user == nil, url.password == nil else {
      throw .badRequest("the URL for \(host) has a user or a password, which belong in the header")
    }
    guard timeout > .zero else { throw .badRequest("there is no time for it: \(timeout)") }
    for field in headers.fields {
      guard isToken(field.name) else { throw .badRequest("'\(field.name)' is no name of a field") }
      let size = field.name.utf8.count
      guard
        !HTTPRequest.ownFields.contains(where: {
          $0.utf8.count == size && $0.isSameName(as: field.name)
        })
      else {
        throw .badRequest("the transport writes the field \(field.name) itself")
      }
      // Without the value, which may be secret.
      guard field.value.isFieldValue else {
        throw .badRequest("the field \(field.name) has a control character")
      }
    }
  }

  /// Whether it is a name or an address, as it would be in the header.
  private func isHost(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._~:[]%".utf8.contains(byte)
      }
    }
  }

  private func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension String {
  /// Whether it can be the value of a field of a header.
  var isFieldValue: Bool {
    unicodeScalars.allSatisfy { $0 == "\t" || ($0 >= " " && $0 != "\u{7F}") }
  }
}
