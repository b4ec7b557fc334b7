/// Values by key, of which there is mostly one.
// PERFORMANCE: The first one takes no memory of its own, and is found without hashing: each entity
// of a list has such values (H1), and each call looks some up (H2).
package struct SmallMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var first: (key: Key, value: Value)?

  // INVARIANT: Without the key of the first one.
  private var others: [Key: Value] = [:]

  package init() {}

  package init(_ value: Value, for key: Key) { first = (key, value) }

  package var isEmpty: Bool { first == nil && others.isEmpty }

  /// The keys, in no order.
  package var keys: [Key] { (first.map { [$0.key] } ?? []) + others.keys }

  /// The values, in no order.
  package var values: [Value] { (first.map { [$0.value] } ?? []) + others.values }

  package subscript(key: Key) -> Value? {
    get {
      if let first, first.key == key { return first.value }
      return others.isEmpty ? nil : others[key]
    }
    set { change(key) { $0 = newValue } }
  }

  /// Changes the value of a key, sets it or takes it out, without a copy.
  package mutating func change<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
    let isFirst = first.map { $0.key == key } ?? (others.isEmpty || others[key] == nil)
    guard isFirst else { return body(&others[key]) }
    var value = first.take()?.value
    defer { first = value.map { (key, $0) } }
    return body(&value)
  }
}

extension SmallMap: Equatable where Value: Equatable {
  package static func == (left: SmallMap, right: SmallMap) -> Bool {
    if left.others.isEmpty, right.others.isEmpty {
      return left.first?.key == right.first?.key && left.first?.value == right.first?.value
    }
    return left.all == right.all
  }

  private var all: [Key: Value] {
    var all = others
    if let first { all[first.key] = first.value }
    return all
  }
}
