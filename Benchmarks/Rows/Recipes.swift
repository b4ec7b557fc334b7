import ECS
import ECSRecipes
import Foundation

extension Benchmark {
  /// Turning data into entities and back.
  static var recipes: [Benchmark] {
    [
      row("P0", "parse N objects of 4 fields by JSONSerialization, for comparison") { world in
        let parsed = try? JSONSerialization.jsonObject(with: world.data)
        return Double((parsed as? [Any])?.count ?? 0)
      },
      row("P0.own", "parse N objects of 4 fields into a JSONValue") { world in
        Double((try? JSONValue(data: world.data))?.array?.count ?? 0)
      },
      Benchmark(
        "P1", "apply N parsed objects of 4 fields, new", .nanoseconds(per: "object"),
        ecs: Workload(
          .fresh, setUp: RecipeWorld.init,
          run: { $0.importAll { $0.made } },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "P2", "apply the same again: nothing changes", .nanoseconds(per: "object"),
        ecs: Workload(
          .kept, setUp: RecipeWorld.filled,
          run: { $0.importAll { $0.unchanged } },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "P3", "decompose N entities", .nanoseconds(per: "object"),
        ecs: Workload(
          .kept, setUp: RecipeWorld.filled,
          run: { $0.decomposeAll() },
          check: { world, count in Checksum(count, expected: Double(world.n * 4)) })),
      Benchmark(
        "P4", "import N objects of 4 fields from lines of JSON, new", .nanoseconds(per: "object"),
        ecs: Workload(
          plain: .fresh, setUp: RecipeWorld.init, run: { $0.importLines() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "P4.file", "the same from a file, new; an object is a line of about 68 bytes",
        .nanoseconds(per: "object"),
        ecs: Workload(
          plain: .fresh, setUp: RecipeWorld.withFile, run: { $0.importFile() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
    ]
  }

  private static func row(
    _ id: String, _ title: String, _ run: @escaping (RecipeWorld) -> Double
  ) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: "object"),
      ecs: Workload(
        plain: .kept, setUp: RecipeWorld.init, run: run,
        check: { world, count in Checksum(count, expected: Double(world.n)) }))
  }
}

private struct Person: Component {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
}

/// A context and data for it.
private final class RecipeWorld: ContextWorld {
  let records: [JSONValue]
  let data: Foundation.Data
  private let lines: Foundation.Data
  private let mapper: Mapper
  private let recipe: Recipe
  private var file: URL?

  init(_ n: Int) {
    let context = Context()
    mapper = Mapper(context)
    guard
      let recipe = try? Recipe(
        "person",
        {
          Identity(\Person.id)
          Fields(of: Person()) {
            Field(\.id, at: "id")
            Field(\.name, at: "name")
            Field(\.score, at: "score")
            Field(\.isActive, at: "is_active")
          }
        })
    else { preconditionFailure("The recipe of the benchmark was refused: correct its paths.") }
    self.recipe = recipe
    records = (0..<n).map { number in
      [
        "id": .number(JSONNumber(number)), "name": "person \(number)",
        "score": .number(JSONNumber(Double(number) / 4) ?? 0), "is_active": .bool(number % 2 == 0),
      ]
    }
    data = JSONValue.array(records).data()
    lines = Foundation.Data(records.map { $0.data() + [UInt8(ascii: "\n")] }.joined())
    super.init(n, context)
  }

  static func filled(_ n: Int) -> RecipeWorld {
    let world = RecipeWorld(n)
    _ = world.importAll { $0.made }
    world.entities = Array(world.context.entities())
    return world
  }

  /// A world whose lines are in a file, which goes with it.
  static func withFile(_ n: Int) -> RecipeWorld {
    let world = RecipeWorld(n)
    let file = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID()).jsonl")
    do {
      try world.lines.write(to: file)
    } catch {
      preconditionFailure("The file of the benchmark can't be written: \(error)")
    }
    world.file = file
    return world
  }

  deinit {
    if let file { try? FileManager.default.removeItem(at: file) }
  }

  func importAll(_ count: (ImportReport) -> Int) -> Double {
    Double((try? mapper.importList(records, with: recipe)).map(count) ?? 0)
  }

  func importLines() -> Double {
    var rest = lines[...]
    let report = mapper.importStream(with: recipe) {
      let chunk = rest.prefix(1 << 16)
      rest = rest.dropFirst(1 << 16)
      return Foundation.Data(chunk)
    }
    return Double(report.made)
  }

  func importFile() -> Double {
    guard let file, let report = try? mapper.importFile(file, with: recipe) else { return 0 }
    return Double(report.made)
  }

  func decomposeAll() -> Double {
    var keys = 0
    for entity in entities {
      keys += (try? mapper.decompose(entity, with: recipe))?.object?.count ?? 0
    }
    return Double(keys)
  }
}
