/// Reads and writes one field of a value, given by a key path.
///
/// ```swift
/// let health = FieldAccess(\Unit.health)
/// health.set(10, in: &unit)
/// health.get(unit)  // 10
/// ```
///
/// A key path looks its way up each time. This looks once: a property that is stored in the value is
/// read and written at its place in memory from then on, about as fast as by its name. Any other one
/// (a computed or observed property, one of a class) goes through the key path.
public struct FieldAccess<Root, Value>: Sendable {
  /// The key path.
  public let keyPath: any WritableKeyPath<Root, Value> & Sendable

  // INVARIANT: The place of a stored property of `Root`, whose type is `Value`; negative if the key path
  // leads to anything else.
  @usableFromInline let offset: Int

  /// Looks a field up.
  ///
  /// - Complexity: O(*s*), where *s* is the number of steps of the key path.
  @inlinable
  public init(_ keyPath: any WritableKeyPath<Root, Value> & Sendable) {
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
    return withUnsafePointer(to: root) { root in
      // SAFETY: the value is initialized, and has a `Value` stored at the offset.
      UnsafeRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Sets the field of a value.
  ///
  /// - Complexity: O(1) for a stored property.
  @inlinable
  @inline(__always)
  public func set(_ value: Value, in root: inout Root) {
    guard offset >= 0 else {
      root[keyPath: keyPath] = value
      return
    }
    withUnsafeMutablePointer(to: &root) { root in
      // SAFETY: the value is initialized, has a `Value` stored at the offset, and nobody else reaches it
      // meanwhile.
      UnsafeMutableRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self)
        .pointee =
        value
    }
  }
}
