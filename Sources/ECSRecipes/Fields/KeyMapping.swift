import ECS
import JSONValues

/// A key alone, which its component is made of.
final class KeyMapping<C: Component, Key: Hashable & Sendable>: SingleValueMapping {
  let key: MadeKey<C, Key>
  let path: JSONPath

  init(_ key: MadeKey<C, Key>, recipe: String) throws(RecipeDefinitionError) {
    (self.key, path) = (key, try key.location.path(in: recipe))
  }

  let cid = C.cid
  var kind: RecipeComponent.Kind { .fields }
  var anyTemplate: (any Component)? { nil }
  var leaves: [Shape.Leaf] { [Shape.Leaf(path: path, isOptional: false)] }

  var fields: [RecipeField] {
    [
      RecipeField(
        path: path, component: C.cid, keyPath: key.keyPath, name: key.name, valueType: Key.self,
        isOptional: false, isRequired: true, isOneWay: key.transformer.isOneWay,
        transformer: key.transformer.name, expected: key.transformer.expected, initial: nil)
    ]
  }

  var rows: any Sendable {
    let keyPath = key.keyPath
    return makeRows(key.transformer, { $0[keyPath: keyPath] }, key.make)
  }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    if let selection, !selection.contains(key.keyPath) { return nil }
    return try decode(in: data)
  }

  func decode(_ value: JSONValue) throws(TransformFailure) -> WholePatch<C> {
    let component = key.make(try key.transformer.decode(value))
    let keyPath = key.keyPath
    return WholePatch(
      .present(component), at: path, { $0[keyPath: keyPath] == $1[keyPath: keyPath] },
      shown: written)
  }

  private func written(_ component: C) -> JSONValue {
    let value = component[keyPath: key.keyPath]
    return (try? key.transformer.encode(value)) ?? .string("\(value)")
  }

  func checkComplete(_ patch: (any Patch)?, isSelective: Bool) throws(TransformFailure) {
    if patch == nil, !isSelective { throw TransformFailure(.missing, at: path) }
  }

  func encode(
    _ entity: Entity, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    let isLeftOut = selection.map { !$0.contains(key.keyPath) } ?? key.transformer.isOneWay
    try encode(isLeftOut ? nil : entity.get(C.self), into: &values)
  }

  func encode(
    _ components: [any Component], into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    let component = components.lazy.compactMap { $0 as? C }.first
    try encode(key.transformer.isOneWay ? nil : component, into: &values)
  }

  private func encode(
    _ component: C?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    guard let component else {
      values.append(nil)
      return
    }
    do throws(TransformFailure) {
      values.append(try key.transformer.encode(component[keyPath: key.keyPath]))
    } catch {
      throw error.below(path)
    }
  }
}

/// A key that its component is made of.
struct MadeKey<C: Component, Key: Hashable & Sendable>: LocatedPart {
  let keyPath: any KeyPath<C, Key> & Sendable
  var location: PartLocation
  let transformer: Transformer<Key>
  let make: @Sendable (Key) -> C

  var cid: CID { C.cid }
  var name: String { ECSRecipes.name(of: keyPath) }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try KeyMapping(self, recipe: recipe)
  }
}
