package import ECS
package import JSONValues

extension Mapper {
  /// The key of an entity in the form in which it is written; nil if it has none, or one that is
  /// only read.
  ///
  /// In a section of the context, with a living entity of it.
  ///
  /// - Throws: ``RecipeError``, if it can't be written.
  /// - Complexity: O(*f*), where *f* is the number of fields of the component that holds it.
  package func writtenKey(
    of entity: Entity, with recipe: Recipe
  ) throws(RecipeError) -> JSONValue? {
    // PERFORMANCE: What describes the key is not copied (H2).
    guard let number = recipe.identityNumber, recipe.definition.key?.isOneWay == false else {
      return nil
    }
    do throws(TransformFailure) {
      let value = try recipe.mappings[number].value(at: recipe.identityField, of: entity)
      return value.flatMap { $0 == .null ? nil : $0 }
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
  }
}

extension Recipe {
  /// A key in the form in which entities have it when they are written, whatever form data has it
  /// in, such as a UUID in lower case.
  ///
  /// - Returns: The key in that form; as it is, if the recipe has no identity, or one that can't be
  ///   written.
  /// - Throws: ``RecipeError``, if it can't be a key.
  /// - Complexity: O(*f*), where *f* is the number of fields of the component that holds it.
  package func writtenKey(_ key: JSONValue) throws(RecipeError) -> JSONValue {
    // PERFORMANCE: Each record of a list is asked for its key while changes wait to be sent.
    if let form = definition.plainKey, form.takes(key) { return key }
    guard let path = identityPath, let number = identityNumber else { return key }
    let record = try DecodedRecord(
      self, key.wrapped(at: path), at: .root, only: FieldSelection([]))
    guard let component = identity?.component(in: record.patches[number], field: identityField)
    else { return key }
    var values: [JSONValue?] = []
    guard (try? mappings[number].encode([component], into: &values)) != nil,
      values.indices.contains(identityField), let written = values[identityField], written != .null
    else { return key }
    return written
  }
}
