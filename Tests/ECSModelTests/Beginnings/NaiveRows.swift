/// What there is, as a naive program keeps it: entities by numbers, in the order of their creation.
struct NaiveRows: Equatable {
  struct Row: Equatable {
    var number: Int?
    var words: [String]?
    var key: Int?
    var parent: Int?
  }

  enum Kind: Int, CaseIterable {
    case number, words, key
  }

  /// What becomes of an entity in a group of numbers.
  enum Event {
    case added, updated, removed
  }

  enum Change {
    case create(Int, Row)
    case set(Int, Row)
    case remove(Int, Kind)
    case destroy(Int)
    case link(Int, to: Int?)

    /// A number was written already; listeners are notified now.
    case written(Int)
  }

  private(set) var rows: [Int: Row] = [:]

  /// The entities that are linked to one, in the order of their links.
  private(set) var children: [Int: [Int]] = [:]

  subscript(entity: Int) -> Row? { rows[entity] }

  var living: [Int] { rows.keys.sorted() }

  func has(_ kind: Kind, _ entity: Int) -> Bool {
    guard let row = rows[entity] else { return false }
    return switch kind {
    case .number: row.number != nil
    case .words: row.words != nil
    case .key: row.key != nil
    }
  }

  /// Whether a key is there twice.
  var hasRepeatedKeys: Bool {
    let keys = rows.values.compactMap(\.key)
    return Set(keys).count < keys.count
  }

  /// Writes values without any event.
  mutating func write(_ entity: Int, _ values: Row) {
    if let number = values.number { rows[entity]?.number = number }
    if let words = values.words { rows[entity]?.words = words }
    if let key = values.key { rows[entity]?.key = key }
  }

  /// Makes a change; returns what it is to a group of numbers.
  mutating func apply(_ change: Change) -> (event: Event, entity: Int)? {
    switch change {
    case .create(let entity, let row):
      rows[entity] = row
      return row.number == nil ? nil : (.added, entity)
    case .set(let entity, let values):
      guard let before = rows[entity] else { return nil }
      write(entity, values)
      guard values.number != nil else { return nil }
      return (before.number == nil ? .added : .updated, entity)
    case .remove(let entity, let kind):
      guard has(kind, entity) else { return nil }
      switch kind {
      case .number: rows[entity]?.number = nil
      case .words: rows[entity]?.words = nil
      case .key: rows[entity]?.key = nil
      }
      return kind == .number ? (.removed, entity) : nil
    case .destroy(let entity):
      guard let row = rows[entity] else { return nil }
      unlink(entity)
      for child in children[entity] ?? [] { rows[child]?.parent = nil }
      children[entity] = nil
      rows[entity] = nil
      return row.number == nil ? nil : (.removed, entity)
    case .link(let entity, let parent):
      guard let row = rows[entity], row.parent != parent else { return nil }
      if let parent, rows[parent] == nil { return nil }
      unlink(entity)
      rows[entity]?.parent = parent
      if let parent { children[parent, default: []].append(entity) }
      return nil
    case .written(let entity):
      return has(.number, entity) ? (.updated, entity) : nil
    }
  }

  private mutating func unlink(_ entity: Int) {
    guard let parent = rows[entity]?.parent else { return }
    children[parent]?.removeAll { $0 == entity }
    if children[parent]?.isEmpty == true { children[parent] = nil }
    rows[entity]?.parent = nil
  }
}
