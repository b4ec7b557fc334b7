/// A component that a closure is changing.
struct TakenValue {
  let handle: Handle
  let cid: CID

  /// Whether the value is moved out, and its memory uninitialized.
  ///
  /// INVARIANT: only of types whose values move by copying their bytes: rows may move meanwhile.
  var isOut: Bool
}

/// The values that closures are changing at this moment, the innermost one last.
@usableFromInline
struct TakenValues {
  private var values: [TakenValue] = []

  /// Not 0: changes take the slow path, since a value may be moved out.
  // PERFORMANCE: U1: read without looking into the array.
  @usableFromInline private(set) var count = 0

  mutating func append(_ value: TakenValue) {
    values.append(value)
    count = values.count
  }

  mutating func removeLast() -> TakenValue {
    defer { count = values.count }
    return values.removeLast()
  }

  /// Whether one of them fulfills a condition.
  func contains(where condition: (TakenValue) -> Bool) -> Bool { values.contains(where: condition) }

  /// Notes that the memory of a component is initialized again, or gone.
  ///
  /// Returns whether it was uninitialized.
  mutating func noteInitialized(_ key: ComponentKey, of handle: Handle) -> Bool {
    let index = values.firstIndex { $0.isOut && $0.handle == handle && $0.cid.key == key }
    guard let index else { return false }
    values[index].isOut = false
    return true
  }
}
