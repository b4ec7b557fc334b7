/// The location of an entity: its table and row.
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

  /// The location of a living entity.
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
