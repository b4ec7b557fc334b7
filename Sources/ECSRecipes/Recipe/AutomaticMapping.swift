import ECS

/// All fields of a component, found through its `Codable` form.
struct AutomaticMapping<C: Component & Codable>: ComponentMapping {
  let template: C
  private let properties: [AutomaticProperty]

  init(_ fields: AutomaticFields<C>, recipe: String) throws(RecipeDefinitionError) {
    template = fields.template
    let children = Array(Mirror(reflecting: template).children)
    let names = children.compactMap(\.label)
    func failure(_ reason: RecipeDefinitionError.Reason, _ path: String = "")
      -> RecipeDefinitionError
    {
      RecipeDefinitionError(recipe: recipe, path: path, reason: reason)
    }
    for (name, path) in fields.places where !names.contains(name) {
      throw failure(.unknownField("\(C.self).\(name)"), path)
    }
    guard case .object(let encoded)? = try? JSONValue(encoding: template) else {
      throw failure(.notDerivable("\(C.self) is not encoded as an object"))
    }
    if let odd = encoded.keys.first(where: { !names.contains($0) }) {
      throw failure(.notDerivable("the coding key \(odd) is no property of \(C.self)"))
    }
    var properties: [AutomaticProperty] = []
    for child in children {
      guard let name = child.label else { continue }
      let isOptional = Mirror(reflecting: child.value).displayStyle == .optional
      do throws(JSONPathError) {
        let base = try fields.path.map { text throws(JSONPathError) in try JSONPath(text) } ?? .root
        let own =
          try fields.places[name].map { text throws(JSONPathError) in try JSONPath(text) }
          ?? JSONPath(steps: [.key(fields.keys.key(for: name))])
        properties.append(
          AutomaticProperty(
            name: name, leaf: Shape.Leaf(path: base.appending(own), isOptional: isOptional)))
      } catch {
        throw failure(.badPath(error), error.text)
      }
    }
    self.properties = properties
  }

  var cid: CID { C.cid }
  var leaves: [Shape.Leaf] { properties.map(\.leaf) }
  var keyPaths: [AnyKeyPath] { [] }

  var signatures: [Recipe.Signature] {
    let initial = try? JSONValue(encoding: template)
    return properties.map {
      Recipe.Signature(
        path: $0.leaf.path, transformer: "\(C.self).\($0.name)", initial: initial?[$0.name])
    }
  }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    if selection != nil { return nil }
    var overlay = JSONObject()
    for property in properties {
      guard let value = try data.lookUp(property.leaf.path) else { continue }
      if value.isNull, !property.leaf.isOptional {
        throw .mismatch(expected: property.name, found: value).below(property.leaf.path)
      }
      overlay[property.name] = value
    }
    if overlay.isEmpty { return nil }
    let patch = AutomaticPatch(template: template, properties: properties, overlay: overlay)
    // Wrong types are told before anything is planned.
    _ = try patch.decoded(over: template)
    return patch
  }

  func missing(in patch: (any Patch)?) -> JSONPath? { nil }

  func encode(
    _ entity: Entity, only selection: FieldSelection?
  ) throws(TransformFailure) -> [JSONValue?] {
    guard selection == nil, let component = entity.get(C.self) else {
      return Array(repeating: nil, count: properties.count)
    }
    let encoded = try JSONValue(encoding: component)
    return properties.map { encoded[$0.name] ?? ($0.leaf.isOptional ? .null : nil) }
  }
}

/// A property of a component that is mapped automatically.
struct AutomaticProperty: Sendable {
  var name: String
  var leaf: Shape.Leaf
}

final class AutomaticPatch<C: Component & Codable>: ComponentPatch {
  let template: C
  private let properties: [AutomaticProperty]

  /// What the data says, by the names of the properties.
  private var overlay: JSONObject
  private var isMerged = false

  init(template: C, properties: [AutomaticProperty], overlay: JSONObject) {
    (self.template, self.properties, self.overlay) = (template, properties, overlay)
  }

  var hasValue: Bool { overlay.contains { !$0.value.isNull } }

  func merge(_ later: any Patch) {
    guard let later = later as? AutomaticPatch<C> else { return }
    for entry in later.overlay { overlay[entry.key] = entry.value }
    isMerged = true
  }

  /// A component with what the data says.
  func decoded(over component: C) throws(TransformFailure) -> C {
    guard case .object(var object) = try JSONValue(encoding: component) else { return component }
    for entry in overlay { object[entry.key] = entry.value }
    do throws(TransformFailure) {
      return try JSONValue.object(object).decoded(C.self)
    } catch {
      guard case .key(let name)? = error.path.steps.first,
        let property = properties.first(where: { $0.name == name })
      else { throw error }
      let rest = JSONPath(steps: Array(error.path.steps.dropFirst()))
      throw TransformFailure(error.reason, at: property.leaf.path.appending(rest))
    }
  }

  func check(on entity: Entity?, after earlier: [any Patch]) throws(TransformFailure) {
    let component = earlier.compactMap { $0 as? any ComponentPatch<C> }
      .reduce(entity?.get(C.self)) { component, patch in
        patch.result(over: component) ?? component
      }
    if let component {
      _ = try decoded(over: component)
    } else if isMerged, hasValue {
      // Each part was right, which need not hold for the whole.
      _ = try decoded(over: template)
    }
  }

  func result(over component: C?) -> C? {
    guard let component else { return hasValue ? try? decoded(over: template) : nil }
    guard let new = try? decoded(over: component), differ(new, component) else { return nil }
    return new
  }

  func differ(_ one: C, _ other: C) -> Bool {
    guard let one = try? JSONValue(encoding: one), let other = try? JSONValue(encoding: other)
    else { return false }
    return one != other
  }

  func differences(on entity: Entity?) -> [(path: JSONPath, old: JSONValue?, new: JSONValue?)] {
    let old = entity?.get(C.self)
    guard let new = result(over: old) else { return [] }
    let before = old.flatMap { try? JSONValue(encoding: $0) }
    let after = try? JSONValue(encoding: new)
    return properties.compactMap { property in
      // Optional properties that are nil are not encoded at all.
      let (before, after) = (
        before.map { $0[property.name] ?? .null }, after?[property.name] ?? .null
      )
      guard overlay[property.name] != nil, before != after else { return nil }
      return (property.leaf.path, before, after)
    }
  }
}
