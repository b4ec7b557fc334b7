import JSONValues

extension Recipe {
  /// Whether an entity that a record was just applied to is certainly written as that record.
  ///
  /// It is asked instead of writing the entity, so false is no mistake.
  ///
  /// - Complexity: O(*f*), where *f* is the number of fields.
  package func isWritten(as record: JSONValue) -> Bool {
    guard let fields = definition.plainFields, case .object(let object) = record else {
      return false
    }
    return fields.isWritten(as: object)
  }
}
