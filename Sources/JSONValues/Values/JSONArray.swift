/// A list of values.
///
/// Make one from an array, or write a literal; get the array with ``elements``.
public struct JSONArray: Sendable {
  // PERFORMANCE: None for an empty list, which takes no memory then.
  private var storage: JSONArrayStorage?

  /// Makes an empty list.
  public init() {}

  /// Makes a list.
  ///
  /// - Complexity: O(1) for an array, O(*n*) otherwise, where *n* is the number of elements.
  public init(_ elements: some Sequence<JSONValue>) {
    let elements = elements as? [JSONValue] ?? Array(elements)
    if !elements.isEmpty { storage = JSONArrayStorage(elements) }
  }

  /// The values as an array.
  ///
  /// - Complexity: O(1).
  public var elements: [JSONValue] { storage?.elements ?? [] }

  /// Whether both are one list in memory, so that there is nothing to compare.
  func isIdentical(to other: JSONArray) -> Bool { storage === other.storage }

  /// Changes the values; those of a copy stay.
  private mutating func change<Result>(_ body: (inout [JSONValue]) -> Result) -> Result {
    body(&JSONArrayStorage.own(&storage).elements)
  }

  /// Gives its values away, if there is no other reference to this list.
  mutating func giveAway(to pending: inout [JSONValue]) {
    guard isKnownUniquelyReferenced(&storage), let storage else { return }
    storage.giveAway(to: &pending)
  }
}

extension JSONArray: RandomAccessCollection, MutableCollection {
  /// The position of the first value.
  public var startIndex: Int { 0 }

  /// The position after the last value.
  public var endIndex: Int { storage?.elements.count ?? 0 }

  /// The value at a position.
  public subscript(position: Int) -> JSONValue {
    get { elements[position] }
    set { change { $0[position] = newValue } }
  }
}

extension JSONArray: RangeReplaceableCollection {
  /// Replaces the values in a range.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<JSONValue>
  ) {
    change { $0.replaceSubrange(subrange, with: newElements) }
  }
}

extension JSONArray: Hashable {
  /// Whether both have equal values in the same order.
  public static func == (left: JSONArray, right: JSONArray) -> Bool {
    JSONValue.array(left) == JSONValue.array(right)
  }

  /// Feeds the values to a hasher.
  public func hash(into hasher: inout Hasher) { JSONValue.array(self).hash(into: &hasher) }
}

extension JSONArray: ExpressibleByArrayLiteral {
  /// Makes a list.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONArray: CustomStringConvertible {
  /// The list as JSON, in one line.
  public var description: String { JSONValue.array(self).json() }
}
