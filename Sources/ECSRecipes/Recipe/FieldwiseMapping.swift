public import ECS

/// The fields of a component, listed one by one.
final class FieldwiseMapping<C: Component>: ComponentMapping {
  let mapping: FieldsMapping<C>
  let presence: JSONPath?
  let access: ComponentAccess<C>

  init(_ mapping: FieldsMapping<C>, presence: JSONPath?, _ access: ComponentAccess<C>) {
    (self.mapping, self.presence, self.access) = (mapping, presence, access)
  }

  var cid: CID { C.cid }
  var kind: RecipeComponent.Kind { .fields }
  var anyTemplate: (any Component)? { mapping.template }
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
        return FieldwisePatch(mapping, access, removingAt: presence)
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
    return FieldwisePatch(mapping, access, values, decoded)
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

/// How a component of an entity is read and written.
// PERFORMANCE: Closures, since those are made where the type is known (P1, P2, P3).
@usableFromInline
struct ComponentAccess<C: Component>: Sendable {
  /// Reads the component into a value; false if the entity has none.
  @usableFromInline let read: @Sendable (Entity, inout C) -> Bool

  /// Lets a body change the component, which tells whether it did; nil if the entity has none.
  @usableFromInline let update: @Sendable (Entity, (inout C) -> Bool) -> Bool?
  @usableFromInline let write: @Sendable (Entity, C) -> Void

  @inlinable
  init() {
    read = { entity, value in
      guard let component = entity.get(C.self) else { return false }
      value = component
      return true
    }
    update = { entity, body in
      guard var component = entity.get(C.self) else { return nil }
      guard body(&component) else { return false }
      entity.set(component)
      return true
    }
    write = { $0.set($1) }
  }
}

@usableFromInline
final class FieldwisePatch<C: Component>: ComponentPatch {
  let mapping: FieldsMapping<C>
  private let access: ComponentAccess<C>
  @usableFromInline var values: C
  @usableFromInline var decoded: DecodedFields

  /// Where `null` took the component away; nil if it did not.
  private(set) var removal: JSONPath?

  init(
    _ mapping: FieldsMapping<C>, _ access: ComponentAccess<C>, _ values: C,
    _ decoded: DecodedFields
  ) {
    (self.mapping, self.access, self.values, self.decoded) = (mapping, access, values, decoded)
  }

  init(_ mapping: FieldsMapping<C>, _ access: ComponentAccess<C>, removingAt path: JSONPath) {
    (self.mapping, self.access, values) = (mapping, access, mapping.template)
    (decoded, removal) = (DecodedFields(), path)
  }

  /// Whether the data says something about the field at a position.
  @inlinable
  func says(_ position: Int) -> Bool { decoded.present.contains(position) }

  var hasValue: Bool { decoded.hasValue }
  var present: FieldSet { decoded.present }
  var isRemoval: Bool { removal != nil }

  func merge(_ later: any Patch) {
    guard let later = later as? FieldwisePatch<C> else { return }
    if later.isRemoval || isRemoval {
      (values, decoded, removal) = (later.values, later.decoded, later.removal)
      return
    }
    for entry in mapping.entries {
      let isSaid = later.present.contains(entry.number)
      let isKnown = later.decoded.completing.contains(entry.number)
      guard isSaid || (isKnown && !present.contains(entry.number)) else { continue }
      _ = entry.field.merge(later.values, &values)
    }
    decoded.merge(later.decoded)
  }

  // PERFORMANCE: Without optional components and results, whose types would have to be looked up (P2).
  func apply(
    to entity: Entity, with later: [any Patch], keyedBy indexes: [IdentityIndex]
  ) -> Bool {
    guard later.isEmpty, removal == nil else {
      return applyGenerally(to: entity, with: later, keyedBy: indexes)
    }
    let (mapping, values, present) = (mapping, values, decoded.present)
    let hasChanged = access.update(entity) { mapping.merge(values, present, into: &$0) }
    if let hasChanged { return hasChanged }
    guard decoded.hasValue else { return false }
    access.write(entity, values)
    for index in indexes { index.expect(values, of: entity) }
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

  func differences(on entity: Entity?) -> [PatchDifference] {
    let old = entity?.get(C.self)
    switch result(over: old) {
    case .unchanged: return []
    case .removed:
      let place = removal ?? .root
      let before = old.flatMap { (try? mapping.written($0))?[place] }
      return [PatchDifference(path: place, old: before, new: .null)]
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
    (try? encode(root)) ?? .string("\(root[keyPath: keyPath] as Any)")
  }
}
