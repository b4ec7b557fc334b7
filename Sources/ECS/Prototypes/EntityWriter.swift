/// The state of closures that change entities before they are created.
///
/// It expects that a closure does with an entity what it did with the one before, and puts values
/// where they belong then. If it does something else, changes are collected, and the batch of
/// entities with which the same was done is looked for when it has returned.
@safe
@usableFromInline
struct EntityWriter: ~Copyable {
  /// A component that is expected to be set, with the place of its value, or to be removed.
  @safe
  @usableFromInline
  struct Step {
    @usableFromInline let key: ComponentKey
    @usableFromInline var place: UnsafeMutableRawPointer?

    /// How far the place for the next entity is from this one, in bytes.
    let stride: Int
  }

  // INVARIANT: the steps of the batch that is expected, of which so many were made; fewer than none
  // once something else was done.
  @usableFromInline var steps: UnsafeMutablePointer<Step>
  @usableFromInline var stepCount = 0
  @usableFromInline var step = 0

  // PERFORMANCE: Q4: entities that did what was expected are counted here, and noted together.
  // INVARIANT: so many, which end before this position, are not noted in the batch; it has room for
  // so many more, and one.
  private var streak = 0
  private var room = 0

  private let core: Core
  private let total: Int
  private let sources: [PrototypeValues]
  private var batchCount = 0
  private var batches: [[[WrittenBatch.ScriptStep]: WrittenBatch]]
  private var expected: [WrittenBatch?]
  private var batch: WrittenBatch?

  // The entity that is being changed.
  private var position = 0
  private var sourceNumber = 0
  private var row = 0
  private var isCollecting = false
  private var changes: [(cid: CID, value: (any Component)?)] = []

  /// What the entity is a copy of.
  private(set) var original: Entity?

  init(_ core: Core, _ sources: [PrototypeValues], total: Int) {
    (self.core, self.sources, self.total) = (core, sources, total)
    expected = Array(repeating: nil, count: sources.count)
    batches = Array(repeating: [:], count: sources.count)
    unsafe steps = EntityWriter.noSteps
  }

  // SAFETY: never read or written through; immortal.
  @safe nonisolated(unsafe) private static let noSteps =
    UnsafeMutablePointer<Step>.allocate(capacity: 1)

  /// Begins with the next entity, of the same source.
  @inline(__always)
  mutating func begin(_ position: Int) {
    self.position = position
    step = 0
  }

  /// Begins with the next entity.
  mutating func begin(_ position: Int, source: Int, row: Int, original: Entity?) {
    (self.row, self.original) = (row, original)
    if batch == nil || source != sourceNumber { expect(expected[source], source) }
    begin(position)
  }

  private mutating func expect(_ next: WrittenBatch?, _ source: Int) {
    sourceNumber = source
    batch = next
    stepCount = next?.script.count ?? 0
    unsafe steps = unsafe next?.steps ?? EntityWriter.noSteps
    room = next?.room ?? 0
  }

  /// Ends the changes of an entity.
  @inline(__always)
  mutating func end() {
    guard step == stepCount, room > 0 else { return endGenerally() }
    room &-= 1
    streak &+= 1
    var next = unsafe steps
    for _ in 0..<stepCount {
      // SAFETY: the block has room for one more value.
      if let place = unsafe next.pointee.place {
        unsafe next.pointee.place = unsafe place + next.pointee.stride
      }
      unsafe next += 1
    }
  }

  /// Notes the entities that were only counted.
  private mutating func endStreak(before position: Int) {
    if streak > 0 { batch?.append(streak, before: position) }
    streak = 0
  }

  @inline(never)
  private mutating func endGenerally() {
    endStreak(before: position)
    if !isCollecting, step == stepCount, let batch {
      batch.append(position, row: row)
      room = batch.room
      return
    }
    collect()
    let script = changes.map { WrittenBatch.ScriptStep(cid: $0.cid, isSet: $0.value != nil) }
    let next = batch(of: script)
    for (number, change) in changes.enumerated() {
      guard let value = change.value, let place = unsafe next.steps[number].place else { continue }
      // SAFETY: the place is one for a value of this type, and uninitialized.
      unsafe change.cid.pointer.pointee.unbox(value, place)
    }
    next.append(position, row: row)
    changes = []
    isCollecting = false
    expected[sourceNumber] = next
    expect(next, sourceNumber)
  }

  private mutating func batch(of script: [WrittenBatch.ScriptStep]) -> WrittenBatch {
    if let present = batches[sourceNumber][script] { return present }
    // What the closure does first it does mostly. A row is copied once; a template any number of
    // times.
    let most = original == nil ? total - position : sources[sourceNumber].count
    let usual = batches[sourceNumber].isEmpty ? BulkCreation.rowsReservedAtOnce : 16
    let made = WrittenBatch(
      sourceNumber, sources[sourceNumber], script, number: batchCount,
      capacity: min(most, total - position, usual))
    batches[sourceNumber][script] = made
    batchCount += 1
    return made
  }

  /// Takes what was done so far back into a list, since it is not what was expected.
  private mutating func collect() {
    guard !isCollecting else { return }
    isCollecting = true
    endStreak(before: position)
    if let batch {
      for number in 0..<step {
        let cid = batch.script[number].cid
        // SAFETY: the value was put there, and is not noted.
        unsafe changes.append(
          (cid, batch.steps[number].place.map { unsafe cid.pointer.pointee.take($0) }))
      }
    }
    (step, stepCount) = (0, -1)
  }

  /// Sets or removes a component that was not expected to be.
  @usableFromInline
  mutating func change(_ cid: CID, _ value: (any Component)?) {
    collect()
    guard let number = changes.firstIndex(where: { $0.cid == cid }) else {
      changes.append((cid, value))
      return
    }
    // It ends where user code may run.
    if let old = changes[number].value { core.discard(old) }
    changes[number].value = value
  }

  /// A component of the entity as it is by now.
  @usableFromInline
  func value(of key: ComponentKey) -> (any Component)? {
    if let change = changes.first(where: { $0.cid.key == key }) { return change.value }
    if let batch {
      for number in 0..<step where batch.script[number].cid.key == key {
        let cid = batch.script[number].cid
        // SAFETY: the value was put there.
        return unsafe batch.steps[number].place.map { unsafe cid.pointer.pointee.copy($0) }
      }
    }
    return sources[sourceNumber].value(of: key, row: row)
  }

  /// All entities that were changed.
  mutating func finish() -> [EntityBatch] {
    endStreak(before: position + 1)
    let all = batches.flatMap(\.values).sorted(byNumber: { UInt64($0.number) })
    return all.filter { $0.count > 0 }.map { $0.take() }
  }
}
