/// One sort key of a view: the key of each node.
// Guarded by the lock of the core.
@usableFromInline
class SortColumn: @unchecked Sendable {
  /// Whether nodes with equal prefixes have equal keys, unless the prefix is that of missing keys.
  @usableFromInline let isExact: Bool

  @usableFromInline
  init(isExact: Bool) {
    self.isExact = isExact
  }

  /// The prefix of missing keys, which come last, and perhaps of the last keys.
  @usableFromInline static var last: UInt64 { .max }

  /// Stores the key of an entity for a node.
  ///
  /// Returns a number that orders nodes, except for those that have equal ones.
  @usableFromInline
  func load(_ id: Int, _ core: CoreReference, _ handle: Handle) -> UInt64 { 0 }

  /// Negative if the key of the first node comes before that of the second, 0 if they are equal.
  @usableFromInline
  func compare(_ one: Int, _ other: Int) -> Int { 0 }

  /// Gives the key of a node to another one.
  @usableFromInline
  func move(_ id: Int, to other: Int) {}

  /// Forgets the key of a node.
  @usableFromInline
  func clear(_ id: Int) {}
}

/// A sort key of a known type.
// Guarded by the lock of the core.
@usableFromInline
final class TypedSortColumn<Key: Comparable>: SortColumn, @unchecked Sendable {
  @usableFromInline let read: (CoreReference, Handle) -> Key?
  @usableFromInline let isDescending: Bool
  @usableFromInline var keys: ContiguousArray<Key?> = []

  @inlinable
  init(isDescending: Bool, read: @escaping (CoreReference, Handle) -> Key?) {
    self.read = read
    self.isDescending = isDescending
    super.init(isExact: OrderPrefix.isExact(Key.self))
  }

  @inlinable
  override func load(_ id: Int, _ core: CoreReference, _ handle: Handle) -> UInt64 {
    while keys.count <= id { keys.append(nil) }
    // What differs from itself (not a number) has no place in an order.
    guard let key = read(core, handle), key == key else {
      keys[id] = nil
      return SortColumn.last
    }
    keys[id] = key
    let prefix = OrderPrefix.of(key)
    return isDescending ? ~prefix : prefix
  }

  @inlinable
  override func compare(_ one: Int, _ other: Int) -> Int {
    guard let left = keys[one] else { return keys[other] == nil ? 0 : 1 }
    guard let right = keys[other] else { return -1 }
    if left == right { return 0 }
    return (left < right) != isDescending ? -1 : 1
  }

  @inlinable
  override func move(_ id: Int, to other: Int) {
    while keys.count <= other { keys.append(nil) }
    keys[other] = keys[id]
  }

  @inlinable
  override func clear(_ id: Int) {
    if id < keys.count { keys[id] = nil }
  }
}

/// Numbers that are in the order of the keys they stand for.
@usableFromInline
enum OrderPrefix {
  /// Whether keys of a type with equal numbers are equal.
  @inlinable
  static func isExact<Key>(_ type: Key.Type) -> Bool {
    type == Int.self || type == Int64.self || type == Int32.self || type == Int16.self
      || type == Int8.self || type == UInt.self || type == UInt64.self || type == UInt32.self
      || type == UInt16.self || type == UInt8.self || type == Double.self || type == Float.self
  }

  /// The number of a key: never greater than that of a greater key; 0 if the type is not known.
  @inlinable
  @inline(__always)
  static func of<Key>(_ key: Key) -> UInt64 {
    switch key {
    case let key as Int: signed(Int64(key))
    case let key as Double: floating(key)
    case let key as Float: floating(Double(key))
    case let key as Int64: signed(key)
    case let key as Int32: signed(Int64(key))
    case let key as Int16: signed(Int64(key))
    case let key as Int8: signed(Int64(key))
    case let key as UInt: UInt64(key)
    case let key as UInt64: key
    case let key as UInt32: UInt64(key)
    case let key as UInt16: UInt64(key)
    case let key as UInt8: UInt64(key)
    default: 0
    }
  }

  @inlinable
  static func signed(_ key: Int64) -> UInt64 { UInt64(bitPattern: key) ^ (1 << 63) }

  @inlinable
  static func floating(_ key: Double) -> UInt64 {
    // Both zeros are equal.
    let bits = key == 0 ? 0 : key.bitPattern
    return bits & (1 << 63) == 0 ? bits | (1 << 63) : ~bits
  }
}
