import ECSRecipes
import Foundation

/// The address of something of a resource.
struct ResourceURL: Sendable {
  let url: URL

  /// Where the resource was when that was put together.
  let base: URL
}

extension Resource {
  /// The URL of all, of one, or of what is related to one; one that is known if the resource is
  /// still where it was then.
  ///
  /// - Throws: ``RemoteError/hook(_:)``, ``RemoteError/badKey(_:)``.
  func url(
    key: JSONValue?, then name: String?, query: JSONObject, known: ResourceURL? = nil
  ) throws(RemoteError) -> ResourceURL {
    let base: URL
    do {
      base = try url()
    } catch {
      throw .hook("the URL of \(self.name): \(error)")
    }
    // PERFORMANCE: To put URLs together takes longer than most of a small request (H2).
    if let known, known.base == base { return known }
    var steps: [String] = []
    if let key { steps.append(try Resource.text(ofKey: key)) }
    if let name { steps.append(name) }
    let url = try Resource.url(base, of: self.name, then: steps, query: query)
    return ResourceURL(url: url, base: base)
  }

  /// A URL with more parts of its path, and more parameters.
  ///
  /// - Throws: ``RemoteError/hook(_:)``, with the name of whose URL it is.
  static func url(
    _ base: URL, of name: String, then steps: [String], query: JSONObject
  ) throws(RemoteError) -> URL {
    let texts = query.isEmpty ? [] : query.flatMap { Resource.texts($0.key, $0.value) }
    if let url = Resource.extended(base, steps, texts) { return url }
    guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
      throw .hook("the URL of \(name): \(base) can't be taken apart")
    }
    var path = parts.percentEncodedPath
    Resource.extend(&path, by: steps)
    parts.percentEncodedPath = path
    if !texts.isEmpty {
      let own = parts.percentEncodedQuery.map { [$0] } ?? []
      parts.percentEncodedQuery = (own + texts).joined(separator: "&")
    }
    guard let url = parts.url else {
      throw .hook("the URL of \(name): \(base) can't be put together")
    }
    return url
  }

  // PERFORMANCE: Most URLs end with their path, and need not be taken apart to be put together
  // (H2).
  private static func extended(_ base: URL, _ steps: [String], _ texts: [String]) -> URL? {
    guard base.baseURL == nil else { return nil }
    var text = base.absoluteString
    let isPathLast = text.utf8.allSatisfy { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard isPathLast else { return nil }
    extend(&text, by: steps)
    if !texts.isEmpty { text += "?\(texts.joined(separator: "&"))" }
    return URL(string: text)
  }

  private static func extend(_ path: inout String, by steps: [String]) {
    for step in steps {
      if path.utf8.last != UInt8(ascii: "/") { path += "/" }
      path += encoded(step)
    }
  }

  /// A key as a part of a path.
  ///
  /// - Throws: ``RemoteError/badKey(_:)``, for what would name another place.
  static func text(ofKey key: JSONValue) throws(RemoteError) -> String {
    let text =
      switch key {
      case .string(let text): text
      case .number(let number): "\(number)"
      default: ""
      }
    guard !text.isEmpty, text != ".", text != ".." else { throw .badKey(key) }
    return text
  }

  /// A parameter, a list as several of one name; nothing for null.
  private static func texts(_ name: String, _ value: JSONValue) -> [String] {
    switch value {
    case .null: []
    case .array(let elements): elements.flatMap { texts(name, $0) }
    case .string(let text): ["\(encoded(name))=\(encoded(text))"]
    default: ["\(encoded(name))=\(encoded(value.json()))"]
    }
  }

  private static func encoded(_ text: String) -> String {
    if text.utf8.allSatisfy(isUnreserved) { return text }
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
