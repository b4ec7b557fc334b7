import Foundation
import JSONValues

extension JSONValue {
  /// Encodes a value through the platform's encoder; keys come out sorted.
  init(encoding value: some Encodable, dates: Transformer<Date>) throws(TransformFailure) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      encoder.dateEncodingStrategy = .custom { date, encoder in
        try dates.encode(date).encode(to: encoder)
      }
      self = try JSONValue(data: try encoder.encode(value))
    } catch let error as TransformFailure {
      throw error
    } catch {
      throw .invalid("\(type(of: value)) can't be encoded: \(error)")
    }
  }

  /// Decodes a value through the platform's decoder.
  func decoded<Value: Decodable>(
    _ type: Value.Type, dates: Transformer<Date>
  ) throws(TransformFailure) -> Value {
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .custom { decoder in
        do throws(TransformFailure) {
          return try dates.decode(try JSONValue(decoding: decoder))
        } catch {
          throw error.below(JSONPath(decoder.codingPath))
        }
      }
      return try decoder.decode(type, from: data())
    } catch let error as TransformFailure {
      throw error
    } catch let error as DecodingError {
      throw failure(error)
    } catch {
      throw .invalid("\(error)")
    }
  }

  private init(decoding decoder: any Decoder) throws(TransformFailure) {
    do { self = try JSONValue(from: decoder) } catch { throw .invalid("\(error)") }
  }

  private func failure(_ error: DecodingError) -> TransformFailure {
    switch error {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let path = JSONPath(context.codingPath)
      return TransformFailure(
        .typeMismatch(expected: JSONValue.expected(of: type), found: self[path]?.kind ?? .null),
        at: path)
    case .keyNotFound(let key, let context):
      return TransformFailure(
        .missing, at: JSONPath(context.codingPath).appending(key: key.stringValue))
    case .dataCorrupted(let context):
      return TransformFailure(
        .invalid(context.debugDescription), at: JSONPath(context.codingPath))
    @unknown default: return .invalid("\(error)")
    }
  }

  /// What values of a type are in data, for messages.
  static func expected(of type: Any.Type) -> String {
    switch type {
    case is any FixedWidthInteger.Type: "integer"
    case is any BinaryFloatingPoint.Type, is Decimal.Type: "number"
    case is String.Type, is URL.Type, is UUID.Type: "string"
    case is Bool.Type: "bool"
    case is Date.Type: "date"
    case is any Collection.Type where "\(type)".hasPrefix("Dictionary"): "object"
    case is any Collection.Type: "array"
    case let optional as any OptionalType.Type: expected(of: optional.wrapped)
    default: "\(type)"
    }
  }
}

/// An optional type, by which the type that it wraps is found.
private protocol OptionalType { static var wrapped: Any.Type { get } }

extension Optional: OptionalType { fileprivate static var wrapped: Any.Type { Wrapped.self } }

extension JSONPath {
  /// The path of a decoder.
  init(_ codingPath: [any CodingKey]) {
    self.init(
      steps: codingPath.map { key in
        key.intValue.map { .index(max(0, $0)) } ?? .key(key.stringValue)
      })
  }
}
