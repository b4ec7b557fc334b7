extension CoreReference {
  /// A property of a living entity's component; nil if it is dead or does not have it.
  ///
  /// `offset` is where the property is in the component, if it is stored.
  @inlinable
  func property<C: Component, Value>(
    _ keyPath: KeyPath<C, Value>, offset: Int?, of handle: Handle
  ) -> Value? {
    guard let place = place(of: C.self, handle) else { return nil }
    if !_isPOD(C.self) && pointer.pointee.exclusiveColumns > 0 { checkNotExclusive(C.self, place) }
    guard let offset else { return place.pointee[keyPath: keyPath] }
    // SAFETY: `MemoryLayout.offset(of:)` says that a value of this type is stored there.
    return UnsafeRawPointer(place).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
  }
}
