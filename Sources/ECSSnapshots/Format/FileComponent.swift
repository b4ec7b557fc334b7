/// A component type as a file describes it.
struct FileComponent: Hashable, Sendable {
  enum Encoding: UInt8, Sendable {
    /// Values as they are in memory, one behind the other.
    case bytes = 1
    /// A column for each field.
    case fields = 2
    /// A value as one piece of data.
    case whole = 3
  }

  struct Field: Hashable, Sendable {
    var name: String
    var type: FieldType

    /// Where it is in a value, if values are as in memory.
    var offset = 0
  }

  var name: String
  var version: Int
  var encoding: Encoding

  /// The bytes of a value, if values are as in memory.
  var stride = 0
  var fields: [Field]

  /// Whether fields are all bytes of a value, each once.
  ///
  /// Otherwise a small file could say that it has any number of values, all at one offset.
  static func fill(_ fields: [Field], _ stride: Int) -> Bool {
    var end = 0
    for field in fields.sorted(by: { $0.offset < $1.offset }) {
      guard let width = field.type.width, field.offset == end else { return false }
      end += width
    }
    return end == stride && end > 0
  }

  /// The same with a column for each field.
  var inFields: FileComponent {
    guard encoding == .bytes else { return self }
    return FileComponent(
      name: name, version: version, encoding: .fields,
      fields: fields.map { Field(name: $0.name, type: $0.type) })
  }

  /// The blocks that a row group has for the component.
  var blockCount: Int { encoding == .bytes ? 1 : fields.count }
}
