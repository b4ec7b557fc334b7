/// A component that refers to other entities, which copies are to refer to as copies.
///
/// Copying entities does not look into components: a handle in one means the same entity in the
/// copy. Of components that conform, it does: a handle to an entity that is copied along comes to
/// mean that entity's copy.
///
/// ```swift
/// struct Targeting: EntityReferencing {
///   var target: Entity
///   var assistants: [Entity]
///
///   mutating func mapEntities(_ map: (Entity) -> Entity) {
///     target = map(target)
///     assistants = assistants.map(map)
///   }
/// }
/// ```
///
/// For what entities are to each other, a ``Relation`` is often better: it agrees at both ends.
public protocol EntityReferencing: Component {
  /// Replaces each handle by what a closure makes of it.
  ///
  /// It runs in the context's critical section and must not change the context, which stops with a
  /// message.
  ///
  /// - Parameter map: Returns the copy of an entity that is copied along, which is dead as yet, and
  ///   any other handle as it is.
  mutating func mapEntities(_ map: (Entity) -> Entity)
}

extension EntityReferencing {
  /// Replaces the handles of values that lie behind each other.
  @unsafe
  static func mapEntities(
    of place: UnsafeMutableRawPointer, count: Int, _ map: (Entity) -> Entity
  ) {
    // SAFETY: callers pass so many values of this type.
    let values = unsafe place.assumingMemoryBound(to: Self.self)
    for number in 0..<count { unsafe values[number].mapEntities(map) }
  }
}
