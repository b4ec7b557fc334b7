import ECS

/// All fields of a component, found through its `Codable` form.
struct AutomaticMapping<C: Component & Codable>: ComponentMapping {
  private struct Property: Sendable {
    var name: String
    var leaf: Shape.Leaf
  }

  let template: C
  private let properties: [Property]

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
    var properties: [Property] = []
    for child in children {
      guard let name = child.label else { continue }
      let isOptional = Mirror(reflecting: child.value).displayStyle == .optional
      do throws(JSONPathError) {
        let base = try fields.path.map { text throws(JSONPathError) in try JSONPath(text) } ?? .root
        let own =
          try fields.places[name].map { text throws(JSONPathError) in try JSONPath(text) }
          ?? JSONPath(steps: [.key(fields.keys.key(for: name))])
        properties.append(
          Property(name: name, leaf: Shape.Leaf(path: base.appending(own), isOptional: isOptional)))
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
    let paths = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.leaf.path) })
    let patch = AutomaticPatch(template: template, paths: paths, overlay: overlay)
    // Wrong types are told before anything is planned.
    _ = try patch.result(over: template)
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

final class AutomaticPatch<C: Component & Codable>: Patch {
  let template: C
  let paths: [String: JSONPath]
  private var overlay: JSONObject

  init(template: C, paths: [String: JSONPath], overlay: JSONObject) {
    (self.template, self.paths, self.overlay) = (template, paths, overlay)
  }

  var hasValue: Bool { overlay.contains { !$0.value.isNull } }

  func merge(_ later: any Patch) {
    guard let later = later as? AutomaticPatch<C> else { return }
    for entry in later.overlay { overlay[entry.key] = entry.value }
  }

  /// A component with what the data says.
  func result(over component: C) throws(TransformFailure) -> C {
    guard case .object(var object) = try JSONValue(encoding: component) else { return component }
    for entry in overlay { object[entry.key] = entry.value }
    do throws(TransformFailure) {
      return try JSONValue.object(object).decoded(C.self)
    } catch {
      guard case .key(let name)? = error.path.steps.first, let path = paths[name] else {
        throw error
      }
      let rest = JSONPath(steps: Array(error.path.steps.dropFirst()))
      throw TransformFailure(error.reason, at: path.appending(rest))
    }
  }

  func check(on entity: Entity?) throws(TransformFailure) {
    if let component = entity?.get(C.self) { _ = try result(over: component) }
  }

  /// The component as it will be; nil if it stays as it is.
  private func change(on entity: Entity?) -> (old: C?, new: C)? {
    guard let old = entity?.get(C.self) else {
      guard hasValue, let new = try? result(over: template) else { return nil }
      return (nil, new)
    }
    guard let new = try? result(over: old), let before = try? JSONValue(encoding: old),
      let after = try? JSONValue(encoding: new), before != after
    else { return nil }
    return (old, new)
  }

  func wouldChange(_ entity: Entity?) -> Bool { change(on: entity) != nil }

  func apply(to entity: Entity) -> Bool {
    guard let (_, new) = change(on: entity) else { return false }
    entity.set(new)
    return true
  }

  func differences(on entity: Entity?) -> [(path: JSONPath, old: JSONValue?, new: JSONValue?)] {
    guard let (old, new) = change(on: entity) else { return [] }
    let before = old.flatMap { try? JSONValue(encoding: $0) }
    let after = try? JSONValue(encoding: new)
    return overlay.keys.compactMap { name in
      guard let path = paths[name], before?[name] != after?[name] else { return nil }
      return (path, before?[name], after?[name])
    }
  }
}
