/// Values by key, in the order in which the keys were first set.
///
/// Keys are compared as Swift strings are: canonically equivalent ones are the same key.
public struct JSONObject: Sendable {
  /// A key with its value.
  public struct Entry: Sendable, Hashable {
    /// The key.
    public let key: String

    /// The value.
    public var value: JSONValue
  }

  private var entries: [Entry] = []

  /// Where each key stands in an object with more keys than are quick to compare one by one.
  // INVARIANT: Empty, or has all keys.
  private var positions: [String: Int] = [:]

  private static let longestScan = 12

  /// Makes an empty object.
  public init() {}

  /// Makes an object.
  ///
  /// - Precondition: No key comes twice.
  public init(uniqueKeysWithValues elements: some Sequence<(String, JSONValue)>) {
    for (key, value) in elements {
      let isNew = append(key, value)
      precondition(isNew, "The key \(key) comes twice: give each key of an object once.")
    }
  }

  /// The value of a key; nil if there is none.
  ///
  /// Setting it keeps the place of a key that is there, and puts a new one last. Setting nil takes
  /// the key out.
  ///
  /// - Complexity: O(1) on average; O(*n*) to take a key out, where *n* is the number of keys.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { entries[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): entries[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): add(key, value)
      case (nil, nil): break
      }
    }
  }

  /// The keys, in order.
  public var keys: [String] { entries.map(\.key) }

  /// The values, in the order of their keys.
  public var values: [JSONValue] { entries.map(\.value) }

  /// Adds a key that is not there yet.
  ///
  /// - Returns: False, without a change, if the key is there.
  mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    guard position(of: key) == nil else { return false }
    add(key, value)
    return true
  }

  func position(of key: String) -> Int? {
    if positions.isEmpty { return entries.firstIndex { $0.key == key } }
    return positions[key]
  }

  private mutating func add(_ key: String, _ value: JSONValue) {
    entries.append(Entry(key: key, value: value))
    if !positions.isEmpty {
      positions[key] = entries.count - 1
    } else if entries.count > JSONObject.longestScan {
      indexKeys()
    }
  }

  private mutating func remove(at position: Int) {
    entries.remove(at: position)
    positions = [:]
    if entries.count > JSONObject.longestScan { indexKeys() }
  }

  private mutating func indexKeys() {
    for (position, entry) in entries.enumerated() { positions[entry.key] = position }
  }
}

extension JSONObject: RandomAccessCollection {
  /// The position of the first key.
  public var startIndex: Int { entries.startIndex }

  /// The position after the last key.
  public var endIndex: Int { entries.endIndex }

  /// The key at a position, with its value.
  public subscript(position: Int) -> Entry { entries[position] }
}

extension JSONObject: Hashable {
  /// Whether both have equal values for the same keys, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    if left.entries == right.entries { return true }
    return left.entries.allSatisfy { right[$0.key] == $0.value }
  }

  /// Feeds the keys and values to a hasher, so that their order does not count.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for entry in entries { sum &+= entry.hashValue }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object.
  ///
  /// - Precondition: No key comes twice.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(uniqueKeysWithValues: elements)
  }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON, in one line.
  public var description: String { JSONValue.object(self).json() }
}
