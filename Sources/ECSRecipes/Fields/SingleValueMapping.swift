import ECS
import JSONValues

/// A component of which all that data says is one value.
protocol SingleValueMapping: ComponentMapping {
  associatedtype C: Component

  /// Where the value is.
  var path: JSONPath { get }

  /// Failures tell nothing about the path.
  func decode(_ value: JSONValue) throws(TransformFailure) -> WholePatch<C>
}

extension SingleValueMapping {
  var presence: JSONPath? { nil }
  var leafCount: Int? { 1 }

  func decode(
    _ leaves: inout [JSONValue?], from base: Int
  ) throws(TransformFailure) -> (any Patch)? {
    guard let value = leaves[base].take() else { return nil }
    return try decode(value)
  }

  func value(at index: Int, of entity: Entity) throws(TransformFailure) -> JSONValue? {
    var values: [JSONValue?] = []
    try encode(entity, only: nil, into: &values)
    return values[index]
  }

  /// What the value says about the component; nil if there is none.
  func decode(in data: JSONValue) throws(TransformFailure) -> (any Patch)? {
    guard let value = try data.lookUp(path) else { return nil }
    do throws(TransformFailure) {
      return try decode(value)
    } catch {
      throw error.below(path)
    }
  }
}
