import ECS

// What is notified when an outermost change has ended: copies that are kept by notices alone.

// Guarded by the context of the world.
final class ViewListener: Listener, CustomStringConvertible, @unchecked Sendable {
  enum Kind: CaseIterable {
    case plain, descending, even, limited, byTarget, related, relatedSorted
  }

  // Guarded by the context of the world.
  private final class Copy: @unchecked Sendable {
    var entities: [Entity] = []
    var failures = 0
    var subscription: Subscription?
  }

  private let kind: Kind
  private let view: LiveView
  private let owner: Int
  private var copies: [Copy] = []

  init(_ world: BeginningWorld, _ kind: Kind, _ owner: Int, starts: Bool) {
    typealias Number = BeginningWorld.Number
    typealias PartOf = BeginningWorld.PartOf
    let needsOwner = kind == .related || kind == .relatedSorted
    let entity = needsOwner && world.isAlive(owner) ? world.entity(owner) : nil
    self.kind = needsOwner && entity == nil ? .plain : kind
    self.owner = owner
    view =
      switch (self.kind, entity) {
      case (.related, let entity?): entity.sources(PartOf.self).view()
      case (.relatedSorted, let entity?):
        entity.sources(PartOf.self).sorted(by: \Number.value)
      case (.descending, _): world.numbers.sorted(by: \Number.value, .descending)
      case (.even, _): world.numbers.filtered { (number: Number) in number.value % 2 == 0 }
      case (.limited, _): world.numbers.sorted(by: \Number.value).limited(to: 3)
      case (.byTarget, _):
        world.numbers.filtered(byTarget: PartOf.self) { (number: Number) in number.value >= 4 }
          .sorted(by: \Number.value, ofTarget: PartOf.self)
      default: world.numbers.view()
      }
    if starts { view.start() }
    observe(world)
  }

  private var needsOwner: Bool { kind == .related || kind == .relatedSorted }

  private func observe(_ world: BeginningWorld) {
    // What is related to the dead can't be observed, although they may live again.
    if needsOwner, !world.isAlive(owner) { return }
    let copy = Copy()
    let isInitial = (copies.count + owner) % 2 == 0
    if !isInitial { copy.entities = Array(view.entities()) }
    // In the course of this, an answer may let it end.
    copies.append(copy)
    copy.subscription = view.observe(initial: isInitial) { [weak copy, weak world] change in
      guard let copy else { return }
      if !change.difference.apply(to: &copy.entities) { copy.failures += 1 }
      world?.answer()
    }
  }

  var description: String { "\(kind) view, started \(view.isStarted), of \(copies.count)" }

  /// Lets one more observe it, or all cease to.
  func toggle(_ world: BeginningWorld) {
    if copies.count < 3 { observe(world) } else { copies = [] }
  }

  private func expected(_ rows: NaiveRows) -> [Int] {
    func number(_ name: Int?) -> Int { name.flatMap { rows[$0]?.number } ?? .max }
    func sorted(_ names: [Int], _ key: (Int) -> Int) -> [Int] {
      names.enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }
        .map(\.element)
    }
    let names = rows.living.filter { rows[$0]?.number != nil }
    switch kind {
    case .plain: return names
    case .descending: return sorted(names) { -number($0) }
    case .even: return names.filter { number($0) % 2 == 0 }
    case .limited: return Array(sorted(names, number).prefix(3))
    case .byTarget:
      let found = names.filter {
        let value = number(rows[$0]?.parent)
        return value >= 4 && value < .max
      }
      return sorted(found) { number(rows[$0]?.parent) }
    case .related: return rows.children[owner] ?? []
    case .relatedSorted: return sorted(rows.children[owner] ?? [], number)
    }
  }

  func flaw(now world: BeginningWorld) -> String? {
    let expected = expected(world.rows)
    if let flaw = difference("\(kind) shows", expected, view.entities().map(world.name)) {
      return flaw
    }
    guard kind == .descending else { return nil }
    let sections = view.sections { (number: BeginningWorld.Number) in number.value / 3 }
    let keys = expected.map { (world.rows[$0]?.number ?? 0) / 3 }
    return difference(
      "sections", keys,
      sections.flatMap { section in section.positions.map { _ in section.key ?? -1 } })
  }

  func flaw(afterwards world: BeginningWorld) -> String? {
    if isOver(world) { return nil }
    for (number, copy) in copies.enumerated() {
      let found = copy.entities.map(world.name)
      if let flaw = difference("\(kind) told observer \(number)", expected(world.rows), found)
        ?? difference("\(kind) told observer \(number) differences too many", 0, copy.failures)
      {
        return flaw
      }
    }
    return nil
  }

  func isOver(_ world: BeginningWorld) -> Bool {
    needsOwner && world.rows[owner] == nil
  }
}

// Guarded by the context of the world.
final class GroupListener: Listener, @unchecked Sendable {
  private var copy: [Int: Int] = [:]
  private var subscription: Subscription?

  init(_ world: BeginningWorld) {
    subscription = world.numbers.observe { [weak self, weak world] _ in
      guard let self, let world else { return }
      copy = Self.contents(world)
      world.answer()
    }
  }

  private static func contents(_ world: BeginningWorld) -> [Int: Int] {
    var contents: [Int: Int] = [:]
    for name in world.rows.living { contents[name] = world.rows[name]?.number }
    return contents
  }

  func flaw(afterwards world: BeginningWorld) -> String? {
    difference("was last notified of", Self.contents(world), copy)
  }
}

// Guarded by the context of the world.
final class EntityListener: Listener, @unchecked Sendable {
  private let name: Int
  private var copy: NaiveRows.Row?
  private var children: [Int] = []
  private var observesLinks = false
  private var subscriptions: [Subscription] = []

  init?(_ world: BeginningWorld, _ name: Int) {
    self.name = name
    guard let entity = world.entity(name), entity.isAlive else { return nil }
    let whole = entity.observe { [weak self, weak world] _ in
      guard let self, let world else { return }
      copy = world.rows[self.name]
      world.answer()
    }
    subscriptions.append(whole)
    // An answer may have destroyed it: what is observed of the dead ends at once, although they may
    // live again.
    guard entity.isAlive else { return }
    observesLinks = true
    let links = entity.sources(BeginningWorld.PartOf.self).observe { [weak self, weak world] _ in
      guard let self, let world else { return }
      children = world.rows.children[self.name] ?? []
    }
    subscriptions.append(links)
  }

  func flaw(afterwards world: BeginningWorld) -> String? {
    // One that never was ends silently.
    if world.rows[name] == nil {
      return subscriptions.contains { $0.isActive } ? "is active although \(name) is dead" : nil
    }
    if let flaw = difference("was last notified of", world.rows[name], copy) { return flaw }
    guard observesLinks else { return nil }
    return difference("links", world.rows.children[name] ?? [], children)
  }

  func isOver(_ world: BeginningWorld) -> Bool { world.rows[name] == nil }
}

/// Single changes of a group, as they are delivered.
// Guarded by the context of the world.
final class ChangesListener: Listener, @unchecked Sendable {
  private var copy: [Int: Int] = [:]
  private let beginning: Int
  private var subscription: Subscription?

  init(_ world: BeginningWorld) {
    beginning = world.transactionCount
    reset(world)
    subscription = world.numbers.observeChanges(of: BeginningWorld.Number.self) {
      [weak self, weak world] entity, _, new in
      guard let self, let world else { return }
      copy[world.name(entity)] = new?.value
      world.answer()
    }
  }

  private func reset(_ world: BeginningWorld) {
    copy = [:]
    for name in world.rows.living { copy[name] = world.rows[name]?.number }
  }

  /// What it began with is no more: observers of single changes are notified of nothing of that.
  func wasTakenBack(_ number: Int, _ world: BeginningWorld) {
    if beginning >= number { reset(world) }
  }

  func flaw(afterwards world: BeginningWorld) -> String? {
    var expected: [Int: Int] = [:]
    for name in world.rows.living { expected[name] = world.rows[name]?.number }
    return difference("told", expected, copy)
  }
}

/// A copy of all that there is, kept by what a journal tells.
// Guarded by the context of the world.
final class JournalListener: Listener, @unchecked Sendable {
  private var copy: [Int: [String]] = [:]
  private var flaws: [String] = []
  private let beginning: Int
  private let mayMissOld: Bool
  private var subscription: Subscription?

  init(_ world: BeginningWorld) {
    beginning = world.transactionCount
    mayMissOld = world.borrowed == .words
    copy = Self.contents(world)
    subscription = world.context.journal().observe { [weak self, weak world] commit in
      guard let self, let world else { return }
      for change in commit { apply(change, world) }
    }
  }

  private static func contents(_ world: BeginningWorld) -> [Int: [String]] {
    var contents: [Int: [String]] = [:]
    for name in world.rows.living {
      guard let row = world.rows[name] else { continue }
      contents[name] = [
        row.number.map { "\(BeginningWorld.Number(value: $0))" },
        row.words.map { "\(BeginningWorld.Words(words: $0))" },
        row.key.map { "\(BeginningWorld.Key(value: $0))" },
      ].compactMap(\.self).sorted()
    }
    return contents
  }

  private func apply(_ change: CommittedChange, _ world: BeginningWorld) {
    let name = world.name(change.entity)
    let old = change.oldComponents().map { "\($0)" }.sorted()
    let new = change.newComponents().map { "\($0)" }.sorted()
    func check(_ isRight: Bool) {
      if !isRight {
        flaws.append(
          "\(change.kind) \(name) \(old) -> \(new), where it was \(copy[name] ?? ["dead"])")
      }
    }
    switch change.kind {
    case .created:
      check(copy[name] == nil)
      copy[name] = new
    case .destroyed:
      check(copy[name] == old)
      copy[name] = nil
    case .added:
      check(copy[name] != nil && old.isEmpty && new.count == 1)
      copy[name] = ((copy[name] ?? []) + new).sorted()
    case .replaced:
      let type = new.first.map { $0.prefix { $0 != "(" } } ?? ""
      check(old.isEmpty ? mayMissOld : copy[name]?.contains(old[0]) == true)
      copy[name] = ((copy[name] ?? []).filter { !$0.hasPrefix(type) } + new).sorted()
    case .removed:
      check(old.count == 1 && copy[name]?.contains(old[0]) == true)
      copy[name]?.removeAll { $0 == old.first }
    case .linked, .unlinked, .moved, .linkUpdated: break
    }
  }

  func wasTakenBack(_ number: Int, _ world: BeginningWorld) {
    if beginning >= number { copy = Self.contents(world) }
  }

  func flaw(afterwards world: BeginningWorld) -> String? {
    flaws.first ?? difference("told", Self.contents(world), copy)
  }
}

/// A sequence of commits, beside an observer of the same journal.
// Guarded by the context of the world, while that is in use.
final class FeedListener: Listener, @unchecked Sendable {
  private var expected: [String] = []
  private let feed: CommitSequence
  private var subscription: Subscription?

  init(_ world: BeginningWorld) {
    feed = world.context.journal().commits()
    subscription = world.context.journal().observe { [weak self] in
      self?.expected.append(Self.text($0))
    }
  }

  private static func text(_ commit: Commit) -> String {
    let changes = commit.map { change in
      // Without what it is now.
      let entity = change.entity.description.split(separator: " ").dropFirst().first ?? ""
      return "\(change.kind) \(entity) \(change.oldComponents()) \(change.newComponents())"
    }
    return "\(changes)"
  }

  /// Reads all that it got; what is wrong with it.
  func read() async -> String? {
    subscription = nil
    var iterator = feed.makeAsyncIterator()
    for (number, text) in expected.enumerated() {
      guard let commit = await iterator.next() else { return "commit \(number) is missing" }
      if let flaw = difference("commit \(number)", text, Self.text(commit)) { return flaw }
    }
    return nil
  }
}
