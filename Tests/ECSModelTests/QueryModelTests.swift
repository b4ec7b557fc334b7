import ECS
import ECSTestSupport
import Testing

private struct A: Component {}
private struct B: Component {}
private struct C: Component {}

/// What all entities have that are tried in all combinations.
private struct Known: Component {}
private enum Likes: Relation {}
private enum Owns: ToOneRelation {}

/// A condition of a random query, with what a naive search needs of it.
private enum Wanted {
  case matches(Int, Matcher)
  case links(Int, isOwning: Bool, to: Int)
  case linksTo(Int, Entity)
  case linkedFrom(Int, Entity)
  case below(Int, Int)
  case belowEntity(Int, Entity)

  func condition(_ variables: [QueryVariable]) -> QueryCondition {
    switch self {
    case .matches(let variable, let matcher): variables[variable].matches(matcher)
    case .links(let source, isOwning: true, let target):
      variables[source].relates(Owns.self, to: variables[target])
    case .links(let source, isOwning: false, let target):
      variables[source].relates(Likes.self, to: variables[target])
    case .linksTo(let source, let target): variables[source].relates(Likes.self, to: target)
    case .linkedFrom(let target, let source):
      variables[target].isTarget(of: Likes.self, from: source)
    case .below(let low, let high): variables[low].isBelow(variables[high])
    case .belowEntity(let low, let high): variables[low].isBelow(high)
    }
  }

  /// The variables that it is about.
  var variables: [Int] {
    switch self {
    case .matches(let variable, _), .linksTo(let variable, _), .linkedFrom(let variable, _),
      .belowEntity(let variable, _):
      [variable]
    case .links(let one, _, let other), .below(let one, let other): [one, other]
    }
  }

  func holds(for row: [Entity]) -> Bool {
    switch self {
    case .matches(let variable, let matcher): matcher.matches(row[variable])
    case .links(let source, isOwning: true, let target):
      row[source].target(Owns.self) == row[target]
    case .links(let source, isOwning: false, let target):
      row[source].targets(Likes.self).entities().contains(row[target])
    case .linksTo(let source, let target):
      row[source].targets(Likes.self).entities().contains(target)
    case .linkedFrom(let target, let source):
      source.targets(Likes.self).entities().contains(row[target])
    case .below(let low, let high): row[low].ancestors().contains(row[high])
    case .belowEntity(let low, let high): row[low].ancestors().contains(high)
    }
  }
}

/// Random queries beside a search through all combinations of entities.
@Suite(.longRunning, .noHangs) struct QueryModelTests {
  @Test(arguments: Effort.seeds()) func `rows are all combinations that meet the conditions`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let context = Context()
    var entities = (0..<10).map { _ in context.createEntity(with: Known()) }
    // Some lists are longer than those that are searched without a dictionary.
    let hub = context.createEntity(with: C(), Known())
    for _ in 0..<(random.oneIn(2) ? 40 : 0) {
      context.createEntity().relate(Likes.self, to: hub)
      hub.relate(Likes.self, to: context.createEntity())
    }
    entities.append(hub)
    for _ in 0..<60 {
      change(&entities, context, &random)
      let count = 2 + random.below(3)
      var wanted = (0..<1 + random.below(5)).map { _ in condition(count, entities, &random) }
      // Of two variables, all entities are tried; of more, these would be too many.
      if count > 2 { wanted += (0..<count).map { .matches($0, Known.matcher) } }
      let found =
        random.oneIn(2)
        ? context.reading { rows(wanted, count, context) } : rows(wanted, count, context)
      let expected = naiveRows(wanted, count, count > 2 ? entities : Array(context.entities()))
      guard Set(found) == expected, found.count == expected.count else {
        Issue.record(
          "seed \(seed): \(wanted) gives \(found.count) rows, expected \(expected.count)")
        return
      }
    }
  }

  private func change(_ entities: inout [Entity], _ context: Context, _ random: inout SplitMix64) {
    let (one, other) = (random.below(entities.count), random.below(entities.count))
    let entity = entities[one]
    switch random.below(12) {
    case 0 where one != entities.count - 1:
      entity.destroy()
      entities[one] = context.createEntity(with: Known())
    case 1: entity.set(A())
    case 2: entity.set(B())
    case 3: entity.set(C())
    case 4: entity.remove(A.self)
    case 5, 6: entity.relate(Likes.self, to: entities[other])
    case 7: entity.relate(Owns.self, to: entities[other])
    case 8: entity.unrelate(Likes.self, from: entities[other])
    case 9: entity.unrelate(Owns.self)
    default:
      let parent = entities[other]
      if parent != entity, !parent.ancestors().contains(entity) {
        entity.relate(ChildOf.self, to: parent)
      }
    }
  }

  private func condition(
    _ count: Int, _ entities: [Entity], _ random: inout SplitMix64
  ) -> Wanted {
    let (one, other) = (random.below(count), random.below(count))
    let entity = entities[random.below(entities.count)]
    let matchers = [
      Matcher(all: [A.cid]), Matcher(any: [A.cid, B.cid]), Matcher(all: [B.cid], none: [A.cid]),
      C.matcher,
    ]
    switch random.below(8) {
    case 0, 1: return .matches(one, matchers[random.below(matchers.count)])
    case 2, 3: return .links(one, isOwning: random.oneIn(2), to: other)
    case 4: return .linksTo(one, entity)
    case 5: return .linkedFrom(one, entity)
    case 6: return .below(one, other)
    default: return .belowEntity(one, entity)
    }
  }

  private func rows(_ wanted: [Wanted], _ count: Int, _ context: Context) -> [[Entity]] {
    func conditions(_ variables: QueryVariable...) -> [QueryCondition] {
      wanted.map { $0.condition(variables) }
    }
    switch count {
    case 2:
      return context.rows { a, b in for condition in conditions(a, b) { condition } }
        .map { [$0.0, $0.1] }
    case 3:
      return context.rows { a, b, c in for condition in conditions(a, b, c) { condition } }
        .map { [$0.0, $0.1, $0.2] }
    default:
      return context.rows { a, b, c, d in for condition in conditions(a, b, c, d) { condition } }
        .map { [$0.0, $0.1, $0.2, $0.3] }
    }
  }

  private func naiveRows(_ wanted: [Wanted], _ count: Int, _ entities: [Entity]) -> Set<[Entity]> {
    var rows: [[Entity]] = [[]]
    for variable in 0..<count {
      let decided = wanted.filter { $0.variables.max() == variable }
      rows = rows.flatMap { row in entities.map { row + [$0] } }
        .filter { row in decided.allSatisfy { $0.holds(for: row) } }
    }
    return Set(rows)
  }
}
