import JSONValues

extension JSONValue {
  /// The value at a path; nil if it is absent, `null` if a container on the way is `null`.
  ///
  /// - Throws: A mismatch, if something on the way is not a container of the right type.
  func lookUp(_ path: JSONPath) throws(TransformFailure) -> JSONValue? {
    // PERFORMANCE: Most paths are one key (P1, P2).
    if path.steps.count == 1, case .object(let object) = self, case .key(let key) = path.steps[0] {
      return object[key]
    }
    var value = self
    for (depth, step) in path.steps.enumerated() {
      switch (step, value) {
      case (_, .null): return .null
      case (.key(let key), .object(let object)):
        guard let next = object[key] else { return nil }
        value = next
      case (.index(let index), .array(let elements)):
        guard index < elements.count else { return nil }
        value = elements[index]
      case (.key, _): throw mismatch("object", value, path, depth)
      case (.index, _): throw mismatch("array", value, path, depth)
      }
    }
    return value
  }

  private func mismatch(
    _ expected: String, _ found: JSONValue, _ path: JSONPath, _ depth: Int
  ) -> TransformFailure {
    TransformFailure(
      .typeMismatch(expected: expected, found: found.kind),
      at: JSONPath(steps: Array(path.steps[..<depth])))
  }
}
