import JSONValues

extension Transformer {
  /// Continues with what this transformer makes.
  ///
  /// ```swift
  /// let trimmed = String.transformer.then("trimmed") { $0.trimmingCharacters(in: .whitespaces) } encode: { $0 }
  /// let email = String.transformer.then("email") { text throws(TransformFailure) in
  ///   guard let email = Email(text) else { throw .invalid("'\(text)' is not an address") }
  ///   return email
  /// } encode: { $0.text }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What it is called, after the name of this one.
  ///   - decode: Makes the value of the field. It may be called at any time on any thread.
  ///   - encode: The way back; without it, or if this one only reads, the result only reads.
  /// - Returns: The transformer of both.
  public func then<Other>(
    _ name: String, decode: @escaping @Sendable (Value) throws(TransformFailure) -> Other,
    encode: (@Sendable (Other) throws(TransformFailure) -> Value)? = nil
  ) -> Transformer<Other> {
    let first = self
    let decoding: @Sendable (JSONValue) throws(TransformFailure) -> Other = {
      (value) throws(TransformFailure) in try decode(try first.decode(value))
    }
    guard let encode, let encoding else {
      return Transformer<Other>(
        "\(self.name), \(name)", expects: expected, acceptsNull: acceptsNull, decode: decoding)
    }
    return Transformer<Other>(
      "\(self.name), \(name)", expects: expected, acceptsNull: acceptsNull, decode: decoding
    ) { (other) throws(TransformFailure) in
      try encoding(try encode(other))
    }.with(ownRows?.mapped(write: encode, read: decode))
  }

  /// Takes what this transformer takes, or otherwise what another one takes.
  ///
  /// ```swift
  /// Field(\.published, at: "published", as: .iso8601.or(.secondsSince1970))
  /// ```
  ///
  /// It writes with the first one that can, and in tables with that one alone. If neither takes a
  /// value, the error is that of the one that takes its kind, or names what both expect.
  ///
  /// - Parameter other: The transformer to try second.
  /// - Returns: The transformer of both.
  public func or(_ other: Transformer) -> Transformer {
    let (first, expected) = (self, "\(expected) or \(other.expected)")
    let decode: @Sendable (JSONValue) throws(TransformFailure) -> Value = {
      (value) throws(TransformFailure) in
      let failure: TransformFailure
      do throws(TransformFailure) { return try first.decode(value) } catch { failure = error }
      do throws(TransformFailure) {
        return try other.decode(value)
      } catch {
        guard failure.isOfAnotherKind else { throw failure }
        guard error.isOfAnotherKind else { throw error }
        throw .mismatch(expected: expected, found: value)
      }
    }
    let acceptsNull = acceptsNull || other.acceptsNull
    let name = "\(name) or \(other.name)"
    guard encoding != nil || other.encoding != nil else {
      return Transformer(name, expects: expected, acceptsNull: acceptsNull, decode: decode)
    }
    let written = encoding != nil ? self : other
    return Transformer(name, expects: expected, acceptsNull: acceptsNull, decode: decode) {
      (value) throws(TransformFailure) in
      guard first.encoding != nil else { return try other.encode(value) }
      do throws(TransformFailure) {
        return try first.encode(value)
      } catch {
        guard other.encoding != nil, let text = try? other.encode(value) else { throw error }
        return text
      }
    }.with(written.rows)
  }

  /// The transformer without writing: for fields that are derived from the data, and not written
  /// back.
  public var readOnly: Transformer {
    Transformer(
      "\(name), read-only", expects: expected, acceptsNull: acceptsNull, decode: decoding)
  }
}

extension TransformFailure {
  /// Whether the value as a whole was of another kind than is wanted.
  fileprivate var isOfAnotherKind: Bool {
    if path.steps.isEmpty, case .typeMismatch = reason { true } else { false }
  }
}
