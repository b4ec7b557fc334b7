import ECS

/// The events of a log, a column for each of their parts, of which the oldest are overwritten.
struct EventColumns {
  struct Row {
    var kind: EventKind
    var context: UInt16 = .max
    var causeKind: Cause.Kind = .unknown
    var cause: String?
    var loop: String?
    var component: String?
    var text: String?
    var key: String?
    var entity: (slot: UInt32, generation: UInt32)?
    var commit: UInt64 = 0
    var tick: UInt64 = 0
    var time: Int64 = 0
    var duration: Int64 = -1
    var groups: UInt64 = 0
  }

  let capacity: Int

  // The same number of elements each.
  private(set) var kinds: [UInt8] = []
  private(set) var contexts: [UInt16] = []
  private(set) var causeKinds: [UInt8] = []
  private(set) var causes: [UInt32] = []
  private(set) var loops: [UInt32] = []
  private(set) var components: [UInt32] = []
  private(set) var texts: [UInt32] = []
  private(set) var keys: [UInt32] = []
  private(set) var slots: [UInt32] = []
  private(set) var generations: [UInt32] = []
  private(set) var commits: [UInt64] = []
  private(set) var ticks: [UInt64] = []
  private(set) var times: [Int64] = []
  private(set) var durations: [Int64] = []
  private(set) var groups: [UInt64] = []

  private(set) var names = EventNames()

  /// How many there have ever been.
  private(set) var total: UInt64 = 0

  /// For how many there is room in the columns.
  private var room = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { kinds.count }

  /// The index of the oldest event.
  private(set) var first = 0

  /// The number of the event at an index.
  func number(at index: Int) -> UInt64 {
    let age = index >= first ? index - first : index - first + count
    return total - UInt64(count) + UInt64(age)
  }

  /// The number of a kind of cause.
  static func number(of kind: Cause.Kind) -> UInt8 {
    switch kind {
    case .unknown: 0
    case .section: 1
    case .system: 2
    case .observer: 3
    }
  }

  /// Makes more room, and no more than needed in the end.
  private mutating func grow() {
    room = room < 128 ? min(256, capacity) : room < capacity / 2 ? room * 2 : capacity
    kinds.reserveCapacity(room)
    contexts.reserveCapacity(room)
    causeKinds.reserveCapacity(room)
    causes.reserveCapacity(room)
    loops.reserveCapacity(room)
    components.reserveCapacity(room)
    texts.reserveCapacity(room)
    keys.reserveCapacity(room)
    slots.reserveCapacity(room)
    generations.reserveCapacity(room)
    commits.reserveCapacity(room)
    ticks.reserveCapacity(room)
    times.reserveCapacity(room)
    durations.reserveCapacity(room)
    groups.reserveCapacity(room)
  }

  /// The bytes of the columns, names apart.
  var byteCount: Int {
    let bytes = kinds.capacity + causeKinds.capacity + contexts.capacity * 2
    let words =
      causes.capacity + loops.capacity + components.capacity + texts.capacity + keys.capacity
      + slots.capacity + generations.capacity
    let longs =
      commits.capacity + ticks.capacity + times.capacity + durations.capacity + groups.capacity
    return bytes + words * 4 + longs * 8
  }

  mutating func append(_ row: Row) {
    let cause = names.use(row.cause)
    let loop = names.use(row.loop)
    let component = names.use(row.component)
    let text = names.use(row.text)
    let key = names.use(row.key)
    let (slot, generation) = row.entity ?? (.max, .max)
    let causeKind = EventColumns.number(of: row.causeKind)
    if count < capacity {
      if count == room { grow() }
      kinds.append(row.kind.number)
      contexts.append(row.context)
      causeKinds.append(causeKind)
      causes.append(cause)
      loops.append(loop)
      components.append(component)
      texts.append(text)
      keys.append(key)
      slots.append(slot)
      generations.append(generation)
      commits.append(row.commit)
      ticks.append(row.tick)
      times.append(row.time)
      durations.append(row.duration)
      groups.append(row.groups)
    } else {
      let index = first
      names.release(causes[index])
      names.release(loops[index])
      names.release(components[index])
      names.release(texts[index])
      names.release(keys[index])
      kinds[index] = row.kind.number
      contexts[index] = row.context
      causeKinds[index] = causeKind
      causes[index] = cause
      loops[index] = loop
      components[index] = component
      texts[index] = text
      keys[index] = key
      slots[index] = slot
      generations[index] = generation
      commits[index] = row.commit
      ticks[index] = row.tick
      times[index] = row.time
      durations[index] = row.duration
      groups[index] = row.groups
      first = index + 1 < capacity ? index + 1 : 0
    }
    total += 1
  }

  /// Appends the last rows of many, which are at least as many as fit if there were others before.
  mutating func append(_ rows: LastRows, _ complete: (inout Row) -> Void) {
    total += rows.skipped
    rows.visitAll { row in
      var row = row
      complete(&row)
      append(row)
    }
  }
}

/// The last ones of rows, in the order in which they came.
struct LastRows {
  let capacity: Int
  private var rows: [EventColumns.Row] = []

  /// The index of the oldest one.
  private var first = 0

  /// How many came before the oldest one.
  private(set) var skipped: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  mutating func append(_ row: EventColumns.Row) {
    guard rows.count == capacity else { return rows.append(row) }
    rows[first] = row
    first = first + 1 < capacity ? first + 1 : 0
    skipped += 1
  }

  func visitAll(_ body: (EventColumns.Row) -> Void) {
    for row in rows[first...] { body(row) }
    for row in rows[..<first] { body(row) }
  }
}
