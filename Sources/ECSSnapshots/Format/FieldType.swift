/// The type of a field's values in a snapshot.
struct FieldType: Hashable, Sendable {
  enum Scalar: UInt8, Sendable, CaseIterable {
    case int8 = 1
    case int16, int32, int64
    case uint8, uint16, uint32, uint64
    case float, double
    case bool
    case uuid
    case date
    case entity
    case string
    case data
    /// Any other value, in the form that its transformer gives it.
    case json
  }

  var scalar: Scalar
  var isList = false
  var isOptional = false

  init(_ scalar: Scalar) { self.scalar = scalar }

  /// The type as one number, as files have it.
  var code: UInt8 { scalar.rawValue | (isList ? 0x40 : 0) | (isOptional ? 0x80 : 0) }

  init?(code: UInt8) {
    guard let scalar = Scalar(rawValue: code & 0x3f) else { return nil }
    self.init(scalar)
    isList = code & 0x40 != 0
    isOptional = code & 0x80 != 0
  }
}
