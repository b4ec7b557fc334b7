import Synchronization

/// A system that sets components whose deadlines have passed.
///
/// It learns of deadlines as any system does of changes, in a pass, and puts their times into a
/// heap. A deadline that is replaced or taken back leaves its time there: what an entity has when
/// the time comes decides. So setting a deadline costs what any change costs that is collected,
/// taking one back nothing, and nothing has to be put back with transactions and undo. One timer
/// waits for the first of the deadlines. One that comes before it wakes the loop as any change
/// does, and gets a timer in place of that one.
// Its state is used in passes only.
// PERFORMANCE: DL1: it is of no type: closures made where types are known read and set values.
final class DeadlineSystem: ReactiveSystem, @unchecked Sendable {
  let name: String
  let collector: Collector

  /// The time of an entity's deadline; nil if it has none.
  private let time: (Core, Handle) -> Int64?

  /// Replaces an entity's deadline by its value.
  private let setValue: (Entity) -> Void

  /// The engine that calls the system, and keeps it.
  private unowned let engine: ReactiveLoopEngine

  /// The times of deadlines; nil until the first pass.
  // INVARIANT: it has the time of each deadline that is not collected.
  private var heap: DeadlineHeap?

  /// When the newest timer is due, by the loop's clock; nil if there is none.
  private var due: Duration?

  /// Whether the newest timer was due since the last pass.
  private let wasDue = Atomic<Bool>(false)

  /// How many timers were started: the last one is due first, and those before it do nothing.
  private let timerCount = Atomic<Int>(0)

  /// How many entities are looked at in one section: others get their turn in between.
  private let sectionSize = 256

  /// The longest wait of the timer: the time of day may be set, and machines sleep.
  private let longestWait = Duration.seconds(60)

  private let core: Core

  init(
    _ name: String, _ collector: Collector, engine: ReactiveLoopEngine,
    time: @escaping (Core, Handle) -> Int64?, setValue: @escaping (Entity) -> Void
  ) {
    (self.name, self.collector, self.engine) = (name, collector, engine)
    (self.time, self.setValue) = (time, setValue)
    core = collector.core
  }

  /// Lets the loop look at the deadlines, if there are any.
  func wake() {
    // In one section: one that has gone in between would wake nothing.
    core.section {
      if let entity = collector.group.first { collector.collect([entity]) }
    }
  }

  func execute(entities: EntitySet) {
    note(entities)
    let time = engine.clock.wallTime().clampedNanoseconds
    // Those that come meanwhile are left to the next pass.
    while let passed = takePassed(at: time) { setValues(of: passed) }
    startTimer()
  }

  // MARK: The heap

  /// Puts the times of deadlines that were set into the heap.
  private func note(_ entities: EntitySet) {
    if heap == nil { return makeHeap() }
    forEach(in: entities) { heap?.insert($0) }
    shrinkHeap()
  }

  /// Makes the heap anew if most of its times don't hold any more.
  ///
  /// As many deadlines were set or taken back meanwhile as it then has.
  private func shrinkHeap() {
    if let heap, heap.count > 2 * collector.group.count + 1024 { makeHeap() }
  }

  /// Makes the heap of all deadlines that there are.
  private func makeHeap() {
    let entities = EntitySet(unique: collector.group.snapshot())
    var entries: ContiguousArray<DeadlineHeap.Entry> = []
    entries.reserveCapacity(entities.count)
    forEach(in: entities) { entries.append($0) }
    heap = DeadlineHeap(entries)
  }

  /// Visits the deadlines of entities that have one.
  private func forEach(in entities: EntitySet, _ body: (DeadlineHeap.Entry) -> Void) {
    for start in stride(from: 0, to: entities.count, by: sectionSize) {
      core.section {
        for entity in entities[start..<min(start + sectionSize, entities.count)] {
          guard let time = time(core, entity.handle) else { continue }
          body(DeadlineHeap.Entry(time: time, handle: entity.handle))
        }
      }
    }
  }

  // MARK: Deadlines that pass

  /// Takes the first times that have passed out of the heap, and all that equal the last one of
  /// them: entities come in the order of their times, and then of their creation.
  ///
  /// - Returns: Nil if there are none. Those of dead entities may be left out.
  private func takePassed(at time: Int64) -> [DeadlineHeap.Entry]? {
    var passed: [DeadlineHeap.Entry] = []
    var hasEqualTimes = false
    while let next = heap?.first, next.time <= time {
      let isEqual = next.time == passed.last?.time
      guard isEqual || passed.count < sectionSize else { break }
      if isEqual { hasEqualTimes = true }
      passed.append(next)
      _ = heap?.removeFirst()
    }
    if passed.isEmpty { return nil }
    return hasEqualTimes ? sortedByCreation(passed) : passed
  }

  private func sortedByCreation(_ entries: [DeadlineHeap.Entry]) -> [DeadlineHeap.Entry] {
    var numbered: [(number: UInt32, entry: DeadlineHeap.Entry)] = []
    numbered.reserveCapacity(entries.count)
    forEachSection(of: entries) { entry in
      guard core.isAlive(entry.handle) else { return }
      numbered.append((core.creationOrdinal(entry.handle), entry))
    }
    numbered.sort { ($0.entry.time, $0.number) < ($1.entry.time, $1.number) }
    return numbered.map(\.entry)
  }

  /// Sets the components of deadlines that still hold.
  private func setValues(of entries: [DeadlineHeap.Entry]) {
    forEachSection(of: entries) { entry in
      // One that was replaced meanwhile is left to the next pass.
      guard time(core, entry.handle) == entry.time else { return }
      setValue(Entity(core: core, handle: entry.handle))
    }
  }

  private func forEachSection(
    of entries: [DeadlineHeap.Entry], _ body: (DeadlineHeap.Entry) -> Void
  ) {
    for start in stride(from: 0, to: entries.count, by: sectionSize) {
      core.section {
        for entry in entries[start..<min(start + sectionSize, entries.count)] { body(entry) }
      }
    }
  }

  // MARK: The timer

  /// The time of the first deadline; nil if there is none.
  private func nextTime() -> Int64? {
    shrinkHeap()
    var (next, isKnown): (Int64?, Bool) = (nil, false)
    while !isKnown {
      core.section {
        for _ in 0..<sectionSize where !isKnown {
          next = heap?.first?.time
          isKnown = heap?.first.map { time(core, $0.handle) == $0.time } ?? true
          if !isKnown { _ = heap?.removeFirst() }
        }
      }
    }
    return next
  }

  private func startTimer() {
    // Not those of before: to set components may have taken long.
    let (now, time) = (engine.clock.now(), engine.clock.wallTime())
    if wasDue.exchange(false, ordering: .acquiringAndReleasing) { due = nil }
    guard let next = nextTime() else { return }
    let wait = max(.zero, min(.nanoseconds(next) - time, longestWait))
    guard due.map({ now + wait < $0 }) ?? true else { return }
    due = now + wait
    let number = timerCount.add(1, ordering: .acquiringAndReleasing).newValue
    engine.startTimer(after: wait) { [weak self] _ in
      guard let self, timerCount.load(ordering: .acquiring) == number else { return }
      wasDue.store(true, ordering: .releasing)
      wake()
    }
  }
}
