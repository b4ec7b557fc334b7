import ECS
import Foundation
import JSONValues

/// All fields of a component, found through its `Codable` form.
final class AutomaticMapping<C: Component & Codable>: ComponentMapping {
  let template: C
  let properties: [AutomaticProperty]
  let dates: Transformer<Date>

  init(_ fields: AutomaticFields<C>, recipe: String) throws(RecipeDefinitionError) {
    (template, dates) = (fields.template, fields.dates)
    let children = Array(Mirror(reflecting: template).children)
    let names = children.compactMap(\.label)
    func failure(_ reason: RecipeDefinitionError.Reason, _ path: String = "")
      -> RecipeDefinitionError
    {
      RecipeDefinitionError(recipe: recipe, path: path, reason: reason)
    }
    for (name, path) in fields.paths where !names.contains(name) {
      throw failure(.unknownField("\(C.self).\(name)"), path)
    }
    let encoded: JSONObject
    do throws(TransformFailure) {
      guard case .object(let object) = try JSONValue(encoding: template, dates: dates) else {
        throw .invalid("it is not encoded as an object")
      }
      encoded = object
    } catch {
      throw failure(.notDerivable("\(C.self): \(error.reason)"))
    }
    if let odd = encoded.keys.first(where: { !names.contains($0) }) {
      throw failure(.notDerivable("the coding key \(odd) is not a property of \(C.self)"))
    }
    var properties: [AutomaticProperty] = []
    for child in children {
      guard let name = child.label, !fields.excluded.contains(name) else { continue }
      let isOptional = Mirror(reflecting: child.value).displayStyle == .optional
      do throws(JSONPathError) {
        let base = try fields.path.map { text throws(JSONPathError) in try JSONPath(text) } ?? .root
        let own =
          try fields.paths[name].map { text throws(JSONPathError) in try JSONPath(text) }
          ?? JSONPath(steps: [.key(fields.keys.key(for: name))])
        let path = fields.moved[name] ?? base.appending(own)
        properties.append(
          AutomaticProperty(
            name: name, leaf: Shape.Leaf(path: path, isOptional: isOptional),
            expected: JSONValue.expected(of: type(of: child.value))))
      } catch {
        throw failure(.badPath(error), error.text)
      }
    }
    self.properties = properties
  }

  let cid = C.cid
  var kind: RecipeComponent.Kind { .automatic }
  var anyTemplate: (any Component)? { template }
  var presence: JSONPath? { nil }
  var leaves: [Shape.Leaf] { properties.map(\.leaf) }

  var fields: [RecipeField] {
    let initial = try? JSONValue(encoding: template, dates: dates)
    return properties.map { property in
      RecipeField(
        path: property.leaf.path, component: C.cid, keyPath: nil,
        name: "\(C.self).\(property.name)",
        valueType: nil, isOptional: property.leaf.isOptional, isRequired: false, isOneWay: false,
        transformer: "encoded, dates as \(dates.name)", expected: property.expected,
        initial: property.value(in: initial))
    }
  }

  var rows: any Sendable { makeRows(dates: dates) }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    if selection != nil { return nil }
    var overlay = JSONObject()
    for property in properties {
      guard let value = try data.lookUp(property.leaf.path) else { continue }
      if value.isNull, !property.leaf.isOptional {
        throw .mismatch(expected: property.expected, found: value).below(property.leaf.path)
      }
      overlay[property.name] = value
    }
    if overlay.isEmpty { return nil }
    let patch = AutomaticPatch(template, properties, dates, overlay: overlay)
    // Wrong types are reported before anything is planned.
    _ = try patch.decoded(over: template)
    return patch
  }

  func checkComplete(_ patch: (any Patch)?, isSelective: Bool) {}

  func encode(
    _ entity: Entity, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    try encode(selection == nil ? entity.get(C.self) : nil, into: &values)
  }

  // A component is written as a whole, or not at all.
  func value(at index: Int, of entity: Entity) -> JSONValue? {
    var values: [JSONValue?] = []
    return (try? encode(entity, only: nil, into: &values)) == nil ? nil : values[index]
  }

  func encode(
    _ components: [any Component], into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    try encode(components.lazy.compactMap { $0 as? C }.first, into: &values)
  }

  private func encode(
    _ component: C?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    let encoded = try component.map { component throws(TransformFailure) in
      try JSONValue(encoding: component, dates: dates)
    }
    for property in properties { values.append(property.value(in: encoded)) }
  }
}

/// A property of a component that is mapped automatically.
struct AutomaticProperty: Sendable {
  var name: String
  var leaf: Shape.Leaf

  /// What kind of value it has, for messages.
  var expected: String

  /// The value of the property in an encoded component; nil if the component was encoded without
  /// it.
  func value(in encoded: JSONValue?) -> JSONValue? {
    guard let encoded else { return nil }
    if let value = encoded[name] { return value }
    // Optional properties that are nil are not encoded at all.
    return leaf.isOptional ? .null : nil
  }
}

final class AutomaticPatch<C: Component & Codable>: ComponentPatch {
  private let template: C
  private let properties: [AutomaticProperty]
  private let dates: Transformer<Date>

  /// What the data says, by the names of the properties.
  private let overlay: JSONObject
  private let isMerged: Bool

  init(
    _ template: C, _ properties: [AutomaticProperty], _ dates: Transformer<Date>,
    overlay: JSONObject, isMerged: Bool = false
  ) {
    (self.template, self.properties) = (template, properties)
    (self.dates, self.overlay, self.isMerged) = (dates, overlay, isMerged)
  }

  func says(_ position: Int) -> Bool { overlay[properties[position].name] != nil }
  var hasValue: Bool { overlay.contains { !$0.value.isNull } }

  func merged(with later: any Patch) -> any Patch {
    guard let later = later as? AutomaticPatch<C> else { return self }
    var overlay = overlay
    for entry in later.overlay { overlay[entry.key] = entry.value }
    return AutomaticPatch(template, properties, dates, overlay: overlay, isMerged: true)
  }

  private func encoded(_ component: C?) -> JSONValue? {
    component.flatMap { try? JSONValue(encoding: $0, dates: dates) }
  }

  /// A component with what the data says.
  func decoded(over component: C) throws(TransformFailure) -> C {
    guard case .object(var object) = try JSONValue(encoding: component, dates: dates) else {
      return component
    }
    for entry in overlay { object[entry.key] = entry.value }
    do throws(TransformFailure) {
      return try JSONValue.object(object).decoded(C.self, dates: dates)
    } catch {
      guard case .key(let name)? = error.path.steps.first,
        let property = properties.first(where: { $0.name == name })
      else { throw error }
      let rest = JSONPath(steps: Array(error.path.steps.dropFirst()))
      throw TransformFailure(error.reason, at: property.leaf.path.appending(rest))
    }
  }

  func check(over component: (any Component)?) throws(TransformFailure) {
    if let component = component as? C { _ = try decoded(over: component) }
  }

  func check(on entity: Entity?, after earlier: [any Patch]) throws(TransformFailure) {
    var component = entity?.get(C.self)
    for case let patch as any ComponentPatch<C> in earlier {
      switch patch.result(over: component) {
      case .unchanged: break
      case .set(let new): component = new
      case .removed: component = nil
      }
    }
    if let component {
      _ = try decoded(over: component)
    } else if isMerged, hasValue {
      // Each part was right, which need not hold for the whole.
      _ = try decoded(over: template)
    }
  }

  func result(over component: C?) -> PatchResult<C> {
    guard let component else {
      guard hasValue, let new = try? decoded(over: template) else { return .unchanged }
      return .set(new)
    }
    guard let new = try? decoded(over: component), differ(new, component) else {
      return .unchanged
    }
    return .set(new)
  }

  func differ(_ one: C, _ other: C) -> Bool {
    guard let one = encoded(one), let other = encoded(other) else { return false }
    return one != other
  }

  func differences(from old: C?) -> [PatchDifference] {
    guard case .set(let new) = result(over: old) else { return [] }
    let (before, after) = (encoded(old), encoded(new))
    return properties.compactMap { property in
      let (before, after) = (property.value(in: before), property.value(in: after))
      guard overlay[property.name] != nil, before != after else { return nil }
      return PatchDifference(path: property.leaf.path, old: before, new: after)
    }
  }
}
