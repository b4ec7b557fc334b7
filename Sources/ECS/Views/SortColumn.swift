/// One sort key of a view: the key of each node.
///
/// The closures are made where the types are known, so that they are specialized.
@usableFromInline
// Guarded by the lock of the core.
struct SortColumn: @unchecked Sendable {
  /// Stores the key of an entity for a node.
  ///
  /// Returns a number that orders nodes, except for those that have equal ones. If the column is
  /// exact, the key need not be stored unless the last parameter says so: the number tells.
  let load: (OrderedNodes.ID, Core, Handle, Bool) -> UInt64

  /// Negative if the key of the first node comes before that of the second, 0 if they are equal.
  let compare: (OrderedNodes.ID, OrderedNodes.ID) -> Int

  /// Gives the key of a node to another one.
  let move: (OrderedNodes.ID, OrderedNodes.ID) -> Void

  /// Forgets the key of a node.
  let clear: (OrderedNodes.ID) -> Void

  /// Whether nodes with equal numbers have equal keys, unless it is the number of missing keys.
  let isExact: Bool

  /// Whether keys are stored even if the column is exact.
  let keepsKeys: Bool

  /// The keys of the nodes, of the column's own type.
  let keys: AnyObject

  /// The number of missing keys, which come last, and perhaps of the last keys.
  @usableFromInline static var last: UInt64 { .max }

  @usableFromInline
  init(
    isExact: Bool, keepsKeys: Bool, keys: AnyObject,
    load: @escaping (OrderedNodes.ID, Core, Handle, Bool) -> UInt64,
    compare: @escaping (OrderedNodes.ID, OrderedNodes.ID) -> Int,
    move: @escaping (OrderedNodes.ID, OrderedNodes.ID) -> Void,
    clear: @escaping (OrderedNodes.ID) -> Void
  ) {
    self.isExact = isExact
    self.keepsKeys = keepsKeys
    self.keys = keys
    self.load = load
    self.compare = compare
    self.move = move
    self.clear = clear
  }

  @inlinable
  static func make<Key: Comparable>(
    descending: Bool, keepsKeys: Bool = false, read: @escaping (Core, Handle) -> Key?
  ) -> SortColumn {
    let storage = SortKeys<Key>()
    let isExact = OrderPrefix.isExact(Key.self)
    return SortColumn(
      isExact: isExact, keepsKeys: keepsKeys, keys: storage,
      load: { id, core, handle, needsKey in
        // What differs from itself (not a number) has no place in an order.
        guard let key = read(core, handle), key == key else {
          storage.set(id, nil)
          return last
        }
        let ascending = OrderPrefix.of(key)
        let prefix = descending ? ~ascending : ascending
        if keepsKeys || needsKey || !isExact || prefix == last { storage.set(id, key) }
        return prefix
      },
      compare: { storage.compare($0, $1, descending) },
      move: { storage.set($1, storage[$0]) },
      clear: { storage.set($0, nil) })
  }
}

/// The keys of nodes.
@usableFromInline
// Guarded by the lock of the core.
final class SortKeys<Key: Comparable>: @unchecked Sendable {
  @usableFromInline var keys: ContiguousArray<Key?> = []

  @inlinable
  init() {}

  @inlinable
  subscript(id: OrderedNodes.ID) -> Key? { id.index < keys.count ? keys[id.index] : nil }

  @inlinable
  func set(_ id: OrderedNodes.ID, _ key: Key?) {
    if id.index >= keys.count {
      guard key != nil else { return }
      let more = max(64, id.index + 1 - keys.count, keys.count)
      keys.append(contentsOf: repeatElement(nil, count: more))
    }
    keys[id.index] = key
  }

  @inlinable
  func compare(_ one: OrderedNodes.ID, _ other: OrderedNodes.ID, _ descending: Bool) -> Int {
    guard let left = self[one] else { return self[other] == nil ? 0 : 1 }
    guard let right = self[other] else { return -1 }
    if left == right { return 0 }
    return (left < right) != descending ? -1 : 1
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
