import ECS
import ECSTestSupport
import Testing

private enum LineOf: ToOneRelation {}
private enum OrderedBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }
private enum TaggedWith: Relation {}

private struct Line: Component { var cents: Int }
private struct Part: Component {}
private struct Hidden: Component {}
private struct Stop: Error {}

/// Random programs over totals by targets of all kinds, beside loops over all entities.
private struct TargetTotalsRun {
  let context = Context()
  let visible: Group
  let turnover: Aggregate<Entity, Int>
  let sums: Aggregate<Entity, Int>
  let tags: Aggregate<Entity, Int>
  let extremes: Aggregate<Entity, ClosedRange<Int>>
  let averages: Aggregate<Entity, Double>
  let highest: Aggregate<Entity, Int>

  /// Those that began while the program ran, perhaps in a transaction.
  var late: [Aggregate<Entity, Int>] = []

  let best: LiveView
  let observed: LiveView
  let told = Recorder<LiveViewDifference>()
  let subscription: Subscription
  var mirror: [Entity] = []

  var random: SplitMix64
  var entities: [Entity] = []
  var program: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    visible = context.group(Matcher(all: [Line.cid], none: [Hidden.cid]))
    turnover = context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
    sums = context.sum(of: \Line.cents, byTarget: LineOf.self, in: visible)
    tags = context.count(of: Line.self, byTarget: TaggedWith.self, where: { $0.cents > 2 })
    extremes = context.extremes(of: \Line.cents, byTarget: TaggedWith.self)
    averages = context.average(
      of: { (line: Line) in Double(line.cents) }, byTarget: LineOf.self, LineOf.self)
    highest = context.aggregate(
      of: { (line: Line) in line.cents == 3 ? nil : line.cents },
      byTarget: TaggedWith.self, OrderedBy.self, LineOf.self, in: visible, combining: max)
    let all = context.group(Part.matcher)
    best = all.sorted(by: turnover, .descending).then(by: sums).limited(to: 3).start()
    observed = all.filtered(by: sums) { ($0 ?? 0) < 9 }.sorted(by: tags)
    subscription = observed.observe(initial: false) { [told] in told.append($0.difference) }
  }

  // MARK: Programs

  mutating func section() {
    let steps = random.oneIn(3) ? 1 + random.below(10) : 1
    program.append("section of \(steps)")
    if late.count > 3 { late.removeFirst(random.below(4)) }
    let before = entities
    switch random.below(8) {
    case 0:
      program.append("taken back")
      try? context.transaction {
        for _ in 0..<steps { step() }
        throw Stop()
      }
      entities = before
    case 1:
      program.append("transaction")
      context.transaction {
        for _ in 0..<steps { step() }
        let between = entities
        try? context.transaction {
          for _ in 0..<steps { step() }
          throw Stop()
        }
        entities = between
        for _ in 0..<steps { step() }
      }
    default: context.perform { for _ in 0..<steps { step() } }
    }
    entities.removeAll { !$0.isAlive }
  }

  private mutating func step() {
    if entities.count < 10 || random.oneIn(12) {
      let entity = context.createEntity(with: Part())
      if random.oneIn(2) { entity.set(Line(cents: random.below(6))) }
      return entities.append(entity)
    }
    let one = entities[random.below(entities.count)]
    let other = entities[random.below(entities.count)]
    let choice = random.below(22)
    program.append("\(choice) \(one) \(other)")
    switch choice {
    case 0..<3: one.relate(LineOf.self, to: other)
    case 3..<5: one.relate(OrderedBy.self, to: other)
    case 5..<8: one.relate(TaggedWith.self, to: other)
    case 8: one.unrelate(LineOf.self)
    case 9: other.sources(OrderedBy.self).remove(one)
    case 10: one.unrelate(TaggedWith.self, from: other)
    case 11: one.set(Hidden())
    case 12: one.remove(Hidden.self)
    case 13: one.remove(Line.self)
    case 14:
      if random.oneIn(2) { one.destroy() }
      // What was ordered by it has gone with it.
      entities.removeAll { !$0.isAlive }
    case 15: one.update(Line.self) { $0.cents += 1 }
    case 16: mutateMany(one, other)
    case 17:
      if random.oneIn(3) {
        late.append(context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self))
      }
    case 18:
      if let target = one.targets(TaggedWith.self).first {
        target.targets(TaggedWith.self).removeAll()
      }
    default: one.set(Line(cents: random.below(6)))
    }
  }

  private mutating func mutateMany(_ one: Entity, _ other: Entity) {
    let more = random.below(3)
    visible.withEach { (entity, line: inout Line) in
      line.cents = (line.cents + more) % 6
      if entity == one { entity.relate(LineOf.self, to: other) }
    }
  }

  // MARK: Comparison

  /// What differs, if anything.
  mutating func difference() -> String? {
    let all = Array(context.entities())
    let lines = all.filter { $0.has(Line.cid) }
    let shown = lines.filter { !$0.has(Hidden.cid) }
    func customers(_ line: Entity) -> [Entity] {
      line.target(LineOf.self)?.target(OrderedBy.self).map { [$0] } ?? []
    }
    func orders(_ line: Entity) -> [Entity] { line.target(LineOf.self).map { [$0] } ?? [] }
    func cents(_ entity: Entity) -> Int? { entity.get(Line.self)?.cents }
    func sum(_ values: [Int]) -> Int? { values.isEmpty ? nil : values.reduce(0, +) }
    for (number, aggregate) in ([turnover] + late).enumerated() {
      guard agrees(aggregate, lines, cents, customers, sum) else { return "turnover \(number)" }
    }
    guard agrees(sums, shown, cents, orders, sum) else { return "sums" }
    guard
      agrees(
        tags, lines.filter { cents($0) ?? 0 > 2 }, cents, { Array($0.targets(TaggedWith.self)) },
        { $0.isEmpty ? nil : $0.count })
    else { return "tags" }
    guard
      agrees(
        extremes, lines, cents, { Array($0.targets(TaggedWith.self)) },
        { values in values.min().map { $0...(values.max() ?? 0) } })
    else { return "extremes" }
    guard
      agrees(
        averages, lines, cents,
        { $0.target(LineOf.self)?.target(LineOf.self).map { [$0] } ?? [] },
        { $0.isEmpty ? nil : Double($0.reduce(0, +)) / Double($0.count) })
    else { return "averages" }
    guard
      agrees(
        highest, shown, { cents($0) == 3 ? nil : cents($0) },
        {
          $0.targets(TaggedWith.self).compactMap { $0.target(OrderedBy.self)?.target(LineOf.self) }
        }, { $0.max() })
    else { return "highest" }
    return viewDifference(all)
  }

  /// Whether an aggregate is what a loop over the entities gives.
  private func agrees<Value: Equatable>(
    _ aggregate: Aggregate<Entity, Value>, _ sources: [Entity], _ value: (Entity) -> Int?,
    _ targets: (Entity) -> [Entity], _ combine: ([Int]) -> Value?
  ) -> Bool {
    var values: [Entity: [Int]] = [:]
    for source in sources {
      guard let value = value(source) else { continue }
      for target in targets(source) { values[target, default: []].append(value) }
    }
    let all = values.values.flatMap(\.self)
    return aggregate.keyCount == values.count && aggregate.count == all.count
      && aggregate.total == combine(all)
      && values.allSatisfy { key, values in
        aggregate[key] == combine(values) && aggregate.count(for: key) == values.count
      }
  }

  private mutating func viewDifference(_ all: [Entity]) -> String? {
    let kinds = all.filter { $0.has(Part.cid) }
      .sorted { ($0.creationNumber ?? 0) < ($1.creationNumber ?? 0) }
    func isBefore(_ one: Int?, _ other: Int?, descending: Bool = false) -> Bool? {
      if one == other { return nil }
      guard let one, let other else { return one != nil }
      return (one < other) != descending
    }
    let ranked = kinds.enumerated().sorted { one, other in
      isBefore(turnover[one.element], turnover[other.element], descending: true)
        ?? isBefore(sums[one.element], sums[other.element]) ?? (one.offset < other.offset)
    }
    if Array(best) != ranked.prefix(3).map(\.element) { return "best" }
    let low = kinds.filter { (sums[$0] ?? 0) < 9 }.enumerated().sorted { one, other in
      isBefore(tags[one.element], tags[other.element]) ?? (one.offset < other.offset)
    }
    if Array(observed) != low.map(\.element) { return "observed" }
    let changes = told.take()
    for change in changes where !change.apply(to: &mirror) { return "a difference" }
    return mirror == low.map(\.element) && changes.count <= 1 ? nil : "mirror"
  }
}

@Suite(.longRunning) struct TargetTotalsModelTests {
  @Test(arguments: Effort.seeds(min(60, 2 * Effort.modelSeeds)))
  func `Totals by targets are what looking at each entity gives`(seed: UInt64) {
    var run = TargetTotalsRun(seed: seed)
    for _ in 0..<Effort.steps(250) {
      run.section()
      if let difference = run.difference() {
        Issue.record("seed \(seed): \(difference): \(run.program.suffix(24))")
        return
      }
    }
  }
}
