extension Transformer where Value: RawRepresentable, Value.RawValue: RecipeValue {
  /// Takes the raw values of an enum.
  public static var rawValue: Transformer { .rawValue(Value.RawValue.transformer) }

  /// Takes the raw values of an enum, as another transformer reads and writes them.
  public static func rawValue(_ raw: Transformer<Value.RawValue>) -> Transformer {
    Transformer("\(Value.self) of \(raw.name)") { (value) throws(TransformFailure) in
      let rawValue = try raw.decode(value)
      guard let result = Value(rawValue: rawValue) else {
        throw .invalid("\(value) is no \(Value.self)")
      }
      return result
    } encode: { (value) throws(TransformFailure) in
      guard let encode = raw.encode else { throw TransformFailure(.oneWay(raw.name)) }
      return try encode(value.rawValue)
    }
  }
}

extension Transformer where Value: LosslessStringConvertible & Equatable {
  /// Takes numbers and other values that are written as strings: `"42"`.
  public static var fromString: Transformer {
    Transformer("\(Value.self) in a string") { (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let result = Value(text) else { throw .invalid("'\(text)' is no \(Value.self)") }
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
    Transformer("list of \(element.name)") { (value) throws(TransformFailure) in
      guard case .array(let values) = value else {
        throw .mismatch(expected: "array", found: value)
      }
      var result: [Element] = []
      result.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        do throws(TransformFailure) {
          if value.isNull, !element.acceptsNull {
            throw .mismatch(expected: element.name, found: value)
          }
          result.append(try element.decode(value))
        } catch {
          throw error.below(JSONPath(steps: [.index(index)]))
        }
      }
      return result
    } encode: { (value) throws(TransformFailure) in
      guard let encode = element.encode else { throw TransformFailure(.oneWay(element.name)) }
      var values: [JSONValue] = []
      values.reserveCapacity(value.count)
      for (index, element) in value.enumerated() {
        do throws(TransformFailure) {
          values.append(try encode(element))
        } catch {
          throw error.below(JSONPath(steps: [.index(index)]))
        }
      }
      return .array(values)
    }
  }

  /// Only reads: for fields that are derived from the data, and not written back.
  public var readOnly: Transformer {
    Transformer("\(name), read-only", acceptsNull: acceptsNull, decode: decode)
  }
}

extension Transformer where Value: Codable {
  /// Takes what the type decodes itself from, through the platform's encoder and decoder.
  public static var codable: Transformer {
    Transformer("\(Value.self), encoded") { (value) throws(TransformFailure) in
      try value.decoded(Value.self)
    } encode: { (value) throws(TransformFailure) in
      try JSONValue(encoding: value)
    }
  }
}

extension Transformer {
  /// Takes objects with the fields of a value: a recipe for something that is no component.
  ///
  /// Fields that the data lacks are those of the template, also if the value was another one
  /// before; to keep them, map the value's fields by longer key paths, such as `\.address.city`.
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
    let (leaves, shape): ([Shape.Leaf], Shape?)
    do throws(Shape.Conflict) {
      (leaves, shape) = (mapping.leaves, try Shape.joining(mapping.leaves))
    } catch {
      throw RecipeDefinitionError(recipe: name, path: "\(error.path)", reason: error.reason)
    }
    return Transformer(name) { (value) throws(TransformFailure) in
      var result = template
      let present = try mapping.decode(value, into: &result, only: nil).present
      if let path = mapping.missing(in: present) { throw TransformFailure(.missing, at: path) }
      return result
    } encode: { (value) throws(TransformFailure) in
      let values = try mapping.encode(value, only: nil)
      return try shape?.filled(with: values, leaves) ?? .object([:])
    }
  }
}
