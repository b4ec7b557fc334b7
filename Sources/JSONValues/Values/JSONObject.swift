/// Values by key, in the order in which the keys were first set.
///
/// Keys are compared like Swift strings: canonically equivalent ones are the same key.
public struct JSONObject: Sendable {
  /// A key with its value.
  public typealias Element = (key: String, value: JSONValue)

  /// A key with its value, as it is stored.
  package struct Entry: Sendable, Hashable {
    package let key: String
    package var value: JSONValue
  }

  // PERFORMANCE: None for an empty object, which takes no memory then.
  private var storage: JSONObjectStorage?

  /// Makes an empty object.
  public init() {}

  /// Makes an object.
  ///
  /// - Precondition: No key comes twice.
  public init(uniqueKeysWithValues elements: some Sequence<(String, JSONValue)>) {
    var entries = JSONEntries()
    for (key, value) in elements {
      let isNew = entries.append(key, value)
      require(isNew, "The key \(key) was given twice: give each key of an object once.")
    }
    self.init(entries)
  }

  package init(_ entries: JSONEntries) {
    if !entries.list.isEmpty { storage = JSONObjectStorage(entries) }
  }

  /// The value of a key; nil if there is none.
  ///
  /// Setting it keeps the place of an existing key, and puts a new one last. Setting nil removes
  /// the key.
  ///
  /// - Complexity: O(1) on average; O(*n*) to remove a key, where *n* is the number of keys.
  public subscript(key: String) -> JSONValue? {
    get { storage?.entries.value(of: key) }
    set {
      if newValue == nil, storage?.entries.position(of: key) == nil { return }
      JSONObjectStorage.own(&storage).entries.set(key, newValue)
    }
  }

  /// The keys, in order.
  public var keys: [String] { map { $0.key } }

  /// The values, in the order of their keys.
  public var values: [JSONValue] { map { $0.value } }

  /// The keys with their values, for callers that ask for many of them.
  package var entries: JSONEntries { storage?.entries ?? JSONEntries() }

  /// The value of a key, looked for at a position first.
  package func value(of key: String, near position: Int) -> JSONValue? {
    storage?.entries.value(of: key, near: position)
  }

  /// Like ``JSONEntries/collect(_:into:)``.
  package func collect(_ keys: [String], into values: inout [JSONValue?]) {
    (storage?.entries ?? JSONEntries()).collect(keys, into: &values)
  }

  func position(of key: String) -> Int? { storage?.entries.position(of: key) }

  /// Whether both are one object in memory, so that there is nothing to compare.
  package func isIdentical(to other: JSONObject) -> Bool { storage === other.storage }

  /// Gives its values away, if there is no other reference to this object.
  mutating func giveAway(to pending: inout [JSONValue]) {
    guard isKnownUniquelyReferenced(&storage), let storage else { return }
    storage.giveAway(to: &pending)
  }
}

extension JSONObject: RandomAccessCollection {
  /// The position of the first key.
  public var startIndex: Int { 0 }

  /// The position after the last key.
  public var endIndex: Int { storage?.entries.list.count ?? 0 }

  /// The key at a position, with its value.
  public subscript(position: Int) -> Element {
    guard let storage else {
      stop("There is no key at position \(position): the object is empty.")
    }
    let entry = storage.entries.list[position]
    return (entry.key, entry.value)
  }
}

extension JSONObject: Hashable {
  /// Whether both have equal values for the same keys, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == JSONValue.object(right)
  }

  /// Feeds the keys and values to a hasher, so that their order does not count.
  public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
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
