import ECS

/// Which mutations can be sent, and what the others wait for: for time, or for another one.
///
/// A change of one mutation costs nothing for the others: O(log *m*) of *m* that wait.
struct SendingQueue {
  private struct Turn: Comparable {
    /// How often it has failed in a way that keeps others waiting.
    let rank: Int
    let number: Int
    let mutation: Entity

    static func < (left: Turn, right: Turn) -> Bool {
      (left.rank, left.number) < (right.rank, right.number)
    }
    static func == (left: Turn, right: Turn) -> Bool {
      (left.rank, left.number) == (right.rank, right.number)
    }
  }

  private struct Alarm: Comparable {
    let time: Duration
    let mutation: Entity

    static func < (left: Alarm, right: Alarm) -> Bool { left.time < right.time }
    static func == (left: Alarm, right: Alarm) -> Bool { left.time == right.time }
  }

  private var turns = PriorityQueue<Turn>()
  private var queued: Set<Entity> = []

  // Entries that the dictionary does not confirm are void.
  private var alarms = PriorityQueue<Alarm>()
  private var due: [Entity: Duration] = [:]

  /// What waits for another one, and for which; nil if that is not known.
  private var blockers: [Entity: Entity?] = [:]
  private var blocked: [Entity: Set<Entity>] = [:]

  private var subjects: [Entity: String] = [:]
  private var rounds: [Entity: Int] = [:]
  private var ranks: [Entity: Int] = [:]

  // MARK: Knowing

  /// How many mutations it remembers something of.
  var count: Int {
    Set(subjects.keys).union(queued).union(due.keys).union(blockers.keys).union(rounds.keys)
      .union(ranks.keys).union(blocked.keys).count
  }

  /// Notes what a mutation is about; returns what it was about before, if that was something else.
  mutating func note(_ mutation: Entity, of subject: String) -> String? {
    let old = subjects.updateValue(subject, forKey: mutation)
    return old == subject ? nil : old
  }

  /// Forgets a mutation that is no more; returns what it was about.
  mutating func forget(_ mutation: Entity) -> String? {
    release(mutation)
    (rounds[mutation], ranks[mutation]) = (nil, nil)
    return subjects.removeValue(forKey: mutation)
  }

  func subject(of mutation: Entity) -> String? { subjects[mutation] }

  // MARK: Rounds

  /// How often a mutation was merged with what the server has, or how often a creation got an
  /// answer that can't be used, without an end as yet.
  func rounds(of mutation: Entity) -> Int { rounds[mutation] ?? 0 }

  mutating func countRound(of mutation: Entity) -> Int {
    rounds[mutation, default: 0] += 1
    return rounds(of: mutation)
  }

  mutating func endRounds(of mutation: Entity) { rounds[mutation] = nil }

  // MARK: Turns

  /// A mutation can be sent, if it waits for nothing.
  mutating func enqueue(_ mutation: Entity, _ number: Int) {
    guard due[mutation] == nil, queued.insert(mutation).inserted else { return }
    turns.insert(Turn(rank: ranks[mutation] ?? 0, number: number, mutation: mutation))
  }

  /// A mutation has failed in a way that keeps others waiting: it comes behind those that have done
  /// so less often.
  mutating func countFailure(of mutation: Entity) { ranks[mutation, default: 0] += 1 }

  /// The oldest of those that can be sent and have failed least often.
  mutating func next() -> Entity? {
    guard let turn = turns.popFirst() else { return nil }
    queued.remove(turn.mutation)
    return turn.mutation
  }

  // MARK: Waiting

  /// A mutation waits for time.
  mutating func delay(_ mutation: Entity, until time: Duration) {
    release(mutation)
    due[mutation] = time
    alarms.insert(Alarm(time: time, mutation: mutation))
  }

  /// A mutation waits for another one, or for something that is not known, but not longer than to a
  /// time.
  mutating func park(_ mutation: Entity, behind blocker: Entity?, until time: Duration) {
    delay(mutation, until: time)
    blockers[mutation] = .some(blocker)
    if let blocker { blocked[blocker, default: []].insert(mutation) }
  }

  /// A mutation has changed: what waits for no time is looked at again.
  mutating func wake(_ mutation: Entity) {
    if blockers[mutation] != nil { release(mutation) }
  }

  /// Something is over, or is another request: what waited for it need not.
  mutating func wake(behind blocker: Entity) -> Set<Entity> {
    let woken = blocked[blocker] ?? []
    for mutation in woken { release(mutation) }
    return woken
  }

  /// What need not wait any longer.
  mutating func takeDue(at now: Duration) -> [Entity] {
    var ready: [Entity] = []
    while let time = nextAlarm, time <= now, let alarm = alarms.popFirst() {
      release(alarm.mutation)
      ready.append(alarm.mutation)
    }
    return ready
  }

  /// Nothing waits any longer; returns what did.
  mutating func takeAll() -> [Entity] {
    ranks = [:]
    let all = Array(due.keys)
    for mutation in all { release(mutation) }
    return all
  }

  /// The next time at which something need not wait any longer.
  var nextAlarm: Duration? {
    mutating get {
      while let alarm = alarms.first, due[alarm.mutation] != alarm.time { _ = alarms.popFirst() }
      return alarms.first?.time
    }
  }

  private mutating func release(_ mutation: Entity) {
    due[mutation] = nil
    guard let blocker = blockers.removeValue(forKey: mutation) ?? nil else { return }
    blocked[blocker]?.remove(mutation)
    if blocked[blocker]?.isEmpty == true { blocked[blocker] = nil }
  }
}
