/// Numbers of the keys of views by key.
///
/// Made where the type of the keys is known, so that looking one up is specialized.
@usableFromInline
// Guarded by the lock of the core.
final class KeyNumbers<Key: Hashable>: @unchecked Sendable {
  @usableFromInline var numbers: [Key: UInt32] = [:]
  @usableFromInline var keys: ContiguousArray<Key?> = []
  @usableFromInline var freeNumbers: ContiguousArray<UInt32> = []

  @inlinable
  init() {}

  /// The number of a key, given out if it has none; nil if the key does not equal itself.
  @inlinable
  func number(of key: Key) -> UInt32? {
    if let number = numbers[key] { return number }
    return key == key ? makeNumber(for: key) : nil
  }

  @inlinable
  @inline(never)
  func makeNumber(for key: Key) -> UInt32 {
    let number = freeNumbers.popLast() ?? UInt32(truncatingIfNeeded: keys.count)
    if Int(number) == keys.count { keys.append(key) } else { keys[Int(number)] = key }
    numbers[key] = number
    return number
  }

  /// Takes back a number that nothing uses any more.
  @inlinable
  func free(_ number: UInt32) {
    guard let key = keys[Int(number)] else { return }
    numbers[key] = nil
    keys[Int(number)] = nil
    freeNumbers.append(number)
  }
}

/// The access of a router to keys whose type it is not made for.
@usableFromInline
// Guarded by the lock of the core.
struct KeyAccess: @unchecked Sendable {
  /// The number of an entity's key; nil if it has none.
  let number: (Core, Handle) -> UInt32?

  /// Takes back a number that nothing uses any more.
  let free: (UInt32) -> Void

  @usableFromInline
  init(number: @escaping (Core, Handle) -> UInt32?, free: @escaping (UInt32) -> Void) {
    (self.number, self.free) = (number, free)
  }
}
