/// The checked fields of a value, each with its path.
// PERFORMANCE: Objects, here and below (P1, P2): where generic code is not specialized, passing a
// struct of closures on copies each of them, and a tuple has to have its metadata looked up.
final class FieldsMapping<Root: Sendable>: Sendable {
  final class Entry: Sendable {
    let field: Field<Root>
    let path: JSONPath

    init(field: Field<Root>, path: JSONPath) {
      self.field = field
      self.path = path
    }
  }

  let template: Root
  let entries: [Entry]
  private let hasRequired: Bool

  /// Checks the fields.
  init(
    _ fields: [Field<Root>], template: Root, recipe: String
  ) throws(RecipeDefinitionError) {
    self.template = template
    var entries: [Entry] = []
    for field in fields where field.path != nil || field.parsedPath != nil {
      let path = try FieldsMapping.path(of: field, recipe)
      if let other = entries.first(where: { $0.field.keyPath == field.keyPath }) {
        throw RecipeDefinitionError(
          recipe: recipe, path: "\(path)", reason: .fieldMappedTwice(other.field.name))
      }
      entries.append(Entry(field: field, path: path))
    }
    for field in fields where field.path == nil && field.parsedPath == nil {
      guard let place = entries.firstIndex(where: { $0.field.keyPath == field.keyPath }) else {
        throw RecipeDefinitionError(
          recipe: recipe, path: "", reason: .transformerForUnmappedField(field.name))
      }
      var replacement = field
      replacement.isRequired = entries[place].field.isRequired
      entries[place] = Entry(field: replacement, path: entries[place].path)
    }
    self.entries = entries
    hasRequired = entries.contains { $0.field.isRequired }
  }

  private static func path(
    of field: Field<Root>, _ recipe: String
  ) throws(RecipeDefinitionError) -> JSONPath {
    if let path = field.parsedPath { return path }
    do throws(JSONPathError) {
      return try JSONPath(field.path ?? "")
    } catch {
      throw RecipeDefinitionError(recipe: recipe, path: error.text, reason: .badPath(error))
    }
  }

  var leaves: [Shape.Leaf] {
    entries.map { Shape.Leaf(path: $0.path, isOptional: $0.field.isOptional) }
  }

  var signatures: [Recipe.Signature] {
    entries.map { entry in
      Recipe.Signature(
        field: entry.field.keyPath, path: entry.path, transformer: entry.field.transformer,
        isRequired: entry.field.isRequired, initial: try? entry.field.encode(template))
    }
  }

  /// The fields that are in the data, put into a value; `hasValue` tells whether any is not null.
  func decode(
    _ data: JSONValue, into values: inout Root, only selection: FieldSelection?
  ) throws(TransformFailure) -> (present: FieldSet, hasValue: Bool) {
    var (present, hasValue) = (FieldSet(), false)
    for number in entries.indices {
      let entry = entries[number]
      if let selection, !selection.contains(entry.field.keyPath) { continue }
      guard let value = try data.lookUp(entry.path) else { continue }
      do throws(TransformFailure) {
        try entry.field.decode(value, &values)
      } catch {
        throw error.below(entry.path)
      }
      present.insert(number)
      if case .null = value {} else { hasValue = true }
    }
    return (present, hasValue)
  }

  /// The path of a required field that is not among those present.
  func missing(in present: FieldSet) -> JSONPath? {
    if !hasRequired { return nil }
    for number in entries.indices where !present.contains(number) {
      if entries[number].field.isRequired { return entries[number].path }
    }
    return nil
  }
}

/// The fields that a call is about.
struct FieldSelection {
  private var keyPaths: Set<AnyKeyPath>

  init(_ keyPaths: [AnyKeyPath]) { self.keyPaths = Set(keyPaths) }

  func adding(_ keyPath: AnyKeyPath?) -> FieldSelection {
    var selection = self
    if let keyPath { selection.keyPaths.insert(keyPath) }
    return selection
  }

  func contains(_ keyPath: AnyKeyPath) -> Bool { keyPaths.contains(keyPath) }
}
