import ECS
import JSONValues

/// A mapping of a component to data and back, whatever its type.
protocol ComponentMapping: AnyObject, Sendable {
  var cid: CID { get }
  var kind: RecipeComponent.Kind { get }
  /// What a new component starts from, if there is such a thing.
  var anyTemplate: (any Component)? { get }

  /// Where `null` stands for an entity without the component; nil if that takes no place.
  var presence: JSONPath? { get }
  var leaves: [Shape.Leaf] { get }

  /// The description of each place, in the order of the leaves.
  var fields: [RecipeField] { get }

  /// How the component is put into columns of a table: a ``ComponentRows`` of its type.
  var rows: any Sendable { get }

  /// How the component is kept as fields or as data: a ``ComponentForm`` of its type.
  var form: any Sendable { get }

  /// Whether neither it nor its patches check anything.
  var isOptional: Bool { get }

  /// The keys of all places, if values of these are all that it takes of an object.
  var keys: [String]? { get }

  /// How each value stands in data; nil where that is not known.
  var plainForms: [PlainForm?] { get }

  /// The number of values that it takes of data; nil if there is more to it.
  var leafCount: Int? { get }

  /// Like ``decode(_:only:)``, of the values of the places from a first one on, which it takes;
  /// failures tell nothing about the path.
  func decode(
    _ leaves: inout [JSONValue?], from base: Int
  ) throws(TransformFailure) -> (any Patch)?

  /// Adds the values of ``keys`` of an entity's component, if it has it.
  func encode(_ entity: Entity, into entries: inout JSONEntries) throws(TransformFailure)

  /// Whether an entity's component, if it has it, would be added to entries as those from a
  /// position on, which it passes; false if that is not known.
  func isWritten(_ entity: Entity, in entries: JSONEntries, at position: inout Int) -> Bool

  /// What the data says about the component; nil if nothing.
  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)?

  /// Throws if what is said does not suffice to make the component, of which maybe only some fields
  /// count.
  func checkComplete(_ patch: (any Patch)?, isSelective: Bool) throws(TransformFailure)

  /// Appends the values for the places of an entity's component; nil for each if it has none.
  func encode(
    _ entity: Entity, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure)

  /// The value for a place of an entity's component, if it is not only read; nil if it has none.
  func value(at index: Int, of entity: Entity) throws(TransformFailure) -> JSONValue?

  /// Appends the values for the places of one of some components.
  func encode(
    _ components: [any Component], into values: inout [JSONValue?]
  ) throws(TransformFailure)
}

extension ComponentMapping {
  var isOptional: Bool { false }
  var keys: [String]? { nil }
  var plainForms: [PlainForm?] { leaves.map { _ in nil } }
  var leafCount: Int? { nil }

  // Without these, what follows is not asked for.
  func decode(
    _ leaves: inout [JSONValue?], from base: Int
  ) throws(TransformFailure) -> (any Patch)? { nil }
  func encode(_ entity: Entity, into entries: inout JSONEntries) throws(TransformFailure) {}

  func isWritten(_ entity: Entity, in entries: JSONEntries, at position: inout Int) -> Bool {
    false
  }
}

/// A patch: what data says about a component of an entity, not applied yet.
protocol Patch: AnyObject {
  /// What this and later data says about the same component.
  func merged(with later: any Patch) -> any Patch

  /// Whether it says something about the field at a position.
  func says(_ position: Int) -> Bool

  /// Whether it says more than null, so that a component can be made of it.
  var hasValue: Bool { get }

  /// Whether it has all that the component needs to be made, as far as that is known.
  var isComplete: Bool { get }

  /// Whether it takes the component away.
  var isRemoval: Bool { get }

  /// Throws if it can't be applied to a component.
  func check(over component: (any Component)?) throws(TransformFailure)

  /// What a component becomes by it and by later ones; nil if it stays as it is, or goes.
  func replaced(
    _ component: (any Component)?, with later: [any Patch]
  ) -> (any Component)?

  /// Like ``differences(on:)``, of a component that no entity need have.
  func differences(over component: (any Component)?) -> [PatchDifference]

  /// Throws if it can't be applied to what the entity will have after earlier patches.
  func check(on entity: Entity?, after earlier: [any Patch]) throws(TransformFailure)

  /// The component that it is about.
  var cid: CID { get }

  /// Whether applying it, and then others to the same component, would change anything.
  func wouldChange(_ entity: Entity?, with later: [any Patch]) -> Bool

  /// Changes the entity's component, once and only if something differs, and tells if so.
  func apply(to entity: Entity, with later: [any Patch]) -> Bool

  /// The component that an entity has none of will have; nil if it will have none.
  func made(with later: [any Patch]) -> (any Component)?

  /// The component as it is made over another one, if that is of its type.
  func processed(over component: (any Component)?) -> (any Component)?

  /// The places at which something would change, with the values before and after.
  func differences(on entity: Entity?) -> [PatchDifference]
}

/// A difference that a patch would make at a place.
struct PatchDifference {
  var path: JSONPath
  var field: (any AnyKeyPath & Sendable)?
  var old: JSONValue?
  var new: JSONValue?
}

/// The outcome for a component.
enum PatchResult<C> {
  case unchanged
  case set(C)
  case removed
}

/// A patch of a component whose type is known.
protocol ComponentPatch<C>: Patch {
  associatedtype C: Component

  /// What becomes of the component.
  func result(over component: C?) -> PatchResult<C>

  /// Whether two components differ in what the data is about.
  func differ(_ one: C, _ other: C) -> Bool

  /// The places at which a component would change.
  func differences(from component: C?) -> [PatchDifference]
}

extension ComponentPatch {
  var cid: CID { C.cid }
  var isComplete: Bool { false }
  var isRemoval: Bool { false }

  func check(over component: (any Component)?) throws(TransformFailure) {}

  func replaced(
    _ component: (any Component)?, with later: [any Patch]
  ) -> (any Component)? {
    if case .set(let new) = result(over: component as? C, with: later) { new } else { nil }
  }

  func differences(over component: (any Component)?) -> [PatchDifference] {
    differences(from: component as? C)
  }

  func differences(on entity: Entity?) -> [PatchDifference] {
    differences(from: entity?.get(C.self))
  }

  func wouldChange(_ entity: Entity?, with later: [any Patch]) -> Bool {
    if case .unchanged = result(over: entity?.get(C.self), with: later) { false } else { true }
  }

  func apply(to entity: Entity, with later: [any Patch]) -> Bool {
    applyGenerally(to: entity, with: later)
  }

  func applyGenerally(to entity: Entity, with later: [any Patch]) -> Bool {
    switch result(over: entity.get(C.self), with: later) {
    case .unchanged: return false
    case .removed: entity.remove(C.self)
    case .set(let component): entity.set(component)
    }
    return true
  }

  func made(with later: [any Patch]) -> (any Component)? {
    if case .set(let component) = result(over: nil, with: later) { component } else { nil }
  }

  func processed(over component: (any Component)?) -> (any Component)? {
    let old = component as? C
    return switch result(over: old) {
    case .unchanged: old
    case .set(let new): new
    case .removed: nil
    }
  }

  /// What becomes of the component after this patch and later ones.
  func result(over old: C?, with later: [any Patch]) -> PatchResult<C> {
    if later.isEmpty { return result(over: old) }
    let patches = [self] + later.compactMap { $0 as? any ComponentPatch<C> }
    var new = old
    for patch in patches {
      switch patch.result(over: new) {
      case .unchanged: break
      case .set(let component): new = component
      case .removed: new = nil
      }
    }
    guard let new else { return old == nil ? .unchanged : .removed }
    // What one patch changes another one may change back.
    guard let old else { return .set(new) }
    return patches.contains { $0.differ(new, old) } ? .set(new) : .unchanged
  }
}
