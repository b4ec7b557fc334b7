import ECS
import ECSTestSupport

/// A context beside what a naive program says of it, and whatever listens to it, which may begin,
/// pause and end at any point of a program.
// Guarded by the context: observers and the program use it in there only.
final class BeginningWorld: @unchecked Sendable {
  // Listeners compare descriptions, which reflection takes long to find.
  struct Number: Component, Equatable, CustomStringConvertible {
    var value: Int
    var description: String { "Number(\(value))" }
  }
  struct Words: Component, Equatable, CustomStringConvertible {
    var words: [String]
    var description: String { "Words(\(words.joined(separator: "+")))" }
  }
  struct Key: Component, Equatable, CustomStringConvertible {
    let value: Int
    var description: String { "Key(\(value))" }
  }
  enum PartOf: ToOneRelation {}
  struct Failure: Error {}

  let context = Context()
  let numbers: Group
  private(set) var rows = NaiveRows()
  private(set) var failures: [String] = []
  private(set) var log: [String] = []
  let listeners = Listeners()

  private var entities: [Int: Entity] = [:]
  private var names: [Entity: Int] = [:]
  private var nextName = 0

  /// How many transactions have begun so far.
  private(set) var transactionCount = 0

  /// How deep in observers the program is, and how much they may still do.
  private var answersLeft = 0

  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    numbers = context.group(Number.matcher)
    for _ in 0..<3 { create(NaiveRows.Row(number: random.below(9))) }
  }

  func fail(_ text: String) { failures.append(text) }

  func name(_ entity: Entity) -> Int { names[entity] ?? -1 }

  func entity(_ name: Int) -> Entity? { entities[name] }

  func note(_ text: @autoclosure () -> String) {
    if log.count > 400 { log.removeFirst(200) }
    log.append(text())
  }

  // MARK: Changes

  /// The iteration that runs, and what waits for its end.
  private struct Iteration {
    var borrowed: NaiveRows.Kind
    var seen: NaiveRows
    var masked: Set<Int> = []
    var waiting: [NaiveRows.Change] = []
  }

  private var iteration: Iteration?
  var isIterating: Bool { iteration != nil }

  /// Whether the iteration that runs has written a number that it did not borrow.
  var hasWrittenInIteration: Bool {
    iteration?.waiting.contains { if case .written = $0 { true } else { false } } ?? false
  }

  /// The component that the closure of an iteration has.
  var borrowed: NaiveRows.Kind? { iteration?.borrowed }

  /// What reads show: what waits for the end of an iteration is done.
  private var seen: NaiveRows { iteration?.seen ?? rows }

  /// Whether an entity is alive, as far as the program can see.
  func isAlive(_ name: Int) -> Bool { seen[name] != nil }

  private func apply(_ change: NaiveRows.Change, on entity: Int) {
    guard iteration != nil else { return make(change) }
    iteration?.masked.insert(entity)
    _ = iteration?.seen.apply(change)
    iteration?.waiting.append(change)
  }

  private func make(_ change: NaiveRows.Change) {
    if let (event, entity) = rows.apply(change) { listeners.collect(event, entity) }
  }

  private func create(_ row: NaiveRows.Row) {
    let name = nextName
    nextName += 1
    let entity: Entity
    switch (row.number, row.words) {
    case (let number?, let words?):
      entity = context.createEntity(with: Number(value: number), Words(words: words))
    case (let number?, nil): entity = context.createEntity(with: Number(value: number))
    case (nil, let words?): entity = context.createEntity(with: Words(words: words))
    case (nil, nil): entity = context.createEntity()
    }
    entities[name] = entity
    names[entity] = name
    apply(.create(name, row), on: name)
  }

  private func set(_ name: Int, _ values: NaiveRows.Row, _ kind: NaiveRows.Kind) {
    guard let entity = entities[name] else { return }
    if let number = values.number { entity.set(Number(value: number)) }
    if let words = values.words { entity.set(Words(words: words)) }
    if let key = values.key { entity.set(Key(value: key)) }
    guard let iteration, rows.has(kind, name), !iteration.masked.contains(name),
      iteration.borrowed != kind
    else { return apply(.set(name, values), on: name) }
    // It has a place, which is written at once.
    rows.write(name, values)
    self.iteration?.seen.write(name, values)
    if kind == .number { self.iteration?.waiting.append(.written(name)) }
  }

  private func some() -> Int? {
    let living = seen.living
    return living.isEmpty ? nil : living[random.below(living.count)]
  }

  private func someWords() -> [String] { (0..<random.below(3)).map { _ in "w\(random.below(4))" } }

  /// Makes a random change.
  func change() {
    guard let name = some(), let entity = entities[name] else {
      return create(NaiveRows.Row(number: random.below(9)))
    }
    let choice = random.below(seen.living.count > 12 ? 22 : 18)
    note("change \(choice) of \(name)")
    switch choice {
    case 0: create(NaiveRows.Row(number: random.below(9)))
    case 1: create(NaiveRows.Row(number: random.below(9), words: someWords()))
    case 2: create(NaiveRows.Row(words: someWords()))
    case 3..<7: set(name, NaiveRows.Row(number: random.below(9)), .number)
    case 7..<9: set(name, NaiveRows.Row(words: someWords()), .words)
    case 9: setKey(name)
    case 10, 11: remove(entity, name, .number)
    case 12: remove(entity, name, .words)
    case 13: remove(entity, name, .key)
    case 14..<17:
      guard let parent = some(), parent != name, let target = entities[parent] else { return }
      entity.relate(PartOf.self, to: target)
      link(name, to: parent)
    case 17:
      entity.unrelate(PartOf.self)
      link(name, to: nil)
    default:
      entity.destroy()
      apply(.destroy(name), on: name)
    }
  }

  private func link(_ name: Int, to parent: Int?) {
    // Links wait, but do not hide what is there.
    guard iteration != nil else { return make(.link(name, to: parent)) }
    iteration?.waiting.append(.link(name, to: parent))
  }

  private func remove(_ entity: Entity, _ name: Int, _ kind: NaiveRows.Kind) {
    switch kind {
    case .number: entity.remove(Number.self)
    case .words: entity.remove(Words.self)
    case .key: entity.remove(Key.self)
    }
    if seen.has(kind, name) { apply(.remove(name, kind), on: name) }
  }

  /// Gives an entity a key, if that may be: outside of iterations, as an index that works keeps
  /// keys unique.
  private func setKey(_ name: Int) {
    guard !isIterating else { return }
    let key = random.below(6)
    if listeners.keepsKeysUnique {
      let isTaken = rows.living.contains { rows[$0]?.key == key }
      if isTaken || rows.has(.key, name) { return }
    }
    set(name, NaiveRows.Row(key: key), .key)
  }

  // MARK: Programs

  /// Makes one step of the program, after which everything has to agree.
  func step() {
    note("step")
    answersLeft = 3
    // In a section, so that the naive program is as far as the context when observers are notified.
    context.perform {
      switch random.below(10) {
      case 0..<3: act(depth: 0)
      case 3..<5: acts(depth: 0)
      case 5..<8: transaction(depth: 0)
      default: iterate(depth: 0)
      }
    }
    answersLeft = 0
    listeners.checkAll(self)
  }

  private func acts(depth: Int) { for _ in 0..<random.below(6) { act(depth: depth) } }

  private func act(depth: Int) {
    switch random.below(depth < 4 ? 16 : 12) {
    case 0..<6: change()
    case 6..<12: listen()
    case 12, 13: transaction(depth: depth + 1)
    case 14: iterate(depth: depth + 1)
    default: context.perform { acts(depth: depth + 1) }
    }
    if !isIterating { listeners.checkNow(self) }
  }

  /// Lets something begin, pause, resume or end, in the course of which observers may answer.
  private func listen() {
    var random = SplitMix64(seed: random.next())
    listeners.act(self, &random)
  }

  /// What an observer does in response.
  func answer() {
    guard answersLeft > 0, random.oneIn(3) else { return }
    answersLeft -= 1
    note("answer")
    acts(depth: 2)
  }

  private func transaction(depth: Int) {
    guard !isIterating else { return }
    let fails = !random.oneIn(3)
    transactionCount += 1
    let number = transactionCount
    note("transaction \(number) \(fails ? "fails" : "stays")")
    let (before, marks) = (rows, listeners.marks)
    do throws(Failure) {
      try context.transaction { () throws(Failure) in
        acts(depth: depth + 1)
        // Observers answer when the outermost section has ended.
        if fails { throw Failure() }
      }
    } catch {
      note("taken back \(number)")
      rows = before
      listeners.wereTakenBack(to: marks, number, self)
    }
  }

  private func iterate(depth: Int) {
    guard !isIterating else { return }
    let kind: NaiveRows.Kind = random.oneIn(3) ? .words : .number
    note("iteration \(kind)")
    iteration = Iteration(borrowed: kind, seen: rows)
    let pace = random.below(3) + 1
    var visited: [Int] = []
    context.perform {
      if kind == .number {
        numbers.withEach { (entity, number: inout Number) in
          let name = name(entity)
          visited.append(name)
          actInside(pace)
          if random.oneIn(2) { number.value = random.below(9) }
          actInside(pace)
          rows.write(name, NaiveRows.Row(number: number.value))
        }
      } else {
        context.withEach { (entity, words: inout Words) in
          let name = name(entity)
          actInside(pace)
          if random.oneIn(2) { words.words.append("w\(random.below(4))") }
          if words.words.count > 4 { words.words = [] }
          actInside(pace)
          rows.write(name, NaiveRows.Row(words: words.words))
        }
      }
      let waiting = iteration?.waiting ?? []
      iteration = nil
      note("end of iteration")
      if kind == .number { for name in visited { make(.written(name)) } }
      for change in waiting { make(change) }
      listeners.checkNow(self)
    }
  }

  private func actInside(_ pace: Int) {
    guard random.oneIn(pace + 1) else { return }
    if random.oneIn(2) { change() } else { listen() }
  }
}
