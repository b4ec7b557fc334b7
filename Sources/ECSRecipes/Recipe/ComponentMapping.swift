import ECS

/// How a component is made of data and the other way round, whatever its type.
protocol ComponentMapping: Sendable {
  var cid: CID { get }
  var leaves: [Shape.Leaf] { get }
  var signatures: [Recipe.Signature] { get }
  var keyPaths: [AnyKeyPath] { get }

  /// What the data says about the component; nil if nothing.
  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)?

  /// A path that the data must have to make the component, and does not.
  func missing(in patch: (any Patch)?) -> JSONPath?

  /// The values for the places of an entity's component; nil for each if it has none.
  func encode(
    _ entity: Entity, only selection: FieldSelection?
  ) throws(TransformFailure) -> [JSONValue?]
}

/// What data says about a component of an entity, not applied yet.
protocol Patch: AnyObject {
  /// Adds what later data says about the same component.
  func merge(_ later: any Patch)

  /// Whether it says more than null, so that a component can be made of it.
  var hasValue: Bool { get }

  /// Throws if it can't be applied to what the entity will have after earlier patches.
  func check(on entity: Entity?, after earlier: [any Patch]) throws(TransformFailure)

  /// The component that it is about.
  var cid: CID { get }

  /// Whether applying it, and then others to the same component, would change anything.
  func wouldChange(_ entity: Entity?, with later: [any Patch]) -> Bool

  /// Changes the entity's component, once and only if something differs, and tells if so.
  func apply(to entity: Entity, with later: [any Patch]) -> Bool

  /// The places at which something would change, with the values before and after.
  func differences(on entity: Entity?) -> [(path: JSONPath, old: JSONValue?, new: JSONValue?)]
}

/// A patch of a component whose type is known.
protocol ComponentPatch<C>: Patch {
  associatedtype C: Component

  /// The component as it will be; nil if it stays as it is.
  func result(over component: C?) -> C?

  /// Whether two components differ in what the data is about.
  func differ(_ one: C, _ other: C) -> Bool
}

extension ComponentPatch {
  var cid: CID { C.cid }

  func wouldChange(_ entity: Entity?, with later: [any Patch]) -> Bool {
    result(on: entity, with: later) != nil
  }

  func apply(to entity: Entity, with later: [any Patch]) -> Bool {
    guard let component = result(on: entity, with: later) else { return false }
    entity.set(component)
    return true
  }

  private func result(on entity: Entity?, with later: [any Patch]) -> C? {
    let old = entity?.get(C.self)
    if later.isEmpty { return result(over: old) }
    let patches = [self] + later.compactMap { $0 as? any ComponentPatch<C> }
    var new: C?
    for patch in patches { new = patch.result(over: new ?? old) ?? new }
    // What one patch changes another one may change back.
    guard let old, let new else { return new }
    return patches.contains { $0.differ(new, old) } ? new : nil
  }
}

/// The fields of a component, listed one by one.
struct FieldwiseMapping<C: Component>: ComponentMapping {
  let fields: FieldsMapping<C>

  var cid: CID { C.cid }
  var leaves: [Shape.Leaf] { fields.leaves }
  var signatures: [Recipe.Signature] { fields.signatures }
  var keyPaths: [AnyKeyPath] { fields.entries.map(\.field.keyPath) }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    var values = fields.template
    let (present, hasValue) = try fields.decode(data, into: &values, only: selection)
    if present.isEmpty { return nil }
    return FieldwisePatch(fields: fields, values: values, present: present, hasValue: hasValue)
  }

  func missing(in patch: (any Patch)?) -> JSONPath? {
    fields.missing(in: (patch as? FieldwisePatch<C>)?.present ?? FieldSet())
  }

  func encode(
    _ entity: Entity, only selection: FieldSelection?
  ) throws(TransformFailure) -> [JSONValue?] {
    guard let component = entity.get(C.self) else {
      return Array(repeating: nil, count: fields.entries.count)
    }
    return try fields.encode(component, only: selection)
  }
}

final class FieldwisePatch<C: Component>: ComponentPatch {
  let fields: FieldsMapping<C>
  private(set) var values: C
  private(set) var present: FieldSet
  private(set) var hasValue: Bool

  init(fields: FieldsMapping<C>, values: C, present: FieldSet, hasValue: Bool) {
    (self.fields, self.values, self.present, self.hasValue) = (fields, values, present, hasValue)
  }

  func merge(_ later: any Patch) {
    guard let later = later as? FieldwisePatch<C> else { return }
    for entry in fields.entries where later.present.contains(entry.number) {
      _ = entry.field.merge(later.values, &values)
    }
    present.formUnion(later.present)
    hasValue = hasValue || later.hasValue
  }

  func result(over component: C?) -> C? {
    // Null clears what is there, and makes nothing.
    guard var component else { return hasValue ? values : nil }
    var changes = false
    var following = fields.first
    while let entry = following {
      following = entry.next
      if present.contains(entry.number), entry.field.merge(values, &component) { changes = true }
    }
    return changes ? component : nil
  }

  func check(on entity: Entity?, after earlier: [any Patch]) {}

  func differ(_ one: C, _ other: C) -> Bool {
    var copy = other
    return fields.entries.contains { entry in
      present.contains(entry.number) && entry.field.merge(one, &copy)
    }
  }

  func differences(on entity: Entity?) -> [(path: JSONPath, old: JSONValue?, new: JSONValue?)] {
    let old = entity?.get(C.self)
    guard let result = result(over: old) else { return [] }
    return fields.entries.enumerated().compactMap { number, entry in
      guard present.contains(number) else { return nil }
      var copy = old ?? result
      guard old == nil || entry.field.merge(values, &copy) else { return nil }
      return (entry.path, old.flatMap { shown(entry.field, $0) }, shown(entry.field, result))
    }
  }

  /// The value of a field as data; its description if it can't be written.
  private func shown(_ field: Field<C>, _ component: C) -> JSONValue {
    (try? field.encode(component)) ?? .string("\(component[keyPath: field.keyPath])")
  }
}
