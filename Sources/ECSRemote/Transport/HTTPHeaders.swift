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
      left.value == right.value && left.name.lowercased() == right.name.lowercased()
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
      let values = values(of: name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      let lowercased = name.lowercased()
      let place = fields.firstIndex { $0.name.lowercased() == lowercased }
      fields.removeAll { $0.name.lowercased() == lowercased }
      if let newValue { fields.insert(Field(name, newValue), at: place ?? fields.count) }
    }
  }

  /// All values of a name, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public func values(of name: String) -> [String] {
    let lowercased = name.lowercased()
    return fields.filter { $0.name.lowercased() == lowercased }.map(\.value)
  }

  /// Adds a field, beside those that have the name already.
  public mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }
}

extension HTTPHeaders: Hashable {}

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
