/// Numbers of some slots of a core.
@safe
// Filled before anything else has it, and never changed until it ends.
final class SlotNumbers: @unchecked Sendable {
  // PERFORMANCE: Q1b: checks of exclusive access would take as long as what is to be done.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var numbers = SlotMap<UInt32>(
    absent: .max)

  deinit { unsafe numbers.deallocate() }

  /// The number of a slot; nil if it has none.
  subscript(slot: UInt32) -> Int? {
    let number = numbers[slot]
    return number == .max ? nil : Int(number)
  }

  /// Gives a slot a number that has none.
  func insert(_ slot: UInt32, _ number: Int) {
    numbers.insert(slot, UInt32(truncatingIfNeeded: number))
  }
}
