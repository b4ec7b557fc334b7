import ECS

/// A component of which a link is a field, so that it is written once, along with its other fields.
struct LinkedComponent: Sendable {
  let cid: CID
  let field: any AnyKeyPath & Sendable
  let isMany: Bool

  /// A ``FieldAccess`` of the field, which holds one entity or none, or a list of them.
  let access: any Sendable

  /// What the component is made of if the entity has none.
  let template: any Component

  /// What sets the targets in the component.
  let patch: @Sendable (_ targets: [Entity]) -> any Patch
}

/// The targets that a field of a component gets.
final class LinkPatch<C: Component>: ComponentPatch {
  private let template: C
  private let wanted: [Entity]
  private let targets: (C) -> [Entity]
  private let setTargets: (inout C, [Entity]) -> Void

  init(
    _ template: C, _ wanted: [Entity], _ targets: @escaping (C) -> [Entity],
    _ setTargets: @escaping (inout C, [Entity]) -> Void
  ) {
    (self.template, self.wanted, self.targets, self.setTargets) =
      (template, wanted, targets, setTargets)
  }

  func says(_ position: Int) -> Bool { true }
  var hasValue: Bool { true }

  // Made when all is decided: there is nothing to merge, to check or to compare any more.
  func merged(with later: any Patch) -> any Patch { self }
  func check(on entity: Entity?, after earlier: [any Patch]) {}
  func differences(from component: C?) -> [PatchDifference] { [] }

  func result(over component: C?) -> PatchResult<C> {
    guard wanted != component.map(livingTargets) ?? [] else { return .unchanged }
    var component = component ?? template
    setTargets(&component, wanted)
    return .set(component)
  }

  func differ(_ one: C, _ other: C) -> Bool { livingTargets(one) != livingTargets(other) }

  private func livingTargets(_ component: C) -> [Entity] { targets(component).filter(\.isAlive) }
}
