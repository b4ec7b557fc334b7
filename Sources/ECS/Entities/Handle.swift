/// Names an entity inside one core: a slot and the generation in which the entity lives there.
///
/// Generations of living entities are odd; a slot whose entity is gone has an even one, so that
/// no handle ever equals a free slot.
@frozen
@usableFromInline
struct Handle: Hashable, Sendable {
  @usableFromInline var index: UInt32
  @usableFromInline var generation: UInt32

  @inlinable
  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  // PERFORMANCE: R1, E1: one comparison, and not one for each half.
  @inlinable
  @inline(__always)
  static func == (left: Handle, right: Handle) -> Bool { left.bits == right.bits }

  /// Both, as they lie in memory.
  @inlinable var bits: UInt64 { UInt64(generation) &<< 32 | UInt64(index) }

  @inlinable
  @inline(__always)
  init(bits: UInt64) {
    self.init(
      index: UInt32(truncatingIfNeeded: bits), generation: UInt32(truncatingIfNeeded: bits &>> 32))
  }
}

extension Handle {
  /// A handle that no core ever gives out.
  @inlinable static var dead: Handle { Handle(index: .max, generation: .max) }
}
