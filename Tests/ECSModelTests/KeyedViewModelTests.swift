import ECS
import ECSTestSupport
import Testing

private struct Room: Component { var number: Int? }
private struct Note: Component, Equatable {
  var room: Int?
  var time: Int
}
private struct Length: Component { var value: Int }
private struct Hidden: Component {}
private struct Refused: Error {}

/// A view of a key, at work beside one that is filtered by the key.
private final class Pair {
  let name: String
  let view: LiveView
  let twin: LiveView
  let expected: ([Entity]) -> [Entity]
  let changes = Recorder<LiveViewDifference>()
  let twinChanges = Recorder<LiveViewDifference>()
  var subscriptions: [Subscription] = []
  var mirror: [Entity] = []

  init(
    _ name: String, _ view: LiveView, _ twin: LiveView,
    _ expected: @escaping ([Entity]) -> [Entity]
  ) {
    (self.name, self.view, self.twin, self.expected) = (name, view, twin, expected)
  }

  func observe() {
    mirror = Array(view)
    subscriptions = [
      view.observe(initial: false) { [changes] in changes.append($0.difference) },
      twin.observe(initial: false) { [twinChanges] in twinChanges.append($0.difference) },
    ]
  }
}

private struct KeyedViewRun {
  private enum Kind: Int, CaseIterable { case notes, rooms, long, sorted, refined }

  let context = Context()
  var random: SplitMix64
  var entities: [Entity] = []
  var pairs: [Pair] = []
  var program: [String] = []
  private let visible: Group
  private let notes: KeyedViews<Int>
  private let rooms: KeyedViews<Int>
  private let long: KeyedViews<Int>

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    visible = context.group(Matcher(all: [Note.cid], none: [Hidden.cid]))
    notes = visible.sorted(by: \Note.time).views(by: \Note.room)
    // Rooms that are no part of what the group mentions.
    rooms = visible.views(by: \Room.number)
    long = visible.filtered { (length: Length) in length.value > 2 }
      .sorted(by: \Length.value, .descending).limited(to: 2).views(by: \Note.room)
  }

  // MARK: Views

  private func isVisible(_ entity: Entity) -> Bool {
    entity.has(Note.self) && !entity.has(Hidden.self)
  }

  private func makePair(_ kind: Kind, _ key: Int) -> Pair {
    let inRoom: @Sendable (Note) -> Bool = { $0.room == key }
    let belongs = { (entity: Entity) in
      isVisible(entity) && entity.get(Note.self)?.room == key
    }
    let time = { (entity: Entity) in entity.get(Note.self)?.time ?? .max }
    let length = { (entity: Entity) in entity.get(Length.self)?.value ?? 0 }
    switch kind {
    case .notes:
      return Pair(
        "note \(key)", notes[key], visible.sorted(by: \Note.time).filtered(inRoom)
      ) { sorted($0.filter(belongs), by: time) }
    case .rooms:
      return Pair(
        "room \(key)", rooms[key], visible.filtered { (room: Room) in room.number == key }
      ) { all in
        sorted(all.filter { isVisible($0) && $0.get(Room.self)?.number == key }) { _ in 0 }
      }
    case .long:
      let twin = visible.filtered { (length: Length) in length.value > 2 }.filtered(inRoom)
        .sorted(by: \Length.value, .descending).limited(to: 2)
      return Pair("long \(key)", long[key], twin) { all in
        Array(sorted(all.filter { belongs($0) && length($0) > 2 }) { -length($0) }.prefix(2))
      }
    case .sorted:
      return Pair(
        "downwards \(key)", notes[key].sorted(by: \Note.time, .descending),
        visible.sorted(by: \Note.time).sorted(by: \Note.time, .descending).filtered(inRoom)
      ) { sorted($0.filter(belongs)) { -time($0) } }
    case .refined:
      let isShort: @Sendable (Length) -> Bool = { $0.value < 3 }
      return Pair(
        "short \(key)", notes[key].filtered(isShort),
        visible.sorted(by: \Note.time).filtered(inRoom).filtered(isShort)
      ) { all in
        sorted(all.filter { belongs($0) && $0.has(Length.self) && length($0) < 3 }, by: time)
      }
    }
  }

  private func sorted(_ entities: [Entity], by key: (Entity) -> Int) -> [Entity] {
    entities.sorted {
      (key($0), $0.creationNumber ?? .max) < (key($1), $1.creationNumber ?? .max)
    }
  }

  private mutating func changeViews() {
    if pairs.count < 3 || (pairs.count < 12 && random.oneIn(2)) {
      let kind = Kind(rawValue: random.below(Kind.allCases.count)) ?? .notes
      let pair = makePair(kind, random.below(4))
      if random.oneIn(4) {
        pair.view.start()
        pair.twin.start()
      } else {
        pair.observe()
      }
      program.append("+ \(pair.name)")
      pairs.append(pair)
    } else {
      let pair = pairs.remove(at: random.below(pairs.count))
      program.append("- \(pair.name)")
      for subscription in pair.subscriptions { subscription.cancel() }
    }
  }

  // MARK: Changes

  mutating func section() {
    switch random.below(6) {
    case 0:
      program.append("in vain")
      do {
        try context.transaction {
          for _ in 0..<1 + random.below(8) { step() }
          if random.oneIn(2) {
            try? context.transaction {
              for _ in 0..<1 + random.below(4) { step() }
              throw Refused()
            }
          }
          throw Refused()
        }
      } catch {
        program.append("taken back")
      }
    case 1: context.transaction { for _ in 0..<1 + random.below(8) { step() } }
    case 2: changeInIteration()
    case 3: context.perform { for _ in 0..<1 + random.below(12) { step() } }
    default: step()
    }
    entities.removeAll { !$0.isAlive }
  }

  /// Changes values in place, and others that wait until the iteration ends.
  private mutating func changeInIteration() {
    program.append("iteration")
    var random = random
    visible.withEach { (entity, note: inout Note) in
      if random.oneIn(3) { note.room = random.oneIn(4) ? nil : random.below(4) }
      switch random.below(8) {
      case 0: entity.set(Room(number: random.below(4)))
      case 1: entity.set(Hidden())
      case 2: entity.destroy()
      default: break
      }
    }
    self.random = random
  }

  private mutating func step() {
    if entities.count < 5 || random.oneIn(8) {
      let note = Note(room: random.below(4), time: random.below(6))
      entities.append(context.createEntity(with: note, Length(value: random.below(6))))
      program.append("create \(entities[entities.count - 1])")
      return
    }
    if random.oneIn(12) { return changeViews() }
    let entity = entities[random.below(entities.count)]
    guard entity.isAlive else { return }
    let choice = random.below(12)
    program.append("\(choice) \(entity)")
    switch choice {
    case 0..<4:
      entity.set(Note(room: random.oneIn(4) ? nil : random.below(4), time: random.below(6)))
    case 4, 5: entity.set(Room(number: random.oneIn(4) ? nil : random.below(4)))
    case 6: entity.set(Length(value: random.below(6)))
    case 7: entity.set(Hidden())
    case 8: entity.remove(Hidden.self)
    case 9: entity.remove([Note.cid, Room.cid, Length.cid][random.below(3)])
    case 10: visible.set(Room(number: random.below(4)))
    default: entity.destroy()
    }
  }

  // MARK: Comparing

  mutating func fault() -> String? {
    if random.oneIn(6) { changeViews() }
    let all = Array(context.group(Note.matcher))
    for pair in pairs {
      let expected = pair.expected(all)
      guard Array(pair.view) == expected, pair.view.count == expected.count else {
        return "\(pair.name): contents"
      }
      guard all.allSatisfy({ pair.view.contains($0) == expected.contains($0) }) else {
        return "\(pair.name): members"
      }
      let (changes, twinChanges) = (pair.changes.take(), pair.twinChanges.take())
      guard changes == twinChanges else { return "\(pair.name): \(changes), not \(twinChanges)" }
      guard !pair.subscriptions.isEmpty else { continue }
      for change in changes where !change.apply(to: &pair.mirror) {
        return "\(pair.name): not applicable"
      }
      guard pair.mirror == expected else { return "\(pair.name): difference" }
    }
    for key in 0..<4 {
      for kind in Kind.allCases {
        let idle = makePair(kind, key)
        guard Array(idle.view) == idle.expected(all) else { return "\(idle.name): not started" }
      }
    }
    return nil
  }
}

@Suite(.longRunning) struct KeyedViewModelTests {
  @Test(arguments: Effort.seeds(Effort.modelSeeds / 2))
  func `Views by key show and announce what filtered views do`(seed: UInt64) {
    var run = KeyedViewRun(seed: seed)
    for _ in 0..<200 {
      run.section()
      if let fault = run.fault() {
        Issue.record("seed \(seed), \(fault): \(run.program.suffix(20))")
        return
      }
    }
  }
}
