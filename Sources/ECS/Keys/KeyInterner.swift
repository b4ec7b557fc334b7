/// IDs of the keys of views by key.
///
/// Made where the type of the keys is known, so that looking one up is specialized.
@usableFromInline
// Guarded by the lock of the core.
final class KeyInterner<Key: Hashable>: @unchecked Sendable {
  @usableFromInline var ids: [Key: UInt32] = [:]
  @usableFromInline var keys: ContiguousArray<Key?> = []
  @usableFromInline var freeIDs: ContiguousArray<UInt32> = []

  @inlinable
  init() {}

  /// The ID of a key, given out if it has none; nil if the key does not equal itself.
  @inlinable
  func id(of key: Key) -> UInt32? {
    if let id = ids[key] { return id }
    return key == key ? makeID(for: key) : nil
  }

  /// The same, where a key has an ID that another key may have had before it.
  ///
  /// - Parameter last: That of the other key; it may be none.
  // PERFORMANCE: V3: keys that have not changed are compared, and neither hashed nor searched.
  @inlinable
  func id(of key: Key, mostly last: UInt32) -> UInt32? {
    if Int(last) < keys.count, keys[Int(last)] == key { return last }
    return id(of: key)
  }

  @inlinable
  @inline(never)
  func makeID(for key: Key) -> UInt32 {
    let id = freeIDs.popLast() ?? UInt32(truncatingIfNeeded: keys.count)
    if Int(id) == keys.count { keys.append(key) } else { keys[Int(id)] = key }
    ids[key] = id
    return id
  }

  /// Takes back an ID that nothing uses any more.
  @inlinable
  func free(_ id: UInt32) {
    guard let key = keys[Int(id)] else { return }
    ids[key] = nil
    keys[Int(id)] = nil
    freeIDs.append(id)
  }
}

/// The access of a router to keys whose type it is not made for.
@usableFromInline
// Guarded by the lock of the core.
struct KeyAccess: @unchecked Sendable {
  /// The ID of an entity's key, given the one that it had before; nil if it has none.
  let id: (Core, Handle, UInt32) -> UInt32?

  /// Takes back an ID that nothing uses any more.
  let free: (UInt32) -> Void

  @usableFromInline
  init(id: @escaping (Core, Handle, UInt32) -> UInt32?, free: @escaping (UInt32) -> Void) {
    (self.id, self.free) = (id, free)
  }
}
