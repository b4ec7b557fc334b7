import ECS
import JSONValues

/// A component that is there or not, as a truth value says.
final class FlagMapping<C: Component>: SingleValueMapping {
  let template: C
  let path: JSONPath

  init(_ flag: Flag<C>, recipe: String) throws(RecipeDefinitionError) {
    (template, path) = (flag.component, try flag.location.path(in: recipe))
  }

  let cid = C.cid
  var kind: RecipeComponent.Kind { .flag }
  var anyTemplate: (any Component)? { template }
  var leaves: [Shape.Leaf] { [Shape.Leaf(path: path, isOptional: true)] }

  var fields: [RecipeField] {
    [
      RecipeField(
        path: path, component: C.cid, keyPath: nil, name: "\(C.self)", valueType: Bool.self,
        isOptional: true, isRequired: false, isOneWay: false, transformer: "flag",
        expected: "bool", initial: .bool(false))
    ]
  }

  var rows: any Sendable { makeRows(template) }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    selection == nil ? try decode(in: data) : nil
  }

  func decode(_ value: JSONValue) throws(TransformFailure) -> WholePatch<C> {
    switch value {
    case .bool(let isSet):
      return WholePatch<C>(isSet ? .present(template) : .absent, at: path, gone: .bool(false))
    case .null: return WholePatch<C>(.absent, at: path, gone: .bool(false))
    default: throw .mismatch(expected: "bool", found: value)
    }
  }

  func checkComplete(_ patch: (any Patch)?, isSelective: Bool) {}

  func encode(
    _ entity: Entity, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) {
    values.append(selection == nil ? .bool(entity.has(C.self)) : nil)
  }

  func encode(_ components: [any Component], into values: inout [JSONValue?]) {
    values.append(.bool(components.contains { $0 is C }))
  }
}

/// A component that is set or taken away as a whole.
final class WholePatch<C: Component>: ComponentPatch {
  enum Wanted {
    case present(C)
    case absent
  }

  private let wanted: Wanted
  private let path: JSONPath

  /// Whether two components are equal; any two, of a flag.
  private let areEqual: (C, C) -> Bool
  private let shown: (C) -> JSONValue

  /// How it is written that there is none.
  private let gone: JSONValue

  init(
    _ wanted: Wanted, at path: JSONPath, _ areEqual: @escaping (C, C) -> Bool = { _, _ in true },
    shown: @escaping (C) -> JSONValue = { _ in .bool(true) }, gone: JSONValue = .null
  ) {
    (self.wanted, self.path, self.areEqual) = (wanted, path, areEqual)
    (self.shown, self.gone) = (shown, gone)
  }

  func says(_ position: Int) -> Bool { true }
  var hasValue: Bool { if case .present = wanted { true } else { false } }
  var isRemoval: Bool { !hasValue }

  /// The component; nil if there is to be none.
  var component: C? { if case .present(let component) = wanted { component } else { nil } }

  func merged(with later: any Patch) -> any Patch { later }

  func check(on entity: Entity?, after earlier: [any Patch]) {}

  func result(over component: C?) -> PatchResult<C> {
    switch (wanted, component) {
    case (.absent, nil): .unchanged
    case (.absent, _?): .removed
    case (.present(let new), nil): .set(new)
    case (.present(let new), let old?): areEqual(new, old) ? .unchanged : .set(new)
    }
  }

  func differ(_ one: C, _ other: C) -> Bool { !areEqual(one, other) }

  func differences(from old: C?) -> [PatchDifference] {
    let before = old.map(shown)
    return switch result(over: old) {
    case .unchanged: []
    case .removed: [PatchDifference(path: path, old: before, new: gone)]
    case .set(let new): [PatchDifference(path: path, old: before, new: shown(new))]
    }
  }
}
