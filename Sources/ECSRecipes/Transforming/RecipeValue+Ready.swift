public import Foundation
public import JSONValues

extension RecipeValue where Self: FixedWidthInteger {
  // PERFORMANCE: Inlinable, so that numbers are converted by code specialized for their types (P1,
  // P2, P3).

  /// Takes numbers that are integers and fit.
  @inlinable
  public static var transformer: Transformer<Self> {
    Transformer("\(Self.self)", expects: "integer") { (value) throws(TransformFailure) in
      guard case .number(let number) = value else {
        throw .mismatch(expected: "integer", found: value)
      }
      guard let integer = number.integer(Self.self) else {
        throw .invalid("\(number) does not fit in \(Self.self)")
      }
      return integer
    } encode: {
      .number(JSONNumber($0))
    }.with(.integer)
  }
}

extension Int: RecipeValue {}
extension Int8: RecipeValue {}
extension Int16: RecipeValue {}
extension Int32: RecipeValue {}
extension Int64: RecipeValue {}
extension UInt: RecipeValue {}
extension UInt8: RecipeValue {}
extension UInt16: RecipeValue {}
extension UInt32: RecipeValue {}
extension UInt64: RecipeValue {}

extension Transformer {
  /// A transformer of numbers.
  static func number(
    _ name: String, _ decode: @escaping @Sendable (JSONNumber) -> Value?,
    _ encode: @escaping @Sendable (Value) -> JSONNumber?
  ) -> Transformer {
    Transformer(name, expects: "number") { (value) throws(TransformFailure) in
      guard case .number(let number) = value else {
        throw .mismatch(expected: "number", found: value)
      }
      guard let result = decode(number) else {
        throw .invalid("\(number) does not fit in \(name)")
      }
      return result
    } encode: { (value) throws(TransformFailure) in
      guard let number = encode(value) else {
        throw .invalid("\(ValueText.text(of: value)) is not a JSON number")
      }
      return .number(number)
    }
  }
}

extension Double: RecipeValue {
  /// Takes numbers; the nearest value counts.
  public static var transformer: Transformer<Double> {
    .number("Double", \.double, { .init($0) }).with(.real)
  }
}

extension Float: RecipeValue {
  /// Takes numbers; the nearest value counts.
  public static var transformer: Transformer<Float> {
    .number("Float", \.float, { .init($0) }).with(.real)
  }
}

extension Decimal: RecipeValue {
  /// Takes numbers that a `Decimal` holds exactly.
  public static var transformer: Transformer<Decimal> {
    .number("Decimal", \.decimal, { .init($0) }).with(.exactNumber)
  }
}

extension JSONNumber: RecipeValue {
  /// Takes numbers, exactly.
  public static var transformer: Transformer<JSONNumber> {
    .number("number", { $0 }, { $0 }).with(.exactNumber)
  }
}

extension Bool: RecipeValue {
  /// Takes Booleans.
  public static var transformer: Transformer<Bool> {
    Transformer("Bool", expects: "bool") { (value) throws(TransformFailure) in
      guard case .bool(let result) = value else { throw .mismatch(expected: "bool", found: value) }
      return result
    } encode: {
      .bool($0)
    }.with(.bool)
  }
}

extension String: RecipeValue {
  /// Takes strings.
  public static var transformer: Transformer<String> {
    Transformer("String", expects: "string") { (value) throws(TransformFailure) in
      guard case .string(let result) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      return result
    } encode: {
      .string($0)
    }.with(.text)
  }
}

extension JSONValue: RecipeValue {
  /// Takes any value as it is, `null` included.
  public static var transformer: Transformer<JSONValue> {
    Transformer("JSONValue", expects: "value", acceptsNull: true, decode: { $0 }, encode: { $0 })
  }
}

extension URL: RecipeValue {
  /// Takes strings that are URLs.
  public static var transformer: Transformer<URL> {
    Transformer("URL", expects: "string") { (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let url = URL(string: text) else { throw .invalid("'\(text)' is not a URL") }
      return url
    } encode: {
      .string($0.absoluteString)
    }
  }
}

extension UUID: RecipeValue {
  /// Takes strings such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in upper or lower case.
  public static var transformer: Transformer<UUID> {
    Transformer("UUID", expects: "string") { (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let id = UUID(uuidString: text) else { throw .invalid("'\(text)' is not a UUID") }
      return id
    } encode: {
      .string($0.uuidString)
    }.with(.uuid)
  }
}

extension Data: RecipeValue {
  /// Takes strings with bytes in base64.
  public static var transformer: Transformer<Data> {
    Transformer("Data", expects: "string") { (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let data = Data(base64Encoded: text) else { throw .invalid("the text is not base64") }
      return data
    } encode: {
      .string($0.base64EncodedString())
    }.with(.bytes)
  }
}

extension Array: RecipeValue where Element: RecipeValue {
  /// Takes lists of what the element's transformer takes.
  public static var transformer: Transformer<[Element]> { .list(Element.transformer) }
}
