extension JSONValue {
  /// The text, which can be read again.
  ///
  /// - Throws: ``JSONSyntaxError`` if it could not be, since it is nested too deeply.
  package func textToKeep(pretty: Bool = false) throws(JSONSyntaxError) -> String {
    let text = json(pretty: pretty)
    _ = try JSONValue(json: text)
    return text
  }
}
