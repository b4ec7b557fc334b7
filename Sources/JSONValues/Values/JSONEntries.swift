/// The keys of an object with their values, in order.
@usableFromInline
package struct JSONEntries {
  package private(set) var list: [JSONObject.Entry] = []

  /// Where each key stands in an object with more keys than are quick to compare one by one.
  // INVARIANT: Empty, or has all keys.
  private var positions: [String: Int] = [:]

  private static let longestScan = 12

  init() {}

  package init(capacity: Int) { list.reserveCapacity(capacity) }

  package func position(of key: String) -> Int? {
    if positions.isEmpty { return list.firstIndex { $0.key == key } }
    return positions[key]
  }

  package func value(of key: String) -> JSONValue? { position(of: key).map { list[$0].value } }

  /// The value of a key, looked for at a position first.
  package func value(of key: String, near position: Int) -> JSONValue? {
    if position < list.count, list[position].key == key { return list[position].value }
    return value(of: key)
  }

  /// Adds the values of keys, nil for each that is absent, looked for behind the one before first.
  func collect(_ keys: [String], into values: inout [JSONValue?]) {
    values.reserveCapacity(values.count + keys.count)
    var position = 0
    for key in keys {
      if position < list.count, list[position].key == key {
        values.append(list[position].value)
        position += 1
      } else if let found = self.position(of: key) {
        values.append(list[found].value)
        position = found + 1
      } else {
        values.append(nil)
      }
    }
  }

  /// Whether a key with a value is at a position.
  @usableFromInline
  package func has(_ key: String, _ value: JSONValue, at position: Int) -> Bool {
    position < list.count && list[position].key == key && list[position].value == value
  }

  /// Adds a key that is known to be new.
  @usableFromInline
  package mutating func appendNew(_ key: String, _ value: consuming JSONValue) { add(key, value) }

  /// Adds a key that is not there yet.
  ///
  /// - Returns: False, without a change, if the key is there.
  mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    guard position(of: key) == nil else { return false }
    add(key, value)
    return true
  }

  /// Sets the value of a key, or takes the key out.
  mutating func set(_ key: String, _ value: JSONValue?) {
    switch (position(of: key), value) {
    case (let position?, let value?): list[position].value = value
    case (let position?, nil): remove(at: position)
    case (nil, let value?): add(key, value)
    case (nil, nil): break
    }
  }

  private mutating func add(_ key: String, _ value: consuming JSONValue) {
    list.append(JSONObject.Entry(key: key, value: value))
    if !positions.isEmpty {
      positions[key] = list.count - 1
    } else if list.count > JSONEntries.longestScan {
      indexKeys()
    }
  }

  private mutating func remove(at position: Int) {
    list.remove(at: position)
    positions = [:]
    if list.count > JSONEntries.longestScan { indexKeys() }
  }

  private mutating func indexKeys() {
    for (position, entry) in list.enumerated() { positions[entry.key] = position }
  }
}
