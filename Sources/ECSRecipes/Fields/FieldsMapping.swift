import ECS
public import JSONValues

/// The checked fields of a value, each with its path.
// PERFORMANCE: Objects that are linked to each other, and loops that follow them (P1, P2). Where
// generic code is not specialized, each look into an array of generic elements has to look up their
// metadata, and passing a struct of closures on copies each of them.
@usableFromInline
final class FieldsMapping<Root: Sendable>: Sendable {
  @usableFromInline
  final class Entry: Sendable {
    @usableFromInline let field: Field<Root>
    @usableFromInline let path: JSONPath

    /// The path, if it is one key.
    @usableFromInline let key: String?

    /// Whether it is only read from data and never written.
    @usableFromInline let isOneWay: Bool

    /// Its place among the fields.
    @usableFromInline let number: Int
    @usableFromInline let next: Entry?

    init(field: Field<Root>, path: JSONPath, number: Int, next: Entry?) {
      (self.field, self.path, self.number, self.next) = (field, path, number, next)
      isOneWay = field.isOneWay
      if path.steps.count == 1, case .key(let key) = path.steps[0] {
        self.key = key
      } else {
        key = nil
      }
    }
  }

  @usableFromInline let template: Root

  /// The fields in order.
  let entries: [Entry]

  /// The first of the fields; each leads to the next one.
  @usableFromInline let first: Entry?
  let count: Int
  let hasRequired: Bool
  private let required: FieldSet

  /// Where the values stand in the data.
  let leaves: [Shape.Leaf]
  private let shape: Shape?

  /// Checks the fields, whose paths begin at a base unless they begin outermost.
  init(
    _ fields: [Field<Root>], template: Root, recipe: String, below base: JSONPath = .root
  ) throws(RecipeDefinitionError) {
    self.template = template
    var mapped: [(field: Field<Root>, path: JSONPath)] = []
    for field in fields where field.path != nil || field.parsedPath != nil {
      let path = try field.path(in: recipe, below: base)
      if let other = mapped.first(where: { $0.field.keyPath == field.keyPath }) {
        throw RecipeDefinitionError(
          recipe: recipe, path: "\(path)", reason: .fieldMappedTwice(other.field.name))
      }
      mapped.append((field, path))
    }
    for field in fields where field.path == nil && field.parsedPath == nil {
      guard let index = mapped.firstIndex(where: { $0.field.keyPath == field.keyPath }) else {
        throw RecipeDefinitionError(
          recipe: recipe, path: "", reason: .transformerForUnmappedField(field.name))
      }
      var replacement = field
      replacement.isRequired = mapped[index].field.isRequired
      mapped[index].field = replacement
    }
    var (entries, next): ([Entry], Entry?) = ([], nil)
    for (position, location) in mapped.enumerated().reversed() {
      let entry = Entry(field: location.field, path: location.path, number: position, next: next)
      entries.append(entry)
      next = entry
    }
    (self.entries, first, count) = (entries.reversed(), next, mapped.count)
    hasRequired = mapped.contains { $0.field.isRequired }
    var required = FieldSet()
    for (offset, location) in mapped.enumerated() where location.field.isRequired {
      required.insert(offset)
    }
    self.required = required
    leaves = mapped.map {
      Shape.Leaf(path: $0.path, isOptional: $0.field.isOptional && !$0.field.isOneWay)
    }
    do throws(Shape.Conflict) {
      shape = try Shape.joining(leaves)
    } catch {
      throw RecipeDefinitionError(recipe: recipe, path: "\(error.path)", reason: error.reason)
    }
  }

  /// The keys of the fields, if each path is one key.
  var keys: [String]? {
    let keys = entries.compactMap(\.key)
    return keys.count == count ? keys : nil
  }

  /// What is expected of data.
  var expected: String { shape?.expected ?? "value" }

  func descriptions(of component: CID) -> [RecipeField] {
    entries.map { entry in
      RecipeField(
        path: entry.path, component: component, keyPath: entry.field.keyPath,
        name: entry.field.name, valueType: entry.field.transformer.valueType,
        isOptional: entry.field.isOptional, isRequired: entry.field.isRequired,
        isOneWay: entry.field.isOneWay, transformer: entry.field.transformer.name,
        expected: entry.field.transformer.expected, initial: entry.field.shown(in: template))
    }
  }

  /// The fields that are in the data, put into a value.
  func decode(
    _ data: JSONValue, into values: inout Root, only selection: FieldSelection?
  ) throws(TransformFailure) -> DecodedFields {
    var decoded = DecodedFields()
    var following = first
    while let entry = following {
      following = entry.next
      if let selection, !selection.contains(entry.field.keyPath) {
        if entry.field.isRequired { complete(entry, data, &values, &decoded) }
        continue
      }
      guard let value = try entry.lookUp(in: data) else { continue }
      do throws(TransformFailure) {
        try entry.field.decode(value, &values)
      } catch {
        throw error.below(entry.path)
      }
      decoded.present.insert(entry.number)
      if case .null = value {} else { decoded.hasValue = true }
    }
    return decoded
  }

  /// Takes the value of a field that only counts if a component is made.
  private func complete(
    _ entry: Entry, _ data: JSONValue, _ values: inout Root, _ decoded: inout DecodedFields
  ) {
    do throws(TransformFailure) {
      guard let value = try entry.lookUp(in: data) else { return }
      do throws(TransformFailure) {
        try entry.field.decode(value, &values)
        decoded.completing.insert(entry.number)
      } catch {
        throw error.below(entry.path)
      }
    } catch {
      decoded.failure = decoded.failure ?? error
    }
  }

  /// The fields whose values are at places, from a first one on; takes them out of there.
  ///
  /// Failures tell nothing about the path.
  @inlinable
  func decode(
    _ leaves: inout [JSONValue?], from base: Int, into values: inout Root
  ) throws(TransformFailure) -> DecodedFields {
    var decoded = DecodedFields()
    try first?.decode(&leaves, from: base, into: &values, &decoded)
    return decoded
  }

  /// Adds the fields that can be written at their keys, each path being one.
  @inlinable
  func encode(_ value: Root, into entries: inout JSONEntries) throws(TransformFailure) {
    try first?.encode(value, into: &entries)
  }

  /// Whether ``encode(_:into:)`` would add what stands from a position on, which it passes.
  @inlinable
  func isWritten(_ value: Root, in entries: JSONEntries, at position: inout Int) -> Bool {
    first?.isWritten(value, in: entries, at: &position) ?? true
  }

  /// Appends the values for the places of the fields; nil for those that are not selected, and for
  /// those that can't be written unless they are.
  func encode(
    _ value: Root, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    var following = first
    while let entry = following {
      following = entry.next
      let isLeftOut = selection.map { !$0.contains(entry.field.keyPath) } ?? entry.field.isOneWay
      if isLeftOut {
        values.append(nil)
        continue
      }
      do throws(TransformFailure) {
        values.append(try entry.field.encode(value))
      } catch {
        throw error.below(entry.path)
      }
    }
  }

  /// A value as data.
  func written(_ value: Root) throws(TransformFailure) -> JSONValue {
    var values: [JSONValue?] = []
    values.reserveCapacity(count)
    try encode(value, only: nil, into: &values)
    return try shape?.filled(with: values, leaves) ?? .object([:])
  }

  /// The path of a required field that is not among those present.
  func missing(in present: FieldSet) -> JSONPath? {
    if required.isSubset(of: present) { return nil }
    return entries.first { $0.field.isRequired && !present.contains($0.number) }?.path
  }
}

extension FieldsMapping {
  /// Copies fields from one value to another; false if they are the same already.
  @inlinable
  func merge(_ source: Root, _ present: FieldSet, into target: inout Root) -> Bool {
    first?.merge(source, present, into: &target) ?? false
  }
}

/// The fields that were found of a value.
@usableFromInline
struct DecodedFields {
  /// The fields that the data says something about.
  @usableFromInline var present = FieldSet()

  /// Fields that are required to make a value, and that do not count otherwise.
  @usableFromInline var completing = FieldSet()

  /// What is wrong with one of those.
  @usableFromInline var failure: TransformFailure?

  /// Whether any field is more than null.
  @usableFromInline var hasValue = false

  @inlinable
  init() {}

  mutating func merge(_ later: DecodedFields) {
    present.formUnion(later.present)
    completing.formUnion(later.completing)
    failure = later.failure ?? failure
    hasValue = hasValue || later.hasValue
  }
}

extension FieldsMapping.Entry {
  // PERFORMANCE: Each entry goes on with the next one, so that no references to entries are counted
  // (P1, P2, P3).

  @inlinable
  func decode(
    _ leaves: inout [JSONValue?], from base: Int, into values: inout Root,
    _ decoded: inout DecodedFields
  ) throws(TransformFailure) {
    if let value = leaves[base + number].take() {
      try field.decode(value, &values)
      decoded.present.insert(number)
      if case .null = value {} else { decoded.hasValue = true }
    }
    try next?.decode(&leaves, from: base, into: &values, &decoded)
  }

  @inlinable
  func encode(_ value: Root, into entries: inout JSONEntries) throws(TransformFailure) {
    if let key, !isOneWay {
      do throws(TransformFailure) {
        entries.appendNew(key, try field.encode(value))
      } catch {
        throw error.below(path)
      }
    }
    try next?.encode(value, into: &entries)
  }

  @inlinable
  func isWritten(_ value: Root, in entries: JSONEntries, at position: inout Int) -> Bool {
    if let key, !isOneWay {
      guard let written = try? field.encode(value), entries.has(key, written, at: position) else {
        return false
      }
      position += 1
    }
    return next?.isWritten(value, in: entries, at: &position) ?? true
  }

  @inlinable
  func merge(_ source: Root, _ present: FieldSet, into target: inout Root) -> Bool {
    let changes = present.contains(number) && field.merge(source, &target)
    let others = next?.merge(source, present, into: &target) ?? false
    return changes || others
  }

  /// The value of the field; nil if it is only read.
  func written(_ value: Root) throws(TransformFailure) -> JSONValue? {
    if isOneWay { return nil }
    do throws(TransformFailure) {
      return try field.encode(value)
    } catch {
      throw error.below(path)
    }
  }

  // PERFORMANCE: Most paths are one key, which mostly stands where the field does (P1, P2).
  func lookUp(in data: JSONValue) throws(TransformFailure) -> JSONValue? {
    guard let key, case .object(let object) = data else { return try data.lookUp(path) }
    return object.value(of: key, near: number)
  }
}

extension Field {
  /// Where the field stands.
  func path(in recipe: String, below base: JSONPath) throws(RecipeDefinitionError) -> JSONPath {
    if let parsedPath { return isAbsolute ? parsedPath : base.appending(parsedPath) }
    do throws(JSONPathError) {
      return base.appending(try JSONPath(path ?? ""))
    } catch {
      throw RecipeDefinitionError(recipe: recipe, path: error.text, reason: .badPath(error))
    }
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
