import ECS
import JSONValues

/// A component that one value stands for as a whole.
final class WholeMapping<C: Component & Equatable>: SingleValueMapping {
  let transformer: Transformer<C>
  let path: JSONPath

  init(_ whole: Whole<C>, recipe: String) throws(RecipeDefinitionError) {
    (transformer, path) = (whole.transformer, try whole.location.path(in: recipe))
  }

  let cid = C.cid
  var kind: RecipeComponent.Kind { .whole }
  var anyTemplate: (any Component)? { nil }

  var leaves: [Shape.Leaf] {
    [Shape.Leaf(path: path, isOptional: !transformer.isOneWay)]
  }

  var fields: [RecipeField] {
    [
      RecipeField(
        path: path, component: C.cid, keyPath: \C.self, name: "\(C.self)", valueType: C.self,
        isOptional: true, isRequired: false, isOneWay: transformer.isOneWay,
        transformer: transformer.name, expected: transformer.expected, initial: nil)
    ]
  }

  var rows: any Sendable { makeRows(transformer) }

  func decode(
    _ data: JSONValue, only selection: FieldSelection?
  ) throws(TransformFailure) -> (any Patch)? {
    if let selection, !selection.contains(\C.self) { return nil }
    return try decode(in: data)
  }

  func decode(_ value: JSONValue) throws(TransformFailure) -> WholePatch<C> {
    if value.isNull, !transformer.acceptsNull {
      return WholePatch(.absent, at: path, { $0 == $1 }, shown: written)
    }
    let component = try transformer.decode(value)
    return WholePatch(.present(component), at: path, { $0 == $1 }, shown: written)
  }

  private func written(_ component: C) -> JSONValue {
    (try? transformer.encode(component)) ?? .string(ValueText.text(of: component))
  }

  func checkComplete(_ patch: (any Patch)?, isSelective: Bool) {}

  func encode(
    _ entity: Entity, only selection: FieldSelection?, into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    let isLeftOut = selection.map { !$0.contains(\C.self) } ?? transformer.isOneWay
    if isLeftOut { values.append(nil) } else { values.append(try encode(entity.get(C.self))) }
  }

  func encode(
    _ components: [any Component], into values: inout [JSONValue?]
  ) throws(TransformFailure) {
    let component = components.lazy.compactMap { $0 as? C }.first
    if transformer.isOneWay { values.append(nil) } else { values.append(try encode(component)) }
  }

  private func encode(_ component: C?) throws(TransformFailure) -> JSONValue {
    guard let component else { return .null }
    do throws(TransformFailure) {
      return try transformer.encode(component)
    } catch {
      throw error.below(path)
    }
  }
}
