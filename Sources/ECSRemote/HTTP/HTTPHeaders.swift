/// The fields of a header, in order; names are compared without case.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"]  // application/json
/// ```
///
/// What can't be sent, such as a value with a line break, is refused by the transport.
public struct HTTPHeaders: Sendable {
  /// A name with a value.
  public struct Field: Sendable, Hashable {
    /// The name, as it was written.
    public let name: String

    /// The value.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Whether both have the same value, and names that differ in case only.
    public static func == (left: Field, right: Field) -> Bool {
      left.value == right.value && left.name.isSameName(as: right.name)
    }

    /// Feeds what is compared to a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name.lowercased())
      hasher.combine(value)
    }
  }

  /// The fields, in the order in which they were added.
  public private(set) var fields: [Field] = []

  /// Makes an empty header.
  public init() {}

  /// The value of a name; nil if there is none.
  ///
  /// Several values are joined by commas. Setting one replaces all that have the name, in the place
  /// of the first; nil removes them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public subscript(name: String) -> String? {
    get {
      var joined: String?
      for field in fields where field.name.isSameName(as: name) {
        joined = joined.map { "\($0), \(field.value)" } ?? field.value
      }
      return joined
    }
    set {
      let index = fields.firstIndex { $0.name.isSameName(as: name) }
      if index != nil { fields.removeAll { $0.name.isSameName(as: name) } }
      if let newValue { fields.insert(Field(name, newValue), at: index ?? fields.count) }
    }
  }

  /// All values of a name, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public func values(of name: String) -> [String] {
    fields.filter { $0.name.isSameName(as: name) }.map(\.value)
  }

  /// Adds a field, beside those that have the name already.
  public mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }
}

extension HTTPHeaders: Hashable {}

extension String {
  /// Whether both are the same but for case.
  // PERFORMANCE: Nearly all names are ASCII, and none is copied then (H2).
  func isSameName(as other: String) -> Bool {
    var bytes = other.utf8.makeIterator()
    for byte in utf8 {
      guard let next = bytes.next() else { return false }
      if byte == next { continue }
      if byte | next >= 0x80 { return lowercased() == other.lowercased() }
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      guard byte ^ next == 0x20, isLetter else { return false }
    }
    return bytes.next() == nil
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Makes a header with fields in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// A line for each field.
  public var description: String {
    fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}
