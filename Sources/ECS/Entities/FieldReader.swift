/// Reads one field of a value, given by a key path; see ``FieldAccess``, which writes as well.
public struct FieldReader<Root, Value>: Sendable {
  /// The key path.
  public let keyPath: any KeyPath<Root, Value> & Sendable

  // INVARIANT: the offset of a stored property of `Root`, whose type is `Value`; negative if the
  // key path leads to anything else.
  @usableFromInline let offset: Int

  /// Looks a field up.
  ///
  /// - Complexity: O(*s*), where *s* is the number of steps of the key path.
  @inlinable
  public init(_ keyPath: any KeyPath<Root, Value> & Sendable) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath) ?? -1
  }

  /// The field of a value.
  ///
  /// - Complexity: O(1) for a stored property.
  @inlinable
  @inline(__always)
  public func get(_ root: Root) -> Value {
    guard offset >= 0 else { return root[keyPath: keyPath] }
    return unsafe withUnsafePointer(to: root) { root in
      // SAFETY: the value is initialized, and has a `Value` stored at the offset.
      unsafe UnsafeRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}
