/// Entities of which a closure has set and removed the same components, in the same order.
@safe
final class WrittenBatch {
  /// A component that the closure sets or removes.
  struct ScriptStep: Hashable {
    let cid: CID
    let isSet: Bool
  }

  /// The number of what the entities get other components from.
  let sourceNumber: Int
  let source: PrototypeValues
  let script: [ScriptStep]

  /// Which of all batches it is, in the order in which they were begun.
  let number: Int

  /// For each change, where the next value is to be put.
  let steps: UnsafeMutablePointer<EntityWriter.Step>

  private var staged: [StagedValues?] = []
  private var capacity: Int
  private(set) var count = 0

  // PERFORMANCE: Q4: usually, all entities follow each other and have the same source.
  private var first = 0
  private var positions: [Int]?
  private var rows: [Int] = []

  init(
    _ sourceNumber: Int, _ source: PrototypeValues, _ script: [ScriptStep], number: Int,
    capacity: Int
  ) {
    (self.sourceNumber, self.source, self.script) = (sourceNumber, source, script)
    self.number = number
    self.capacity = max(1, capacity)
    unsafe steps = UnsafeMutablePointer<EntityWriter.Step>.allocate(capacity: max(1, script.count))
    for (number, change) in script.enumerated() {
      let values = change.isSet ? StagedValues(change.cid, capacity: self.capacity) : nil
      staged.append(values)
      // SAFETY: there is room for each change.
      unsafe (steps + number).initialize(
        to: EntityWriter.Step(
          key: change.cid.key, place: values?.place(0), stride: change.cid.pointer.pointee.stride))
    }
  }

  deinit {
    for values in staged { values?.noteValues(count) }
    unsafe steps.deallocate()
  }

  /// Notes that all values of an entity are in place.
  func append(_ position: Int, row: Int) {
    if count == 0 { first = position }
    if positions != nil || position != first + count {
      if positions == nil { positions = Array(first..<first + count) }
      positions?.append(position)
    }
    if source.count > 1 { rows.append(row) }
    count += 1
    if count == capacity { return grow() }
    for number in script.indices {
      // SAFETY: the place is within the block, whose capacity is more than the count.
      unsafe steps[number].place? += script[number].cid.pointer.pointee.stride
    }
  }

  /// Notes entities whose values are in place, and that steps have gone on.
  func append(_ more: Int, before position: Int) {
    let start = position - more
    if count == 0 { first = start }
    if positions != nil || start != first + count {
      if positions == nil { positions = Array(first..<first + count) }
      positions?.append(contentsOf: start..<position)
    }
    count += more
  }

  /// The number of entities that `append(_:before:)` may note together; 0 if each has a row of its
  /// own.
  var room: Int { source.count > 1 ? 0 : capacity - count - 1 }

  private func grow() {
    capacity *= 2
    for (number, values) in staged.enumerated() {
      guard let values else { continue }
      values.noteValues(count)
      values.grow(to: capacity)
      unsafe steps[number].place = unsafe values.place(count)
    }
  }

  /// Takes the entities out.
  func take() -> EntityBatch {
    let changed = Set(script.map(\.cid))
    let types = source.types.filter { !changed.contains($0) } + script.filter(\.isSet).map(\.cid)
    let own = staged.compactMap(\.self)
    for values in own { values.noteValues(count) }
    staged = []
    return EntityBatch(
      types, positions.map { .list($0) } ?? .range(first..<first + count), source,
      source.count > 1 ? .list(rows) : .first(count), staged: own,
      script: script.map { ($0.cid, $0.isSet) })
  }
}
