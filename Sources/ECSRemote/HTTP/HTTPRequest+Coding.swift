extension HTTPRequest {
  /// Refuses an answer in a form that was not asked for.
  ///
  /// Compressed bodies are never asked for by transports. A caller that sets `Accept-Encoding` gets
  /// what comes.
  ///
  /// - Throws: ``TransportError/badResponse(_:)``.
  func checkCoding(of headers: HTTPHeaders) throws(TransportError) {
    guard self.headers["Accept-Encoding"] == nil, let coding = headers["Content-Encoding"],
      !["", "identity"].contains(coding.lowercased())
    else { return }
    throw .badResponse("its body is encoded as '\(coding)', which was not asked for")
  }
}
