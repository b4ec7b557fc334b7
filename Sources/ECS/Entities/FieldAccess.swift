/// Reads and writes one field of a value, given by a key path.
///
/// ```swift
/// let health = FieldAccess(\Unit.health)
/// health.set(10, in: &unit)
/// health.get(unit)  // 10
/// ```
///
/// A key path is resolved each time. This looks once: from then on, a property stored in the
/// value is read and written in place, about as fast as by its name. Any other property (computed,
/// observed, or of a class) goes through the key path.
public struct FieldAccess<Root, Value>: Sendable {
  /// The key path.
  public let keyPath: any WritableKeyPath<Root, Value> & Sendable

  @usableFromInline let reader: FieldReader<Root, Value>

  /// Looks a field up.
  ///
  /// - Complexity: O(*s*), where *s* is the number of steps of the key path.
  @inlinable
  public init(_ keyPath: any WritableKeyPath<Root, Value> & Sendable) {
    self.keyPath = keyPath
    reader = FieldReader(keyPath)
  }

  /// The field of a value.
  ///
  /// - Complexity: O(1) for a stored property.
  @inlinable
  @inline(__always)
  public func get(_ root: Root) -> Value { reader.get(root) }

  /// Sets the field of a value.
  ///
  /// - Complexity: O(1) for a stored property.
  @inlinable
  @inline(__always)
  public func set(_ value: Value, in root: inout Root) {
    let offset = reader.offset
    guard offset >= 0 else {
      root[keyPath: keyPath] = value
      return
    }
    unsafe withUnsafeMutablePointer(to: &root) { root in
      // SAFETY: the value is initialized, has a `Value` stored at the offset, and nothing else
      // reaches it meanwhile.
      unsafe UnsafeMutableRawPointer(root).advanced(by: offset).assumingMemoryBound(to: Value.self)
        .pointee =
        value
    }
  }
}
