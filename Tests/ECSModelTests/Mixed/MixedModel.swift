/// The naive reference: dictionaries of numbers, and plain searches.
struct MixedModel: Equatable {
  typealias Kind = Mixed.Kind
  typealias Link = Mixed.Link

  struct Pair: Hashable {
    let source: Int
    let target: Int
  }

  struct Rule {
    let kind: Kind
    let value: Int
    var cascades = false
    var refuses = false
  }

  static let rules: [Kind: [Rule]] = [
    .mid: [Rule(kind: .base, value: 10)],
    .top: [Rule(kind: .mid, value: 20), Rule(kind: .side, value: 30, cascades: true)],
    .firm: [Rule(kind: .core, value: 5, refuses: true)],
  ]

  /// What each entity has, by its number in the order of creation.
  var rows: [Int: [Kind: Int]] = [:]
  private(set) var targets: [Link: [Int: [Int]]] = [:]
  private(set) var sources: [Link: [Int: [Int]]] = [:]

  /// The values of links: a number, and the number of an entity if there may be one.
  var values: [Link: [Pair: [Int]]] = [:]

  var alive: [Int] { rows.keys.sorted() }

  func targets(_ link: Link, _ entity: Int) -> [Int] { targets[link]?[entity] ?? [] }
  func sources(_ link: Link, _ entity: Int) -> [Int] { sources[link]?[entity] ?? [] }
  func value(_ entity: Int, _ kind: Kind = .value) -> Int? { rows[entity]?[kind] }

  mutating func setTargets(_ link: Link, _ entity: Int, _ list: [Int]) {
    targets[link, default: [:]][entity] = list.isEmpty ? nil : list
    if targets[link]?.isEmpty == true { targets[link] = nil }
  }

  mutating func setSources(_ link: Link, _ entity: Int, _ list: [Int]) {
    sources[link, default: [:]][entity] = list.isEmpty ? nil : list
    if sources[link]?.isEmpty == true { sources[link] = nil }
  }

  mutating func setValue(_ link: Link, _ pair: Pair, _ value: [Int]?) {
    values[link, default: [:]][pair] = value
    if values[link]?.isEmpty == true { values[link] = nil }
  }

  // MARK: Components

  mutating func set(_ kind: Kind, _ value: Int, on entity: Int) {
    guard rows[entity] != nil else { return }
    let isNew = rows[entity]?[kind] == nil
    put(kind, value, on: entity)
    guard isNew else { return }
    var next = [kind]
    while let one = next.popLast() {
      for rule in Self.rules[one] ?? [] {
        if rows[entity]?[rule.kind] == nil { put(rule.kind, rule.value, on: entity) }
        next.append(rule.kind)
      }
    }
  }

  private mutating func put(_ kind: Kind, _ value: Int, on entity: Int) {
    if kind == .only { for other in alive where other != entity { rows[other]?[kind] = nil } }
    rows[entity]?[kind] = value
  }

  mutating func remove(_ kind: Kind, from entity: Int) {
    guard let row = rows[entity], row[kind] != nil else { return }
    for (other, rules) in Self.rules where row[other] != nil {
      for rule in rules where rule.kind == kind {
        if rule.refuses { return }
        if rule.cascades { remove(other, from: entity) }
      }
    }
    rows[entity]?[kind] = nil
  }

  // MARK: Links

  mutating func relate(_ link: Link, _ source: Int, _ target: Int, _ value: [Int] = []) {
    guard rows[source] != nil, rows[target] != nil else { return }
    if targets(link, source).contains(target) {
      if link.hasValue { setValue(link, Pair(source: source, target: target), value) }
      return
    }
    if link.isToOne { for old in targets(link, source) { unrelate(link, source, old) } }
    if link.isOneToOne { for old in sources(link, target) { unrelate(link, old, target) } }
    setTargets(link, source, targets(link, source) + [target])
    setSources(link, target, sources(link, target) + [source])
    if link.hasValue { setValue(link, Pair(source: source, target: target), value) }
  }

  mutating func unrelate(_ link: Link, _ source: Int, _ target: Int) {
    setTargets(link, source, targets(link, source).filter { $0 != target })
    setSources(link, target, sources(link, target).filter { $0 != source })
    setValue(link, Pair(source: source, target: target), nil)
  }

  /// Whether an entity is below another one in a hierarchy.
  func isBelow(_ entity: Int, _ ancestor: Int, _ link: Link = .child) -> Bool {
    var next = targets(link, entity).first
    while let one = next {
      if one == ancestor { return true }
      next = targets(link, one).first
    }
    return false
  }

  // MARK: Lives

  /// All that ends with an entity.
  func ending(_ entity: Int) -> Set<Int> {
    var all: Set<Int> = []
    var next = [entity]
    while let one = next.popLast() {
      guard all.insert(one).inserted else { continue }
      for link in Link.allCases where link.cascades { next += sources(link, one) }
    }
    return all
  }

  func isDenied(_ entity: Int) -> Bool {
    let all = ending(entity)
    return all.contains { !Set(sources(.under, $0)).isSubset(of: all) }
  }

  mutating func destroy(_ entity: Int) {
    guard rows[entity] != nil else { return }
    for one in ending(entity) {
      for link in Link.allCases {
        for target in targets(link, one) { unrelate(link, one, target) }
        for source in sources(link, one) { unrelate(link, source, one) }
      }
      rows[one] = nil
    }
  }

  /// The entities with all that is below them, each followed by its own.
  func all(_ roots: [Int], deep: Bool) -> [Int] {
    var all: [Int] = []
    func add(_ entity: Int) {
      if all.contains(entity) { return }
      all.append(entity)
      if deep { for child in sources(.child, entity) { add(child) } }
    }
    roots.forEach(add)
    return all
  }

  /// Takes over copies, as they come to life.
  mutating func addCopies(
    _ copies: [Int], of originals: [Int], _ change: (inout MixedModel, Int) -> Void
  ) {
    let old = self
    let map = Dictionary(uniqueKeysWithValues: zip(originals, copies))
    for (original, copy) in zip(originals, copies) {
      rows[copy] = old.rows[original]
      if let aim = rows[copy]?[.aim] { rows[copy]?[.aim] = map[aim] ?? aim }
      change(&self, copy)
    }
    for link in Link.allCases where link != .under && link != .echo {
      for (original, copy) in zip(originals, copies) {
        for target in old.targets(link, original) {
          var value = old.values[link]?[Pair(source: original, target: target)] ?? []
          if link == .member { value[1] = map[value[1]] ?? value[1] }
          if let other = map[target] {
            relate(link, copy, other, value)
          } else if !link.isOneToOne, link != .tag {
            relate(link, copy, target, value)
          }
        }
      }
      for (original, copy) in zip(originals, copies) {
        setSources(link, copy, old.sources(link, original).compactMap { map[$0] })
      }
    }
  }

  // MARK: As a whole

  /// What observers do when a section has ended.
  mutating func derive() {
    for (entity, row) in rows {
      rows[entity]?[.derived] = row[.value].map { 2 * $0 }
      if let value = row[.value] {
        relate(.echo, entity, entity, [3 * value])
      } else {
        unrelate(.echo, entity, entity)
      }
    }
  }

  /// The state with references to what is dead left out, as files have it.
  func withoutDead() -> MixedModel {
    var result = self
    for (entity, row) in rows {
      if let aim = row[.aim], rows[aim] == nil { result.rows[entity]?[.aim] = -1 }
    }
    for (pair, value) in values[.member] ?? [:] where rows[value[1]] == nil {
      result.values[.member]?[pair] = [value[0], -1]
    }
    return result
  }

  func difference(from expected: MixedModel) -> String? {
    if self == expected { return nil }
    var lines: [String] = []
    for entity in Set(rows.keys).union(expected.rows.keys).sorted()
    where rows[entity] != expected.rows[entity] {
      lines.append("#\(entity): \(text(rows[entity])), expected \(text(expected.rows[entity]))")
    }
    for link in Link.allCases {
      for entity in Set(rows.keys).union(expected.rows.keys).sorted() {
        for (side, one, other) in [
          ("targets", targets(link, entity), expected.targets(link, entity)),
          ("sources", sources(link, entity), expected.sources(link, entity)),
        ] where one != other {
          lines.append("#\(entity) \(link) \(side): \(one), expected \(other)")
        }
      }
      for pair in Set((values[link] ?? [:]).keys).union((expected.values[link] ?? [:]).keys) {
        let (one, other) = (values[link]?[pair], expected.values[link]?[pair])
        if one == other { continue }
        lines.append("\(link) \(pair): \(one ?? []), expected \(other ?? [])")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ row: [Kind: Int]?) -> String {
    guard let row else { return "dead" }
    return row.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
      .joined(separator: ", ")
  }
}
