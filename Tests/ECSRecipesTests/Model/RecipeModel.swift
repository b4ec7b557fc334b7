import ECSRecipes

/// What a recipe does, in the most obvious way: dictionaries and loops.
struct RecipeModel {
  typealias Fields = [RecipeSpec.Field: JSONValue]

  final class Thing {
    var key: JSONValue?
    var listed: Fields?
    var automatic: Fields?
    var slots: [Slot: [Thing]] = [:]

    var state: (Fields?, Fields?, JSONValue?) { (listed, automatic, key) }
  }

  struct Refused: Error {}

  /// What data says about one thing by one recipe.
  final class Change {
    let spec: RecipeSpec
    let thing: Thing
    let isNew: Bool
    let path: JSONPath
    var key: JSONValue?
    var said: Fields = [:]
    var completing: Fields = [:]
    var hasBadCompletion = false
    var isSelective = true
    var links: [Slot: [Thing]] = [:]
    var isReference = true

    init(_ spec: RecipeSpec, _ thing: Thing, isNew: Bool, at path: JSONPath) {
      (self.spec, self.thing, self.isNew, self.path) = (spec, thing, isNew, path)
    }
  }

  /// Data that is checked.
  struct Record {
    var spec: RecipeSpec
    var path: JSONPath
    var key: JSONValue?
    var said: Fields = [:]

    /// Required fields that do not count unless a component is made.
    var completing: Fields = [:]
    var hasBadCompletion = false
    var isSelective = false
    var links: [(Slot, [Record])] = []
    var isReference = false
  }

  static let template: Fields = [
    .count: 5, .label: "l", .code: "9", .state: "off", .note: "n", .rank: .null, .flags: [1],
    .fontSize: 12, .theme: .null, .sizes: [],
  ]

  var things: [Thing] = []

  // MARK: Reading data

  func record(
    _ spec: RecipeSpec, _ data: JSONValue, at path: JSONPath = .root,
    only selection: Set<RecipeSpec.Field>? = nil
  ) throws(Refused) -> Record {
    if data == .null { throw Refused() }
    if spec.unknownKeysAreErrors { try refuseUnknownKeys(spec, data) }
    var record = Record(spec: spec, path: path)
    if let place = spec.key, let value = try find(place, in: data) {
      record.key = try key(value)
    }
    for (field, place) in spec.fields {
      if let selection, !selection.contains(field) { continue }
      guard let value = try find(place, in: data) else { continue }
      guard field.accepts(value) else { throw Refused() }
      record.said[field] = value
    }
    if let selection {
      record.isSelective = true
      complete(&record, spec, data, selection)
      return record
    }
    for link in spec.links {
      guard let value = try find(link.path, in: data) else { continue }
      record.links.append((link.slot, try records(link, value, at: path.appending(link.path))))
    }
    return record
  }

  private func complete(
    _ record: inout Record, _ spec: RecipeSpec, _ data: JSONValue,
    _ selection: Set<RecipeSpec.Field>
  ) {
    guard record.said.keys.contains(where: RecipeSpec.Field.listed.contains) else { return }
    for (field, place) in spec.fields
    where spec.required.contains(field) && !selection.contains(field) {
      do throws(Refused) {
        guard let value = try find(place, in: data) else { continue }
        if field.accepts(value) {
          record.completing[field] = value
        } else {
          record.hasBadCompletion = true
        }
      } catch {
        record.hasBadCompletion = true
      }
    }
  }

  private func records(
    _ link: RecipeSpec.Link, _ value: JSONValue, at path: JSONPath
  ) throws(Refused) -> [Record] {
    func one(_ value: JSONValue, at path: JSONPath) throws(Refused) -> Record {
      guard link.isKey else { return try record(link.recipe, value, at: path) }
      return Record(
        spec: link.recipe, path: .root, key: try key(value), isSelective: true, isReference: true)
    }
    if !link.slot.isMany { return value == .null ? [] : [try one(value, at: path)] }
    guard let elements = value.array else { throw Refused() }
    var records: [Record] = []
    for (index, element) in elements.enumerated() {
      records.append(try one(element, at: path.appending(index: index)))
    }
    return records
  }

  private func key(_ value: JSONValue) throws(Refused) -> JSONValue {
    guard value.number?.int != nil else { throw Refused() }
    return value
  }

  private func find(_ path: JSONPath, in data: JSONValue) throws(Refused) -> JSONValue? {
    var value = data
    for step in path.steps {
      if value == .null { return .null }
      switch step {
      case .key(let key):
        guard value.kind == .object else { throw Refused() }
        guard let next = value[key] else { return nil }
        value = next
      case .index(let index):
        guard value.kind == .array else { throw Refused() }
        guard let next = value[index] else { return nil }
        value = next
      }
    }
    return value
  }

  private func refuseUnknownKeys(_ spec: RecipeSpec, _ data: JSONValue) throws(Refused) {
    let places = spec.fields.map(\.path) + spec.links.map(\.path) + (spec.key.map { [$0] } ?? [])
    func check(_ value: JSONValue, _ steps: [JSONPath.Step]) throws(Refused) {
      let path = places.filter { $0.steps.starts(with: steps) }
      guard !path.isEmpty else { throw Refused() }
      if path.contains(where: { $0.steps.count == steps.count }) { return }
      let isKey = path.contains { if case .key = $0.steps[steps.count] { true } else { false } }
      if isKey, let object = value.object {
        for entry in object { try check(entry.value, steps + [.key(entry.key)]) }
      }
      for (index, element) in (value.array ?? []).enumerated() {
        let next = steps + [.index(index)]
        // Positions of lists are not keys.
        if places.contains(where: { $0.steps.starts(with: next) }) { try check(element, next) }
      }
    }
    try check(data, [])
  }

  // MARK: Planning

  /// What records ask for.
  struct Plan {
    var changes: [Change] = []

    /// The things that the records are about.
    var things: [Thing] = []

    /// Whether no thing is described twice.
    var isConsistent = true
  }

  func plan(_ records: [Record], updating thing: Thing? = nil) throws(Refused) -> Plan {
    var changes: [Change] = []
    var isConsistent = true
    var new: [JSONValue: Thing] = [:]
    if let thing, let record = records.first, let key = record.key {
      if let own = thing.key, own != key { throw Refused() }
      if let holder = holder(of: key), holder !== thing { throw Refused() }
      if thing.key == nil { new[key] = thing }
    }
    func target(_ record: Record) throws(Refused) -> Thing? {
      guard record.spec.key != nil else { return nil }
      guard let key = record.key else { throw Refused() }
      if let thing = holder(of: key) ?? new[key] { return thing }
      let thing = Thing()
      new[key] = thing
      return thing
    }
    func add(_ record: Record, to thing: Thing) throws(Refused) {
      let earlier = changes.first { $0.thing === thing && $0.spec.name == record.spec.name }
      let isNew = !things.contains { $0 === thing }
      let change = earlier ?? Change(record.spec, thing, isNew: isNew, at: record.path)
      if changes.contains(where: { $0.thing === thing }) { isConsistent = false }
      if earlier == nil { changes.append(change) }
      if !record.isReference { change.isReference = false }
      change.key = record.key ?? change.key
      change.said.merge(record.said) { $1 }
      change.completing.merge(record.completing) { $1 }
      if record.hasBadCompletion { change.hasBadCompletion = true }
      if !record.isSelective { change.isSelective = false }
      for (slot, records) in record.links {
        let present = change.links[slot] ?? thing.slots[slot] ?? []
        var targets: [Thing] = []
        for (position, record) in records.enumerated() {
          let keyless = position < present.count ? present[position] : nil
          let found = try target(record)
          let next = found ?? keyless ?? Thing()
          try add(record, to: next)
          if !targets.contains(where: { $0 === next }) { targets.append(next) }
        }
        change.links[slot] = targets
      }
    }
    var targets: [Thing] = []
    for record in records {
      var next = thing
      if next == nil { next = try target(record) }
      let thing = next ?? Thing()
      try add(record, to: thing)
      targets.append(thing)
    }
    for change in changes { try check(change) }
    return Plan(changes: changes, things: targets, isConsistent: isConsistent)
  }

  private func holder(of key: JSONValue) -> Thing? { things.first { $0.key == key } }

  private func check(_ change: Change) throws(Refused) {
    if change.isReference || change.thing.listed != nil { return }
    let said = change.said.filter { RecipeSpec.Field.listed.contains($0.key) }
    guard change.isNew || said.contains(where: { $0.value != .null }) else { return }
    if change.isSelective, said.isEmpty { return }
    let known = said.merging(change.completing) { said, _ in said }
    guard !change.hasBadCompletion, change.spec.required.allSatisfy({ known[$0] != nil }) else {
      throw Refused()
    }
  }

  // MARK: Carrying it out

  /// What fields of a component become; nil if they stay.
  func result(
    _ change: Change, _ old: Fields?, of fields: [RecipeSpec.Field]
  ) -> Fields? {
    let said = change.said.filter { fields.contains($0.key) }
    guard old != nil || said.contains(where: { $0.value != .null }) else { return nil }
    let completing = change.completing.filter { fields.contains($0.key) }
    let start =
      old ?? Self.template.filter { fields.contains($0.key) }.merging(completing) { $1 }
    let new = start.merging(said) { $1 }
    return new == old ? nil : new
  }

  /// A thing as it will be, whatever number of recipes is about it.
  private func result(_ changes: [Change], for thing: Thing) -> (Fields?, Fields?, JSONValue?) {
    var (listed, automatic, key) = (thing.listed, thing.automatic, thing.key)
    for change in changes where change.thing === thing {
      listed = result(change, listed, of: RecipeSpec.Field.listed) ?? listed
      automatic = result(change, automatic, of: RecipeSpec.Field.automatic) ?? automatic
      key = key ?? change.key
    }
    return (listed, automatic, key)
  }

  /// The number of components that are written, and whether anything has changed.
  mutating func carryOut(_ changes: [Change]) -> (writes: Int, hasChanged: Bool) {
    let hasChanged = wouldChange(changes)
    var writes = 0
    for change in changes {
      let thing = change.thing
      if !things.contains(where: { $0 === thing }) { things.append(thing) }
      let (listed, automatic, key) = result(changes, for: thing)
      writes += [listed != thing.listed, automatic != thing.automatic, key != thing.key].count {
        $0
      }
      (thing.listed, thing.automatic, thing.key) = (listed, automatic, key)
    }
    for change in changes { change.thing.slots.merge(change.links) { $1 } }
    return (writes, hasChanged)
  }

  /// Whether carrying changes out would change anything.
  func wouldChange(_ changes: [Change]) -> Bool {
    changes.contains { change in
      change.isNew || result(changes, for: change.thing) != change.thing.state
        || change.links.contains { !same($0.value, change.thing.slots[$0.key] ?? []) }
    }
  }

  /// The paths and values that differ, of fields only.
  func differences(_ changes: [Change]) -> [String] {
    var lines: [String] = []
    for change in changes {
      if let key = change.key, change.thing.key == nil, let place = change.spec.key {
        lines.append("\(change.path.appending(place)): nil -> \(key)")
      }
      let both = [
        (change.thing.listed, RecipeSpec.Field.listed),
        (change.thing.automatic, RecipeSpec.Field.automatic),
      ]
      for (old, fields) in both {
        guard let new = result(change, old, of: fields) else { continue }
        for (field, place) in change.spec.fields where fields.contains(field) {
          guard let said = change.said[field], old?[field] != new[field] else { continue }
          let before = old.flatMap { $0[field] }.map { "\($0)" } ?? "nil"
          lines.append("\(change.path.appending(place)): \(before) -> \(said)")
        }
      }
    }
    return lines
  }

  /// The number of relations that differ.
  func changedLinks(_ changes: [Change]) -> Int {
    changes.reduce(0) { count, change in
      count + change.links.count { !same($0.value, change.thing.slots[$0.key] ?? []) }
    }
  }

  private func same(_ left: [Thing], _ right: [Thing]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0 === $1 }
  }

  /// Ends the world: things that refer to each other would never be released.
  func end() {
    for thing in things { thing.slots = [:] }
  }

  /// Takes a thing out of the world.
  mutating func destroy(_ thing: Thing) {
    things.removeAll { $0 === thing }
    thing.slots = [:]
    for other in things {
      for slot in Slot.allCases { other.slots[slot]?.removeAll { $0 === thing } }
    }
  }
}
