public import Foundation
import JSONValues

extension Transformer where Value: RawRepresentable, Value.RawValue: RecipeValue {
  /// Takes the raw values of an enum.
  public static var rawValue: Transformer { .rawValue(Value.RawValue.transformer) }

  /// Takes the raw values of an enum, as another transformer reads and writes them.
  public static func rawValue(_ raw: Transformer<Value.RawValue>) -> Transformer {
    let name = "\(Value.self) of \(raw.name)"
    let decode: @Sendable (JSONValue) throws(TransformFailure) -> Value = {
      (value) throws(TransformFailure) in
      let rawValue = try raw.decode(value)
      guard let result = Value(rawValue: rawValue) else {
        throw .invalid("\(value) is not a valid \(Value.self)")
      }
      return result
    }
    guard !raw.isOneWay else { return Transformer(name, expects: raw.expected, decode: decode) }
    return Transformer(name, expects: raw.expected, decode: decode) {
      (value) throws(TransformFailure) in try raw.encode(value.rawValue)
    }.with(
      raw.ownRows?.mapped {
        $0.rawValue
      } read: { (rawValue) throws(TransformFailure) in
        guard let result = Value(rawValue: rawValue) else {
          throw .invalid("\(rawValue) is not a valid \(Value.self)")
        }
        return result
      })
  }
}

extension Transformer where Value: LosslessStringConvertible & Equatable {
  /// Takes numbers and other values written as strings: `"42"`.
  public static var fromString: Transformer {
    Transformer("\(Value.self) in a string", expects: "string") {
      (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let result = Value(text) else {
        throw .invalid("'\(text)' is not a valid \(Value.self)")
      }
      return result
    } encode: {
      .string($0.description)
    }
  }
}

extension Transformer {
  /// Takes lists, of elements that another transformer reads and writes.
  public static func list<Element>(
    _ element: Transformer<Element>
  ) -> Transformer where Value == [Element] {
    let name = "list of \(element.name)"
    let decode: @Sendable (JSONValue) throws(TransformFailure) -> [Element] = {
      (value) throws(TransformFailure) in
      guard case .array(let values) = value else {
        throw .mismatch(expected: "array", found: value)
      }
      var result: [Element] = []
      result.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        do throws(TransformFailure) {
          result.append(try element.decode(value))
        } catch {
          throw error.below(JSONPath(steps: [.index(index)]))
        }
      }
      return result
    }
    guard !element.isOneWay else { return Transformer(name, expects: "array", decode: decode) }
    return Transformer(name, expects: "array", decode: decode) {
      (value) throws(TransformFailure) in
      var values: [JSONValue] = []
      values.reserveCapacity(value.count)
      for (index, one) in value.enumerated() {
        do throws(TransformFailure) {
          values.append(try element.encode(one))
        } catch {
          throw error.below(JSONPath(steps: [.index(index)]))
        }
      }
      return .array(values)
    }
  }
}

extension Transformer where Value: Codable {
  /// Takes what the type decodes itself from, through the platform's encoder and decoder; dates in
  /// it are written in ISO 8601.
  public static var codable: Transformer { .codable(dates: .iso8601) }

  /// Takes what the type decodes itself from, through the platform's encoder and decoder.
  ///
  /// - Parameter dates: How dates in it are written, such as ``secondsSince1970`` or your own.
  /// - Returns: The transformer.
  public static func codable(dates: Transformer<Date>) -> Transformer {
    let name =
      dates.name == Transformer<Date>.iso8601.name
      ? "\(Value.self), encoded" : "\(Value.self), encoded, dates as \(dates.name)"
    return Transformer(name, expects: JSONValue.expected(of: Value.self)) {
      (value) throws(TransformFailure) in
      try value.decoded(Value.self, dates: dates)
    } encode: { (value) throws(TransformFailure) in
      try JSONValue(encoding: value, dates: dates)
    }
  }
}

extension Transformer {
  /// Takes objects with the fields of a value: a recipe for something that is not a component.
  ///
  /// Fields that the data lacks get the template's values, even if the old value had others;
  /// to keep them, map the value's fields by longer key paths, such as `\.address.city`.
  ///
  /// - Parameters:
  ///   - name: The name of the recipe, for messages.
  ///   - template: What a value starts from.
  ///   - fields: The fields.
  /// - Returns: The transformer.
  /// - Throws: ``RecipeDefinitionError``, as a recipe does.
  public static func nested(
    _ name: String, of template: Value, @FieldsBuilder<Value> _ fields: () -> [Field<Value>]
  ) throws(RecipeDefinitionError) -> Transformer {
    let mapping = try FieldsMapping(fields(), template: template, recipe: name)
    return Transformer(name, expects: mapping.expected) { (value) throws(TransformFailure) in
      var result = template
      let present = try mapping.decode(value, into: &result, only: nil).present
      if let path = mapping.missing(in: present) { throw TransformFailure(.missing, at: path) }
      return result
    } encode: { (value) throws(TransformFailure) in
      try mapping.written(value)
    }
  }
}
