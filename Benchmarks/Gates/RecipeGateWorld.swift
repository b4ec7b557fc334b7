import ECS
import ECSRecipes
import Foundation

private struct Person: Component {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
}

/// A thousand records, and what is done with them.
final class RecipeGateWorld {
  /// What is done with each record.
  enum Operation: String {
    case make
    case update
    case decompose
    case importFile

    /// Records with relations.
    case importRelated
  }

  /// Where the values stand in a record.
  enum Form: String {
    /// At keys, as in most data.
    case keys

    /// One level deeper, as in data of many servers.
    case paths

    /// One level deeper, and records are looked through for unknown keys, which takes a plan.
    case planned
  }

  static let count = 1000

  private let operation: Operation
  private let recipe: Recipe
  private let records: [JSONValue]

  /// The records with other values, under the same keys.
  private let changedRecords: [JSONValue]
  private let file: URL

  /// What is updated and decomposed.
  private let mapper: Mapper
  private var entities: [Entity] = []
  private var isChanged = false
  private let related: RelatedGateWorld?

  init(_ operation: Operation, _ form: Form) throws {
    self.operation = operation
    let base = form == .keys ? "" : "data."
    recipe = try Recipe("person", unknownKeys: form == .planned ? .refuse : .ignore) {
      Identity(\Person.id)
      Fields(of: Person()) {
        Field(\.id, at: base + "id")
        Field(\.name, at: base + "name")
        Field(\.score, at: base + "score")
        Field(\.isActive, at: base + "is_active")
      }
    }
    func records(addingToScore change: Double) -> [JSONValue] {
      (0..<RecipeGateWorld.count).map { number in
        let record: JSONValue = [
          "id": .number(JSONNumber(number)), "name": "person \(number)",
          "score": .number(JSONNumber(Double(number) / 4 + change) ?? 0),
          "is_active": .bool(number % 2 == 0),
        ]
        return form == .keys ? record : ["data": record]
      }
    }
    (self.records, changedRecords) = (records(addingToScore: 0), records(addingToScore: 0.5))
    file = FileManager.default.temporaryDirectory.appending(path: "gates-\(UUID()).jsonl")
    try Data(self.records.map { $0.data() + [UInt8(ascii: "\n")] }.joined()).write(to: file)
    mapper = Mapper(Context())
    related = operation == .importRelated ? try RelatedGateWorld(form) : nil
    if operation == .update || operation == .decompose {
      for record in self.records { entities.append(try mapper.make(recipe, from: record)) }
    }
  }

  deinit { try? FileManager.default.removeItem(at: file) }

  /// Does it once with all records.
  func run() throws {
    switch operation {
    case .make:
      let mapper = Mapper(Context())
      for record in records { try mapper.make(recipe, from: record) }
    case .update:
      isChanged.toggle()
      let records = isChanged ? changedRecords : records
      for (entity, record) in zip(entities, records) {
        let outcome = try mapper.update(entity, with: recipe, from: record)
        precondition(outcome == .updated, "Nothing was updated.")
      }
    case .decompose:
      for entity in entities {
        let data = try mapper.decompose(entity, with: recipe)
        precondition(data.kind == .object, "Nothing was written.")
      }
    case .importFile:
      let report = try Mapper(Context()).importFile(file, with: recipe)
      precondition(report.made == RecipeGateWorld.count, "Records were refused.")
    case .importRelated: try related?.run()
    }
  }
}
