/// How storage keeps an index up to date, without knowing its key type.
///
/// The closures are made where the types are known, so that they are specialized.
@usableFromInline
// Guarded by the lock of the core that it is registered with.
final class IndexSink: @unchecked Sendable {
  @usableFromInline typealias Place = UnsafeMutableRawPointer

  @usableFromInline let info: ComponentInfoReference

  /// An entity got the component, or its value changed.
  @usableFromInline let update: (Handle, Place) -> Void

  /// An entity lost the component.
  @usableFromInline let remove: (Handle) -> Void

  /// The index is paused or its core ends: forget everything.
  @usableFromInline let clear: () -> Void

  @inlinable
  init<C: Component>(
    _ type: C.Type,
    update: @escaping (Handle, C) -> Void,
    remove: @escaping (Handle) -> Void,
    clear: @escaping () -> Void
  ) {
    info = ComponentRegistry.info(of: type)
    // SAFETY: storage passes places of columns of this component type only.
    self.update = { handle, place in
      update(handle, place.assumingMemoryBound(to: C.self).pointee)
    }
    self.remove = remove
    self.clear = clear
  }
}
