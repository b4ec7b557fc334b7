/// The checked fields of a value, each with its path.
// PERFORMANCE: Objects that are linked to each other, and loops that follow them (P1, P2). Where
// generic code is not specialized, each look into an array of generic elements has to look up their
// metadata, and passing a struct of closures on copies each of them.
final class FieldsMapping<Root: Sendable>: Sendable {
  final class Entry: Sendable {
    let field: Field<Root>
    let path: JSONPath

    /// Its place among the fields.
    let number: Int
    let next: Entry?

    init(field: Field<Root>, path: JSONPath, number: Int, next: Entry?) {
      (self.field, self.path, self.number, self.next) = (field, path, number, next)
    }
  }

  let template: Root

  /// The fields in order.
  let entries: [Entry]

  /// The first of the fields; each leads to the next one.
  let first: Entry?
  private let hasRequired: Bool

  /// Checks the fields.
  init(
    _ fields: [Field<Root>], template: Root, recipe: String
  ) throws(RecipeDefinitionError) {
    self.template = template
    var places: [(field: Field<Root>, path: JSONPath)] = []
    for field in fields where field.path != nil || field.parsedPath != nil {
      let path = try FieldsMapping.path(of: field, recipe)
      if let other = places.first(where: { $0.field.keyPath == field.keyPath }) {
        throw RecipeDefinitionError(
          recipe: recipe, path: "\(path)", reason: .fieldMappedTwice(other.field.name))
      }
      places.append((field, path))
    }
    for field in fields where field.path == nil && field.parsedPath == nil {
      guard let place = places.firstIndex(where: { $0.field.keyPath == field.keyPath }) else {
        throw RecipeDefinitionError(
          recipe: recipe, path: "", reason: .transformerForUnmappedField(field.name))
      }
      var replacement = field
      replacement.isRequired = places[place].field.isRequired
      places[place].field = replacement
    }
    var (entries, next): ([Entry], Entry?) = ([], nil)
    for (number, place) in places.enumerated().reversed() {
      let entry = Entry(field: place.field, path: place.path, number: number, next: next)
      entries.append(entry)
      next = entry
    }
    (self.entries, first) = (entries.reversed(), next)
    hasRequired = places.contains { $0.field.isRequired }
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
    var following = first
    while let entry = following {
      following = entry.next
      if let selection, !selection.contains(entry.field.keyPath) { continue }
      guard let value = try data.lookUp(entry.path) else { continue }
      do throws(TransformFailure) {
        try entry.field.decode(value, &values)
      } catch {
        throw error.below(entry.path)
      }
      present.insert(entry.number)
      if case .null = value {} else { hasValue = true }
    }
    return (present, hasValue)
  }

  /// The values for the places of the fields; nil for those that are not selected.
  func encode(
    _ value: Root, only selection: FieldSelection?
  ) throws(TransformFailure) -> [JSONValue?] {
    var values: [JSONValue?] = []
    values.reserveCapacity(entries.count)
    for entry in entries {
      if let selection, !selection.contains(entry.field.keyPath) {
        values.append(nil)
        continue
      }
      do throws(TransformFailure) {
        values.append(try entry.field.encode(value))
      } catch {
        throw error.below(entry.path)
      }
    }
    return values
  }

  /// The path of a required field that is not among those present.
  func missing(in present: FieldSet) -> JSONPath? {
    if !hasRequired { return nil }
    return entries.first { $0.field.isRequired && !present.contains($0.number) }?.path
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
