public import ECS
public import JSONValues

/// The fields of a component, listed one by one.
@usableFromInline
final class FieldwiseMapping<C: Component>: ComponentMapping {
  @usableFromInline let mapping: FieldsMapping<C>
  let presence: JSONPath?
  let access: ComponentAccess<C>
  let keys: [String]?

  init(_ mapping: FieldsMapping<C>, presence: JSONPath?, _ access: ComponentAccess<C>) {
    (self.mapping, self.presence, self.access) = (mapping, presence, access)
    keys = presence == nil ? mapping.keys : nil
  }

  let cid = C.cid
  var kind: RecipeComponent.Kind { .fields }
  var anyTemplate: (any Component)? { mapping.template }
  var isOptional: Bool { !mapping.hasRequired }
  var plainForms: [PlainForm?] { mapping.entries.map { PlainForm($0.field) } }
  var leafCount: Int? { presence == nil ? mapping.count : nil }
  var leaves: [Shape.Leaf] { mapping.leaves }
  var fields: [RecipeField] { mapping.descriptions(of: C.cid) }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    var isPresent = false
    if let presence {
      guard let value = try data.lookUp(presence) else { return nil }
      if value.isNull {
        // What is to go must not have fields that do not count.
        if let selection, !mapping.entries.allSatisfy({ selection.contains($0.field.keyPath) }) {
          return nil
        }
        return FieldwisePatch(self, removingAt: presence)
      }
      guard case .object = value else {
        throw .mismatch(expected: "object", found: value).below(presence)
      }
      isPresent = selection == nil
    }
    var values = mapping.template
    var decoded = try mapping.decode(data, into: &values, only: selection)
    if decoded.present.isEmpty, !isPresent { return nil }
    decoded.hasValue = decoded.hasValue || isPresent
    return FieldwisePatch(self, values, decoded)
  }

  func decode(
    _ leaves: inout [JSONValue?], from base: Int
  ) throws(TransformFailure) -> (any Patch)? {
    try access.decode(self, &leaves, base)
  }

  func encode(_ entity: Entity, into entries: inout JSONEntries) throws(TransformFailure) {
    try access.encode(entity, mapping, &entries)
  }

  func isWritten(_ entity: Entity, in entries: JSONEntries, at position: inout Int) -> Bool {
    access.isWritten(entity, mapping, entries, &position)
  }

  func checkComplete(_ patch: (any Patch)?, isSelective: Bool) throws(TransformFailure) {
    guard mapping.hasRequired else { return }
    guard let patch = patch as? FieldwisePatch<C> else {
      // A component that nothing is said about is not made, be it that all of it was to be there.
      if !isSelective, presence == nil, let path = mapping.missing(in: FieldSet()) {
        throw TransformFailure(.missing, at: path)
      }
      return
    }
    if let failure = patch.decoded.failure { throw failure }
    if patch.isRemoval { return }
    if let path = mapping.missing(in: patch.decoded.present.union(patch.decoded.completing)) {
      throw TransformFailure(.missing, at: path)
    }
  }

  func encode(
    _ entity: Entity, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    var component = mapping.template
    if access.read(entity, &component) {
      try mapping.encode(component, only: selection, into: &values)
    } else {
      for _ in 0..<mapping.count { values.append(nil) }
    }
  }

  func value(at index: Int, of entity: Entity) throws(TransformFailure) -> JSONValue? {
    var component = mapping.template
    guard access.read(entity, &component) else { return nil }
    return try mapping.entries[index].written(component)
  }

  func encode(
    _ components: [any Component], into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    if let component = components.lazy.compactMap({ $0 as? C }).first {
      try mapping.encode(component, only: nil, into: &values)
    } else {
      for _ in 0..<mapping.count { values.append(nil) }
    }
  }
}

/// The access to a component of an entity.
// PERFORMANCE: Closures, since those are made where the type is known (P1, P2, P3).
@usableFromInline
final class ComponentAccess<C: Component>: Sendable {
  /// Reads the component into a value; false if the entity has none.
  @usableFromInline let read: @Sendable (Entity, inout C) -> Bool

  /// Changes the component to what a patch says and tells whether that was another value; nil if
  /// the entity has none.
  @usableFromInline let update: @Sendable (Entity, FieldwisePatch<C>) -> Bool?
  @usableFromInline let write: @Sendable (Entity, C) -> Void

  /// Appends the component, if the entity has it.
  @usableFromInline let append: @Sendable (Entity, inout [C]) -> Bool

  /// Like ``ComponentMapping/decode(_:from:)``.
  @usableFromInline let decode:
    @Sendable (FieldwiseMapping<C>, inout [JSONValue?], Int) throws(TransformFailure) ->
      FieldwisePatch<C>?

  /// Like ``ComponentMapping/encode(_:into:)``.
  @usableFromInline let encode:
    @Sendable (Entity, FieldsMapping<C>, inout JSONEntries) throws(TransformFailure) -> Void

  /// Like ``ComponentMapping/isWritten(_:in:at:)``.
  @usableFromInline let isWritten:
    @Sendable (Entity, FieldsMapping<C>, JSONEntries, inout Int) -> Bool

  @inlinable
  init() {
    read = { entity, value in
      guard let component = entity.get(C.self) else { return false }
      value = component
      return true
    }
    update = { entity, patch in
      guard var component = entity.get(C.self) else { return nil }
      guard patch.merge(into: &component) else { return false }
      entity.set(component)
      return true
    }
    write = { $0.set($1) }
    append = { entity, values in
      guard let component = entity.get(C.self) else { return false }
      values.append(component)
      return true
    }
    decode = { (owner, leaves, base) throws(TransformFailure) in
      var values = owner.mapping.template
      let decoded = try owner.mapping.decode(&leaves, from: base, into: &values)
      return decoded.present.isEmpty ? nil : FieldwisePatch(owner, values, decoded)
    }
    encode = { (entity, mapping, entries) throws(TransformFailure) in
      guard let component = entity.get(C.self) else { return }
      try mapping.encode(component, into: &entries)
    }
    isWritten = { entity, mapping, entries, position in
      guard let component = entity.get(C.self) else { return true }
      return mapping.isWritten(component, in: entries, at: &position)
    }
  }
}

@usableFromInline
final class FieldwisePatch<C: Component>: ComponentPatch {
  @usableFromInline let owner: FieldwiseMapping<C>
  @usableFromInline let values: C
  @usableFromInline let decoded: DecodedFields

  /// Where `null` took the component away; nil if it did not.
  @usableFromInline let removal: JSONPath?

  @inlinable
  init(
    _ owner: FieldwiseMapping<C>, _ values: C, _ decoded: DecodedFields, removal: JSONPath? = nil
  ) {
    self.owner = owner
    self.values = values
    self.decoded = decoded
    self.removal = removal
  }

  convenience init(_ owner: FieldwiseMapping<C>, removingAt path: JSONPath) {
    self.init(owner, owner.mapping.template, DecodedFields(), removal: path)
  }

  /// Whether the data says something about the field at a position.
  @inlinable
  func says(_ position: Int) -> Bool { decoded.present.contains(position) }

  /// Copies what the data says to a component; false if that says the same already.
  @inlinable
  func merge(into component: inout C) -> Bool {
    owner.mapping.merge(values, decoded.present, into: &component)
  }

  private var mapping: FieldsMapping<C> { owner.mapping }

  // PERFORMANCE: Not that of the type, which would have to be looked up.
  var cid: CID { owner.cid }

  var hasValue: Bool { decoded.hasValue }
  var isComplete: Bool {
    removal == nil && decoded.failure == nil && mapping.missing(in: decoded.present) == nil
  }
  var present: FieldSet { decoded.present }
  var isRemoval: Bool { removal != nil }

  func merged(with later: any Patch) -> any Patch {
    guard let later = later as? FieldwisePatch<C> else { return self }
    if later.isRemoval || isRemoval { return later }
    var values = values
    for entry in mapping.entries {
      let isSaid = later.present.contains(entry.number)
      let isKnown = later.decoded.completing.contains(entry.number)
      guard isSaid || (isKnown && !present.contains(entry.number)) else { continue }
      _ = entry.field.merge(later.values, &values)
    }
    var decoded = decoded
    decoded.merge(later.decoded)
    return FieldwisePatch(owner, values, decoded)
  }

  // PERFORMANCE: Without optional components and results, whose types would have to be looked up
  // (P2).
  func apply(to entity: Entity, with later: [any Patch]) -> Bool {
    guard later.isEmpty, removal == nil else { return applyGenerally(to: entity, with: later) }
    if let hasChanged = owner.access.update(entity, self) { return hasChanged }
    guard decoded.hasValue else { return false }
    owner.access.write(entity, values)
    return true
  }

  func result(over component: C?) -> PatchResult<C> {
    if isRemoval { return component == nil ? .unchanged : .removed }
    // Null clears what is there, and makes nothing.
    guard var component else { return hasValue ? .set(values) : .unchanged }
    return mapping.merge(values, present, into: &component) ? .set(component) : .unchanged
  }

  func check(on entity: Entity?, after earlier: [any Patch]) {}

  func differ(_ one: C, _ other: C) -> Bool {
    var copy = other
    return mapping.entries.contains { entry in
      present.contains(entry.number) && entry.field.merge(one, &copy)
    }
  }

  func differences(from old: C?) -> [PatchDifference] {
    switch result(over: old) {
    case .unchanged: return []
    case .removed:
      let path = removal ?? .root
      let before = old.flatMap { (try? mapping.written($0))?[path] }
      return [PatchDifference(path: path, old: before, new: .null)]
    case .set(let result):
      return mapping.entries.compactMap { entry in
        guard present.contains(entry.number) else { return nil }
        var copy = old ?? result
        guard old == nil || entry.field.merge(values, &copy) else { return nil }
        return PatchDifference(
          path: entry.path, field: entry.field.keyPath,
          old: old.map { entry.field.shown(in: $0) }, new: entry.field.shown(in: result))
      }
    }
  }
}

extension Field {
  /// The value as data; its description if it can't be written.
  func shown(in root: Root) -> JSONValue {
    (try? encode(root)) ?? .string(ValueText.text(of: root[keyPath: keyPath] as Any))
  }
}
