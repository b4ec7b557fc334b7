import ECS
import ECSTestSupport
import Testing

private struct Item: Component {
  var owner: Int
  var hours: Int
  var weight: Double
}
private struct Archived: Component {}
private struct Other: Component {}
private struct Failure: Error {}

/// Aggregates of all kinds, and the same by looking at each entity.
private struct AggregateRun {
  let context = Context()
  let group: Group
  let counts: Aggregate<Int, Int>
  let hours: Aggregate<Int, Int>
  let weights: Aggregate<Int, Double>
  let averages: Aggregate<Int, Double>
  let extremes: Aggregate<Int, ClosedRange<Double>>
  let bits: Aggregate<Int, Int>
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    group = context.group(Matcher(all: [Item.cid], none: [Archived.cid]))
    counts = context.count(by: \Item.owner)
    hours = context.sum(of: \Item.hours, by: \Item.owner)
    weights = context.sum(of: \Item.weight, by: \Item.owner, in: group)
    averages = context.average(of: \Item.weight, by: \Item.owner)
    extremes = context.extremes(of: \Item.weight, by: \Item.owner, in: group)
    bits = context.aggregate(
      of: { (item: Item) in item.hours == 3 ? nil : item.hours & 15 }, by: \Item.owner, in: group,
      combining: { $0 | $1 })
  }

  private mutating func item() -> Item {
    let weights = [
      0, 1, -1, 0.1, -0.1, 0.3, 1e16, -1e16, 1e300, -1e300, 1e-300, Double.leastNonzeroMagnitude,
      -Double.leastNonzeroMagnitude,
      .greatestFiniteMagnitude, .pi, -.leastNormalMagnitude / 3,
    ]
    var weight = weights[random.below(weights.count)]
    if random.oneIn(4) { weight = Double(Int64(truncatingIfNeeded: random.next())) / 1024 }
    if random.oneIn(60) { weight = [.infinity, -.infinity, .nan][random.below(3)] }
    let hours = random.oneIn(8) ? [Int.max, Int.min][random.below(2)] : random.below(30)
    return Item(owner: random.below(5), hours: hours, weight: weight)
  }

  mutating func step() {
    let entity = context.entities().randomElement(using: &random)
    switch random.below(24) {
    case 0..<6: context.createEntity(with: item())
    case 6: entity?.destroy()
    case 7..<11: entity?.set(item())
    case 11: entity?.remove(Item.self)
    case 12: entity?.set(Archived())
    case 13: entity?.remove(Archived.self)
    case 14: entity?.update(Item.self) { $0.hours /= 2 }
    case 15: entity?.set(Other())
    case 16:
      let made = (0..<random.below(40)).map { _ in item() }
      context.createEntities(from: made) { $0 }
    case 17: if random.oneIn(4) { group.set(Archived()) }
    case 18: if random.oneIn(4) { context.group(Archived.matcher).remove(Archived.self) }
    case 19:
      if random.oneIn(6) { group.destroyAll() } else { context.group(Other.matcher).destroyAll() }
    case 20:
      let target = entity
      let new = item()
      group.withEach { (entity, item: inout Item) in
        if entity == target { entity.set(Archived()) } else { item.owner = new.owner }
      }
    case 21: if random.oneIn(3) { group.set(item()) }
    default:
      let fails = random.oneIn(2)
      do throws(Failure) {
        try context.transaction { () throws(Failure) in
          for _ in 0..<random.below(8) { step() }
          if fails { throw Failure() }
        }
      } catch {}
    }
  }

  /// What differs, if anything.
  func difference() -> String? {
    let all = context.group(Item.matcher).compactMap { $0.get(Item.self) }
    let shown = group.compactMap { $0.get(Item.self) }
    for owner in [nil, 0, 1, 2, 3, 4, 5] {
      let mine = all.filter { owner == nil || $0.owner == owner }
      let seen = shown.filter { owner == nil || $0.owner == owner }
      func found<Value>(_ aggregate: Aggregate<Int, Value>) -> Value? {
        owner.map { aggregate[$0] } ?? aggregate.total
      }
      if found(counts) != (mine.isEmpty ? nil : mine.count) { return "count \(owner as Any)" }
      if found(hours) != AggregateRun.sum(mine.map(\.hours)) { return "sum \(owner as Any)" }
      let sum = AggregateRun.sum(seen.map(\.weight))
      if !AggregateRun.areSame(found(weights), sum) {
        return "weights \(owner as Any): \(found(weights) as Any), not \(sum as Any)"
      }
      let average = AggregateRun.sum(mine.map(\.weight)).map { $0 / Double(mine.count) }
      if !AggregateRun.areSame(found(averages), average) { return "average \(owner as Any)" }
      let ordered = seen.map(\.weight).filter { !$0.isNaN }
      if found(extremes)?.lowerBound != ordered.min() { return "lowest \(owner as Any)" }
      if found(extremes)?.upperBound != ordered.max() { return "highest \(owner as Any)" }
      let set = seen.map(\.hours).filter { $0 != 3 }.map { $0 & 15 }
      if found(bits) != (set.isEmpty ? nil : set.reduce(0, |)) { return "bits \(owner as Any)" }
      if let owner, weights.count(for: owner) != seen.count { return "number of \(owner)" }
    }
    if counts.sorted().map(\.key) != Set(all.map(\.owner)).sorted() { return "keys" }
    return counts.count == all.count && weights.count == shown.count ? nil : "number"
  }

  private static func areSame(_ one: Double?, _ other: Double?) -> Bool {
    one == other || one?.isNaN == true && other?.isNaN == true
  }

  private static func sum(_ values: [Int]) -> Int? {
    if values.isEmpty { return nil }
    // Halves cannot overflow.
    let (highs, lows) = (values.map { $0 >> 32 }, values.map { $0 & 0xFFFF_FFFF })
    let low = lows.reduce(0, +)
    let high = highs.reduce(0, +) + low >> 32
    if high > Int(Int32.max) { return .max }
    return high < Int(Int32.min) ? .min : high << 32 | low & 0xFFFF_FFFF
  }

  /// The exact sum, rounded once, by digits of a number as it would be written by hand.
  private static func sum(_ values: [Double]) -> Double? {
    if values.isEmpty { return nil }
    // Finite ones make no difference then.
    if values.contains(where: { !$0.isFinite }) {
      return values.filter { !$0.isFinite }.reduce(0, +)
    }
    // Bits from 2^-1074 on, one each, with carries worked off at the end.
    var bits = [Int](repeating: 0, count: 2200)
    for value in values where value != 0 {
      let lowest = value.magnitude.exponentBitPattern == 0 ? 0 : Int(value.exponentBitPattern) - 1
      let digits = value.significandBitPattern | (value.exponentBitPattern == 0 ? 0 : 1 << 52)
      for bit in 0..<53 where digits >> UInt64(bit) & 1 == 1 {
        bits[lowest + bit] += value < 0 ? -1 : 1
      }
    }
    let isNegative = isBelowZero(bits)
    if isNegative { bits = bits.map { -$0 } }
    carry(&bits)
    guard let top = bits.lastIndex(of: 1) else { return 0 }
    let lowest = max(0, top - 52)
    var significand = (lowest...top).reversed().reduce(UInt64(0)) { $0 << 1 | UInt64(bits[$1]) }
    if lowest > 0, bits[lowest - 1] == 1 {
      let isAbove = bits[..<(lowest - 1)].contains(1)
      if isAbove || significand & 1 == 1 { significand += 1 }
    }
    let magnitude = Double(sign: .plus, exponent: lowest - 1074, significand: Double(significand))
    return isNegative ? -magnitude : magnitude
  }

  private static func isBelowZero(_ bits: [Int]) -> Bool {
    var bits = bits
    carry(&bits)
    return (bits.last ?? 0) < 0
  }

  private static func carry(_ bits: inout [Int]) {
    for bit in 0..<bits.count - 1 {
      bits[bit + 1] += bits[bit] >> 1
      bits[bit] &= 1
    }
  }
}

@Suite(.longRunning) struct AggregateModelTests {
  @Test(arguments: Effort.seeds(Effort.modelSeeds / 4))
  func `Aggregates are what looking at each entity gives`(seed: UInt64) {
    var run = AggregateRun(seed: seed)
    for number in 0..<120 {
      let steps = run.random.oneIn(3) ? 4 : 1
      run.context.perform { for _ in 0..<steps { run.step() } }
      if let difference = run.difference() {
        Issue.record("seed \(seed), section \(number): \(difference)")
        return
      }
    }
  }
}
