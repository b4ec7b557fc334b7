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

  /// Both numbers, as they lie in memory.
  @inlinable var bits: UInt64 { UInt64(generation) &<< 32 | UInt64(index) }
}

extension Handle {
  /// A handle that no core ever gives out.
  @inlinable static var dead: Handle { Handle(index: .max, generation: .max) }
}

/// Where an entity is.
@safe
@frozen
@usableFromInline
struct Record: BitwiseCopyable {
  /// Odd while an entity lives in this slot.
  ///
  /// See ``Handle``.
  @usableFromInline var generation: UInt32

  /// The entity's row in its table; of a free slot, the next free slot.
  @usableFromInline var row: UInt32

  /// INVARIANT: not nil while the generation is odd.
  @usableFromInline var table: TablePointer?

  /// A free slot that is in no list.
  init(generation: UInt32) {
    self.generation = generation
    row = Record.none
    unsafe table = nil
  }

  /// An entity's place.
  @inlinable
  init(generation: UInt32, row: UInt32, table: TablePointer) {
    self.generation = generation
    self.row = row
    unsafe self.table = table
  }

  /// The end of the list of free slots.
  @inlinable static var none: UInt32 { .max }

  /// How many slots there can be: no slot is numbered as the end of the list.
  static var maximumCount: Int { Int(UInt32.max) }

  /// A slot that reached this generation is never used again, so generations cannot wrap.
  static var lastGeneration: UInt32 { .max - 1 }

  /// An even generation that is above one of a slot, and above the one that a handle for the next
  /// entity of that slot may have been given out with.
  static func generation(above generation: UInt32) -> UInt32 {
    generation < lastGeneration - 2 ? (generation + 3) & ~1 : lastGeneration
  }
}
