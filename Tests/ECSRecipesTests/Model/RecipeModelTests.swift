import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Random recipes on random data, beside the naive interpreter.
private struct RecipeRun {
  struct Disagreement: Error { var what: String }

  let context = Context()
  let mapper: Mapper
  var model = RecipeModel()
  var random: SplitMix64
  let specs: [RecipeSpec]
  let recipes: [Recipe]
  var entities: [ObjectIdentifier: Entity] = [:]
  let events = Tally()
  let subscriptions: [Subscription]
  var program: [String] = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    mapper = Mapper(context)
    var specs: [RecipeSpec] = []
    for number in 0..<2 {
      let spec = RecipeSpec("r\(number)", levels: 2, &random)
      specs.append(spec)
      specs += spec.links.map(\.recipe)
    }
    self.specs = specs
    recipes = try specs.map(ModelComponents.recipe)
    let (context, events) = (context, events)
    subscriptions = ModelComponents.kinds.map { kind in
      context.group(Matcher(all: [kind])).observeChanges { change in
        if change.entity.isAlive { events.add() }
      }
    }
    program = specs.map(\.description)
  }

  // MARK: Data

  /// Data for a recipe: mostly good and rarely complete.
  private mutating func data(_ spec: RecipeSpec, depth: Int = 2) -> JSONValue {
    var data: JSONValue = [:]
    if let path = spec.key, !random.oneIn(12) {
      data.put(.number(JSONNumber(random.below(4))), at: path.steps[...])
    }
    let mayOmit = random.oneIn(2)
    for (field, path) in spec.fields where !mayOmit || random.oneIn(2) {
      data.put(field.randomValue(&random), at: path.steps[...])
    }
    for link in spec.links where random.oneIn(2) {
      data.put(related(link, depth: depth), at: link.path.steps[...])
    }
    if random.oneIn(6) { spoil(&data, spec) }
    return data
  }

  private mutating func related(_ link: RecipeSpec.Link, depth: Int) -> JSONValue {
    if random.oneIn(8) { return .null }
    guard link.slot.isMany else { return oneRelated(link, depth: depth) }
    return .array((0..<random.below(4)).map { _ in oneRelated(link, depth: depth) })
  }

  private mutating func oneRelated(_ link: RecipeSpec.Link, depth: Int) -> JSONValue {
    link.isKey
      ? .number(JSONNumber(random.below(4))) : data(link.recipe, depth: depth - 1)
  }

  /// Puts something somewhere where it may be wrong.
  private mutating func spoil(_ data: inout JSONValue, _ spec: RecipeSpec) {
    let paths = spec.fields.map(\.path) + spec.links.map(\.path) + (spec.key.map { [$0] } ?? [])
    let path = paths[random.below(paths.count)]
    let values: [JSONValue] = [.null, 1.5, "x", true, [], [:], ["y": 1], [.null], "7"]
    let length = 1 + random.below(path.steps.count)
    let value = values[random.below(values.count)]
    if random.oneIn(10) {
      data = value
    } else {
      data.put(value, at: path.steps.prefix(length))
    }
  }

  // MARK: Steps

  mutating func step() throws(Disagreement) {
    let number = random.below(specs.count)
    switch random.below(12) {
    case 0..<3: try make(number)
    case 3..<8: try update(number)
    case 8: try importOneByOne(number)
    case 9, 10: try importAll(number)
    default: try destroy()
    }
  }

  private mutating func selection(_ spec: RecipeSpec) -> Set<RecipeSpec.Field>? {
    let listed = spec.fields.map(\.field).filter { RecipeSpec.Field.listed.contains($0) }
    return random.oneIn(10) ? Set(listed.filter { _ in random.oneIn(2) }) : nil
  }

  private func keyPaths(_ selection: Set<RecipeSpec.Field>?) -> [AnyKeyPath]? {
    selection.map { $0.map(ModelComponents.keyPath) }
  }

  private mutating func make(_ number: Int) throws(Disagreement) {
    let (spec, recipe) = (specs[number], recipes[number])
    let (data, selection) = (data(spec), selection(spec))
    let fields = keyPaths(selection)
    program.append("make \(spec.name) \(selection.map { "\($0)" } ?? "") of \(data)")
    let expected = try? model.plan([model.record(spec, data, only: selection)])
    let told = try? mapper.differences(making: recipe, from: data, only: fields)
    try compare(told, expected?.changes)
    let before = events.value
    let entity = try? mapper.make(recipe, from: data, only: fields)
    try expect((entity == nil) == (expected == nil), "making was refused: \(entity == nil)")
    let writes = expected.map { model.carryOut($0.changes).writes } ?? 0
    if let entity, let thing = expected?.things.first { try pair(thing, entity) }
    try compareAll()
    try expect(events.value == before + writes, "\(events.value - before) events, not \(writes)")
    if let entity { try checkSilence(entity, number) }
  }

  private mutating func update(_ number: Int) throws(Disagreement) {
    let candidates = model.things.filter { entities[ObjectIdentifier($0)] != nil }
    guard let thing = candidates.randomElement(using: &random),
      let entity = entities[ObjectIdentifier(thing)]
    else { return }
    let (spec, recipe) = (specs[number], recipes[number])
    let (data, selection) = (data(spec), selection(spec))
    let fields = keyPaths(selection)
    program.append("update \(entity) by \(spec.name) \(selection.map { "\($0)" } ?? "") to \(data)")
    let expected = try? model.plan(
      [model.record(spec, data, only: selection)], updating: thing)
    let told = try? mapper.differences(entity, with: recipe, from: data, only: fields)
    try compare(told, expected?.changes)
    let compared = try? mapper.wouldChange(entity, with: recipe, from: data, only: fields)
    try expect(compared == expected.map { model.wouldChange($0.changes) }, "comparing")
    let before = events.value
    let outcome = try? mapper.update(entity, with: recipe, from: data, only: fields)
    try expect((outcome == nil) == (expected == nil), "updating was refused: \(outcome == nil)")
    let done = expected.map { model.carryOut($0.changes) } ?? (writes: 0, hasChanged: false)
    if expected != nil {
      try expect(outcome == (done.hasChanged ? .updated : .unchanged), "the outcome")
      try expect(compared == done.hasChanged, "comparing and applying")
    }
    try compareAll()
    try expect(
      events.value == before + done.writes, "\(events.value - before) events, not \(done.writes)")
    // Data that says two things of one entity is not done with when it is applied.
    guard let expected, expected.isConsistent else { return }
    let rest = try? mapper.differences(entity, with: recipe, from: data, only: fields)
    let again = try? mapper.update(entity, with: recipe, from: data, only: fields)
    try expect(again == .unchanged, "applying again: \(rest.map { "\($0)" } ?? "refused")")
    try expect(events.value == before + done.writes, "applying again fires")
    try checkSilence(entity, number)
  }

  private mutating func importOneByOne(_ number: Int) throws(Disagreement) {
    let (spec, recipe) = (specs[number], recipes[number])
    let records = (0..<random.below(4)).map { _ in data(spec) }
    program.append("import \(spec.name) of \(records)")
    let report = try? mapper.importList(records, with: recipe)
    var expected = (made: 0, updated: 0, unchanged: 0)
    var refused: [Int] = []
    for (position, record) in records.enumerated() {
      guard let plan = try? model.plan([model.record(spec, record)]) else {
        refused.append(position)
        continue
      }
      let isNew = plan.changes.first { $0.thing === plan.things.first }?.isNew == true
      let hasChanged = model.carryOut(plan.changes).hasChanged
      if isNew {
        expected.made += 1
      } else if hasChanged {
        expected.updated += 1
      } else {
        expected.unchanged += 1
      }
    }
    try expect(
      report.map { ($0.made, $0.updated, $0.unchanged) == expected } == true,
      "the report \(report ?? ImportReport()), not \(expected)")
    try expect(report?.failures.map(\.position) == refused, "the failures")
    try compareAll()
  }

  private mutating func importAll(_ number: Int) throws(Disagreement) {
    let (spec, recipe) = (specs[number], recipes[number])
    let records = (0..<random.below(4)).map { _ in data(spec) }
    program.append("import all \(spec.name) of \(records)")
    let before = events.value
    let report = try? mapper.importList(records, with: recipe, policy: .allOrNothing)
    let plan = try? model.plan(records.map { try model.record(spec, $0) })
    try expect((report == nil) == (plan == nil), "the import was refused: \(report == nil)")
    let done = plan.map { model.carryOut($0.changes) }
    let writes = done?.writes ?? 0
    try compareAll()
    try expect(events.value == before + writes, "\(events.value - before) events, not \(writes)")
    try expect(
      report.map { $0.made + $0.updated > 0 } == done?.hasChanged,
      "the report \(report ?? ImportReport()), though something has changed: \(done?.hasChanged ?? false)"
    )
  }

  private mutating func destroy() throws(Disagreement) {
    guard random.oneIn(2), let thing = model.things.randomElement(using: &random),
      let entity = entities[ObjectIdentifier(thing)]
    else { return }
    program.append("destroy \(entity)")
    model.destroy(thing)
    entities[ObjectIdentifier(thing)] = nil
    entity.destroy()
    try compareAll()
  }

  // MARK: Comparing

  private func expect(_ isRight: Bool, _ what: String) throws(Disagreement) {
    if !isRight { throw Disagreement(what: what) }
  }

  /// Notes which entity is which thing.
  private mutating func pair(
    _ thing: RecipeModel.Thing, _ entity: Entity
  ) throws(Disagreement) {
    let known = entities.updateValue(entity, forKey: ObjectIdentifier(thing)) ?? entity
    try expect(known == entity, "\(entity) is what \(known) should be")
  }

  /// Compares all that can be seen with the model.
  private mutating func compareAll() throws(Disagreement) {
    try expect(
      context.count == model.things.count, "\(context.count) entities, not \(model.things.count)")
    for thing in model.things {
      guard let key = thing.key else { continue }
      let holders = context.group(ModelComponents.Key.matcher).filter {
        ModelComponents.key(of: $0) == key
      }
      try expect(holders.count == 1, "\(holders.count) entities with key \(key)")
      for entity in holders { try pair(thing, entity) }
    }
    // What has no key is known by its place.
    var pending = model.things
    var seen: Set<ObjectIdentifier> = []
    while let thing = pending.popLast() {
      guard let entity = entities[ObjectIdentifier(thing)],
        seen.insert(ObjectIdentifier(thing)).inserted
      else { continue }
      try expect(entity.isAlive, "\(entity) is dead")
      try expect(ModelComponents.key(of: entity) == thing.key, "the key of \(entity)")
      try expect(ModelComponents.listed(of: entity) == thing.listed, "the fields of \(entity)")
      try expect(
        ModelComponents.automatic(of: entity) == thing.automatic, "the properties of \(entity)")
      for slot in Slot.allCases {
        let expected = thing.slots[slot] ?? []
        let targets = ModelComponents.targets(slot, of: entity).filter(\.isAlive)
        try expect(targets.count == expected.count, "the \(slot) of \(entity)")
        for (next, target) in zip(expected, targets) {
          try pair(next, target)
          pending.append(next)
        }
      }
    }
  }

  private func compare(
    _ told: [RecipeDifference]?, _ changes: [RecipeModel.Change]?
  ) throws(Disagreement) {
    try expect((told == nil) == (changes == nil), "a dry run was refused: \(told == nil)")
    guard let told, let changes else { return }
    // Relations are recognized by the descriptions of entities.
    let relations = told.filter { difference in
      [difference.old, difference.new].contains {
        $0?.array?.contains { $0.string != nil } == true
      }
    }
    let lines = told.filter { !relations.contains($0) }.map {
      "\($0.path): \($0.old.map { "\($0)" } ?? "nil") -> \($0.new ?? .null)"
    }
    let expected = model.differences(changes)
    try expect(lines == expected, "the differences \(lines), not \(expected)")
    let links = model.changedLinks(changes)
    try expect(
      relations.count == links, "differences in \(relations.count) relations, not \(links)")
  }

  /// Applying what an entity decomposes to changes nothing.
  private func checkSilence(_ entity: Entity, _ number: Int) throws(Disagreement) {
    let (before, recipe) = (events.value, recipes[number])
    let data: JSONValue
    do throws(RecipeError) {
      data = try mapper.decompose(entity, with: recipe)
    } catch {
      // So does an entity that has no key but is linked where it is to be written as one.
      return try expect(
        error.reason == .gap || error.reason == .missing, "decomposing: \(error)")
    }
    do throws(RecipeError) {
      let differences = try mapper.differences(entity, with: recipe, from: data)
      let outcome = try mapper.update(entity, with: recipe, from: data)
      let isSilent = outcome == .unchanged && events.value == before
      if isSilent { return }
      throw RecipeError(recipe: "", path: .root, reason: .invalid("\(differences)"))
    } catch {
      // An entity that has no key can be linked where one with a key is expected.
      if error.reason == .missing { return }
      throw Disagreement(what: "applying the decomposed \(data): \(error)")
    }
  }
}

@Suite(.longRunning) struct RecipeModelTests {
  @Test func `Mappers agree with the naive interpreter after every step`() throws {
    for seed in Effort.seeds() {
      var run = try RecipeRun(seed: seed)
      defer { run.model.end() }
      for step in 0..<30 {
        do throws(RecipeRun.Disagreement) {
          try run.step()
          if Effort.onlyModelSeed != nil { print(run.program.last ?? "") }
        } catch {
          let program = run.program.joined(separator: "\n")
          Issue.record("seed \(seed), step \(step): \(error.what)\n\(program)")
          break
        }
      }
    }
  }
}
