import Foundation

extension JSONValue {
  /// Encodes a value through the platform's encoder; keys come out sorted.
  init(encoding value: some Encodable) throws(TransformFailure) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      self = try JSONValue(data: try encoder.encode(value))
    } catch {
      throw .invalid("\(type(of: value)) can't be encoded: \(error)")
    }
  }

  /// Decodes a value through the platform's decoder.
  func decoded<Value: Decodable>(_ type: Value.Type) throws(TransformFailure) -> Value {
    do {
      return try JSONDecoder().decode(type, from: data())
    } catch let error as DecodingError {
      throw failure(error)
    } catch {
      throw .invalid("\(error)")
    }
  }

  private func failure(_ error: DecodingError) -> TransformFailure {
    func path(_ context: DecodingError.Context) -> JSONPath {
      JSONPath(
        steps: context.codingPath.map { key in
          key.intValue.map { .index(max(0, $0)) } ?? .key(key.stringValue)
        })
    }
    switch error {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let place = path(context)
      return TransformFailure(
        .typeMismatch(expected: "\(type)", found: self[place]?.kind ?? .null), at: place)
    case .keyNotFound(let key, let context):
      return TransformFailure(.missing, at: path(context).appending(key: key.stringValue))
    case .dataCorrupted(let context):
      return TransformFailure(.invalid(context.debugDescription), at: path(context))
    @unknown default: return .invalid("\(error)")
    }
  }
}
