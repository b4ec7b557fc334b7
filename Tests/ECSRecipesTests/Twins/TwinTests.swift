import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Random steps, done to one context in the ways that are quick and to its twin by a plan, come to
/// the same: results, errors, contents, and what observers hear.
@Suite(.longRunning) struct TwinTests {
  private struct Generator {
    var records: RandomRecords
    let recipes: [Recipe]

    mutating func below(_ bound: Int) -> Int { records.random.below(bound) }

    mutating func step(_ knownCount: Int, isInside: Bool = false) -> TwinStep {
      let recipe = below(recipes.count)
      switch below(isInside ? 13 : 15) {
      case 0: return .create(hasSize: below(2) == 0)
      case 1: return .destroy(below(max(1, knownCount)))
      case 2..<5: return .make(recipe, records.record(for: recipes[recipe]))
      case 5..<9:
        // Sometimes one that is not there yet, which is one of another context.
        return .update(below(knownCount + 1), by: recipe, records.record(for: recipes[recipe]))
      case 9..<11:
        // As many as are applied in one section, whatever the time.
        let count = 1 + below(4)
        let list = (0..<count).map { _ in records.record(for: recipes[recipe]) }
        return .importAll(recipe, list, asLines: below(2) == 0)
      case 11..<13:
        let count = 1 + below(4)
        let list = (0..<count).map { _ in records.record(for: recipes[recipe]) }
        return .importTogether(recipe, list)
      default:
        return .iterate((0..<(1 + below(4))).map { _ in step(knownCount, isInside: true) })
      }
    }
  }

  private func compare(_ recipes: [Recipe], seed: UInt64) {
    var generator = Generator(
      records: RandomRecords(random: SplitMix64(seed: seed), mayBeHostile: seed % 2 == 1),
      recipes: recipes)
    let elsewhere = Context()
    let foreigner = elsewhere.createEntity(with: TwinRecipes.Item())
    let quick = Twin(recipes, isPlanned: false, foreigner: foreigner)
    let planned = Twin(recipes, isPlanned: true, foreigner: foreigner)
    var program: [String] = []
    for _ in 0..<30 {
      let step = generator.step(planned.knownCount)
      program.append("\(step)")
      let (found, wanted) = (quick.run(step), planned.run(step))
      let (contents, expected) = (quick.contents(), planned.contents())
      guard found == wanted, contents == expected else {
        Issue.record(
          """
          seed \(seed)
          \(program.joined(separator: "\n"))
          \(found) not \(wanted)
          \(Set(contents).symmetricDifference(expected).sorted().joined(separator: "\n"))
          """)
        return
      }
    }
  }

  private static var seeds: Range<UInt64> { Effort.seeds(2 * Effort.modelSeeds) }

  @Test func `Records without relations give the same result with and without a plan`() throws {
    let recipes = try TwinRecipes.plain()
    for seed in Self.seeds { compare(recipes, seed: seed) }
  }

  @Test func `Each recipe gives the same result with and without a plan`() throws {
    for recipe in try TwinRecipes.plain() + TwinRecipes.related() {
      for seed in Effort.seeds(Effort.modelSeeds / 4) { compare([recipe], seed: seed) }
    }
  }

  @Test func `Records without keys come in the same order with and without a plan`() throws {
    // Data that may be refused for its keys needs a plan.
    let twins = try [Recipe.UnknownKeys.ignore, .refuse].map { unknownKeys in
      let recipe = try Recipe("loose", unknownKeys: unknownKeys) {
        Fields(of: TwinRecipes.Size()) { Field(\.width, at: "width").required() }
        Fields(of: TwinRecipes.Item()) { Field(\.id, at: "id") }
      }
      return Twin([recipe], isPlanned: false, foreigner: Context().createEntity())
    }
    let good: [JSONValue] = [["width": 1, "id": 1], ["width": 2], ["width": 1, "id": 1]]
    for records in [good, good + [["id": 3]], []] {
      let told = twins.map { $0.run(.importTogether(0, records)) }
      expectEqual(told[0], told[1])
      expectEqual(twins[0].contents(), twins[1].contents())
    }
  }

  @Test func `Records with relations give the same result with and without a plan`() throws {
    let recipes = try TwinRecipes.plain() + TwinRecipes.related()
    for seed in Self.seeds { compare(recipes, seed: seed) }
  }
}
