import ECS

/// The fields of a component, listed one by one.
final class FieldwiseMapping<C: Component>: ComponentMapping {
  let mapping: FieldsMapping<C>
  let presence: JSONPath?

  init(_ mapping: FieldsMapping<C>, presence: JSONPath?) {
    (self.mapping, self.presence) = (mapping, presence)
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
        return FieldwisePatch(mapping, removingAt: presence)
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
    return FieldwisePatch(mapping, values, decoded)
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
    try encode(entity.get(C.self), only: selection, into: &values)
  }

  func encode(
    _ components: [any Component], into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    try encode(components.lazy.compactMap { $0 as? C }.first, only: nil, into: &values)
  }

  private func encode(
    _ component: C?, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    if let component {
      try mapping.encode(component, only: selection, into: &values)
    } else {
      for _ in 0..<mapping.count { values.append(nil) }
    }
  }
}

final class FieldwisePatch<C: Component>: ComponentPatch {
  let mapping: FieldsMapping<C>
  private(set) var values: C
  private(set) var decoded: FieldsMapping<C>.Decoded

  /// Where `null` took the component away; nil if it did not.
  private(set) var removal: JSONPath?

  init(_ mapping: FieldsMapping<C>, _ values: C, _ decoded: FieldsMapping<C>.Decoded) {
    (self.mapping, self.values, self.decoded) = (mapping, values, decoded)
  }

  init(_ mapping: FieldsMapping<C>, removingAt path: JSONPath) {
    (self.mapping, values, decoded, removal) = (mapping, mapping.template, .init(), path)
  }

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

  func result(over component: C?) -> PatchResult<C> {
    if isRemoval { return component == nil ? .unchanged : .removed }
    // Null clears what is there, and makes nothing.
    guard var component else { return hasValue ? .set(values) : .unchanged }
    var changes = false
    var following = mapping.first
    while let entry = following {
      following = entry.next
      if present.contains(entry.number), entry.field.merge(values, &component) { changes = true }
    }
    return changes ? .set(component) : .unchanged
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
