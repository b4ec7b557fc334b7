import Foundation

extension HTTPRequest {
  /// The request, which was checked, as HTTP/1.1, for a connection that may be kept.
  ///
  /// - Throws: ``TransportError/badRequest(_:)``.
  func bytes(for origin: Origin) throws(TransportError) -> [UInt8] {
    var head = "\(method.rawValue) \(try target()) HTTP/1.1\r\nHost: \(origin.authority)\r\n"
    for field in headers.fields {
      head += field.name
      head += ": "
      head += field.value
      head += "\r\n"
    }
    // Compressed answers are not understood.
    if headers["Accept-Encoding"] == nil { head += "Accept-Encoding: identity\r\n" }
    if let body {
      head += "Content-Length: \(body.count)\r\n"
    } else if [.post, .put, .patch].contains(method) {
      head += "Content-Length: 0\r\n"
    }
    var bytes = Array((head + "\r\n").utf8)
    if let body { bytes += body }
    return bytes
  }

  /// What the server is asked for: the path and the query, as the URL has them.
  private func target() throws(TransportError) -> String {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw .badRequest("\(url) can't be taken apart")
    }
    var target = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    if let query = parts.percentEncodedQuery { target += "?\(query)" }
    guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .badRequest("\(url) has characters that must be encoded")
    }
    return target
  }
}
