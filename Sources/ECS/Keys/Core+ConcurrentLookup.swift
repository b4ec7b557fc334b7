extension Core {
  /// Looks a key up, as other threads may at the same time if hashing and comparing keys calls no
  /// code of others.
  ///
  /// The body is called with whether changes may wait that it has to look at.
  @inlinable
  @inline(__always)
  func find<Key, Result>(by key: Key.Type, _ body: (_ mayHaveQueued: Bool) -> Result) -> Result {
    if pointer.pointee.lock.isHeldByCurrentThread { return body(!acceptsChanges) }
    if Core.isOfStandardLibrary(key) {
      let turn = pointer.pointee.lock.acquireToRead()
      let result = body(false)
      pointer.pointee.lock.endReading(turn)
      return result
    }
    // Code of the user's compares them, and may change the context, as far as that may be changed.
    let isOutermost = pointer.pointee.lock.acquireIfNeededUnlessReading()
    defer { leaveBriefly(isOutermost) }
    return body(false)
  }

  /// Whether the standard library hashes and compares such keys.
  // PERFORMANCE: X2: the optimizer has the answer.
  @inlinable
  @inline(__always)
  static func isOfStandardLibrary<Key>(_ key: Key.Type) -> Bool {
    key == Int.self || key == String.self || key == UInt64.self || key == Int64.self
      || key == UInt32.self || key == Int32.self || key == UInt.self || key == UInt16.self
      || key == Int16.self || key == UInt8.self || key == Int8.self || key == Character.self
      || key == Double.self || key == Float.self || key == Bool.self || key == ObjectIdentifier.self
      || key == Substring.self || key == UInt128.self || key == Int128.self
  }
}
