import ECS
import ECSTestSupport
import Testing

/// More entities that are observed than caches hold, whose observers change others and end each
/// other.
@Suite(.longRunning, .noHangs) struct ManyObserversTests {
  @Test(arguments: Effort.seeds(Effort.full(3, debug: 1)))
  func `Observers of thousands of entities get what a simple reference says`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let real = ObservedCrowd(count: 3_000)
    var reference = CrowdReference(count: 3_000)
    expectEqual(real.observerCount, 3_000)
    for step in 0..<12 {
      if step % 4 == 3 { real.toggleJournal() }
      let actions = (0..<6_000).map { _ in CrowdAction(&random, of: 3_000) }
      let isTaken = step % 3 == 2
      reference.perform(actions, takingBack: isTaken ? 2_000..<4_000 : nil)
      real.perform(actions, takingBack: isTaken ? 2_000..<4_000 : nil)
      expectEqual(real.told.take(), reference.take(), "seed \(seed), step \(step)")
      expectEqual(real.texts(), reference.texts, "seed \(seed), step \(step)")
      expectEqual(real.observerCount, reference.livingObservers, "seed \(seed), step \(step)")
    }
  }
}

/// A value that is not trivial, and how many observers have led to it.
private struct Note: Component, Equatable {
  let text: String
  let depth: Int

  init(_ number: Int, _ depth: Int = 0) {
    text = "the note with the number \(number)"
    self.depth = depth
  }
}

private struct CrowdNotice: Equatable, Sendable {
  let observer: Int
  let old: String
  let new: String
}

/// What a program does with one of the entities.
private enum CrowdAction {
  case set(Int, number: Int)
  case destroy(Int)
  case cancel(observer: Int)
  case observe(Int)

  init(_ random: inout SplitMix64, of count: Int) {
    let entity = random.below(count)
    self =
      switch random.below(100) {
      case 0: .destroy(entity)
      case 1: .cancel(observer: entity)
      case 2, 3: .observe(entity)
      default: .set(entity, number: random.below(1_000))
      }
  }

  /// What an observer does that is notified of a value: mostly nothing, and nothing for ever.
  static func answer(of observer: Int, to note: Note, count: Int) -> CrowdAction? {
    let seed = note.text.utf8.reduce(observer) { $0 * 7 % 9_973 + Int($1) }
    var random = SplitMix64(seed: UInt64(seed))
    guard note.depth < 3, random.oneIn(4) else { return nil }
    let other = random.below(count)
    return switch random.below(8) {
    case 0: .destroy(other)
    case 1: .cancel(observer: other)
    default: .set(other, number: random.below(1_000))
    }
  }
}

private struct TakenBack: Error {}

/// The context, its entities and their observers.
// Used by the thread of its test only.
private final class ObservedCrowd: @unchecked Sendable {
  let context = Context()
  let told = Recorder<CrowdNotice>()
  private let entities: [Entity]
  private var tokens: [Subscription] = []
  private var journal: Subscription?

  init(count: Int) {
    entities = context.createEntities(count, with: Note(0))
    for entity in entities.indices { observe(entity) }
  }

  private func observe(_ entity: Int) {
    let number = tokens.count
    tokens.append(
      entities[entity].observeChanges(of: Note.self, .updated) { [weak self] in
        self?.note($1, $2, by: number)
      })
  }

  private func note(_ old: Note?, _ new: Note?, by number: Int) {
    told.append(CrowdNotice(observer: number, old: old?.text ?? "", new: new?.text ?? ""))
    guard let new, let answer = CrowdAction.answer(of: number, to: new, count: entities.count)
    else { return }
    make(answer, depth: new.depth + 1)
  }

  private func make(_ action: CrowdAction, depth: Int) {
    switch action {
    case .set(let entity, let number):
      if entities[entity].isAlive { entities[entity].set(Note(number, depth)) }
    case .destroy(let entity): entities[entity].destroy()
    case .cancel(let observer): tokens[observer].cancel()
    case .observe(let entity): observe(entity)
    }
  }

  func perform(_ actions: [CrowdAction], takingBack taken: Range<Int>?) {
    context.perform {
      for (number, action) in actions.enumerated() where taken?.contains(number) != true {
        if number == taken?.upperBound { takeBack(actions[taken ?? 0..<0]) }
        make(action, depth: 0)
      }
    }
  }

  private func takeBack(_ actions: ArraySlice<CrowdAction>) {
    try? context.transaction { () throws(TakenBack) in
      for action in actions where action.isOfStorage { make(action, depth: 0) }
      throw TakenBack()
    }
  }

  func toggleJournal() { journal = journal == nil ? context.journal().observe { _ in } : nil }

  /// How many observe entities.
  var observerCount: Int { context.statistics.observers - (journal == nil ? 0 : 1) }

  func texts() -> [String?] { entities.map { $0.get(Note.self)?.text } }
}

extension CrowdAction {
  /// Whether transactions take it back.
  fileprivate var isOfStorage: Bool {
    switch self {
    case .set, .destroy: true
    case .cancel, .observe: false
    }
  }
}

/// What has to come of it: one change after the other, in the order in which they were made.
private struct CrowdReference {
  private struct Change {
    let entity: Int
    let old: Note
    let new: Note

    /// How many observers there were.
    let observerCount: Int
  }

  private var notes: [Note?]

  /// What each observer observes; nil when it has ended.
  private var observed: [Int?]
  private var observers: [[Int]]
  private var queue: [Change] = []
  private var notices: [CrowdNotice] = []

  init(count: Int) {
    notes = Array(repeating: Note(0), count: count)
    observed = Array(0..<count)
    observers = (0..<count).map { [$0] }
  }

  var texts: [String?] { notes.map { $0?.text } }
  var livingObservers: Int { observed.count { $0 != nil } }

  mutating func take() -> [CrowdNotice] {
    defer { notices = [] }
    return notices
  }

  mutating func perform(_ actions: [CrowdAction], takingBack taken: Range<Int>?) {
    for (number, action) in actions.enumerated() where taken?.contains(number) != true {
      make(action, depth: 0)
    }
    var next = 0
    while next < queue.count {
      deliver(queue[next])
      next += 1
    }
    queue = []
    // Those of entities that are gone have ended.
    for (observer, entity) in observed.enumerated() {
      if let entity, notes[entity] == nil { observed[observer] = nil }
    }
  }

  private mutating func deliver(_ change: Change) {
    for observer in observers[change.entity] where observer < change.observerCount {
      guard observed[observer] != nil, notes[change.entity] != nil else { continue }
      notices.append(
        CrowdNotice(observer: observer, old: change.old.text, new: change.new.text))
      if let answer = CrowdAction.answer(of: observer, to: change.new, count: notes.count) {
        make(answer, depth: change.new.depth + 1)
      }
    }
  }

  private mutating func make(_ action: CrowdAction, depth: Int) {
    switch action {
    case .set(let entity, let number):
      guard let old = notes[entity] else { return }
      let new = Note(number, depth)
      notes[entity] = new
      queue.append(Change(entity: entity, old: old, new: new, observerCount: observed.count))
    case .destroy(let entity): notes[entity] = nil
    case .cancel(let observer): observed[observer] = nil
    case .observe(let entity):
      observers[entity].append(observed.count)
      observed.append(entity)
    }
  }
}
