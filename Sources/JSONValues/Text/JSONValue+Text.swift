public import Foundation

extension JSONValue {
  /// Parses JSON in UTF-8.
  ///
  /// Accepts what RFC 8259 allows, and no more: no comments, no trailing commas. It is not the
  /// platform's parser, since that one loses the order of keys and silently drops all but one of
  /// several values of a key.
  ///
  /// - Throws: ``JSONSyntaxError``. No input crashes the parser.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init(data: Data) throws(JSONSyntaxError) {
    self = try JSONParser.parse([UInt8](data))
  }

  /// Parses JSON.
  ///
  /// - Throws: ``JSONSyntaxError``.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(json: String) throws(JSONSyntaxError) {
    self = try JSONParser.parse(Array(json.utf8))
  }

  /// The value as JSON in UTF-8, with object keys in their order.
  ///
  /// - Parameter pretty: Whether to use a line for each element, indented by two spaces.
  /// - Returns: The bytes.
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func data(pretty: Bool = false) -> Data {
    Data(written(pretty: pretty))
  }

  /// The value as JSON, with object keys in their order.
  ///
  /// - Parameter pretty: Whether to use a line for each element, indented by two spaces.
  /// - Returns: The text.
  public func json(pretty: Bool = false) -> String {
    String(decoding: written(pretty: pretty), as: UTF8.self)
  }

  private func written(pretty: Bool) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.write(self)
    return writer.bytes
  }
}
