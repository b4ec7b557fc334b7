import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Synchronization
import Testing

/// Migrations get the same from the binary form and from text.
@Suite struct TextMigrationTests {
  private struct Item: Component {
    var name = ""
    var owner: Entity?
    var parts: [Entity] = []
    var others: [Entity]?
    var size: Float = 0
    var weight = 0.0
    var count = UInt64(0)
    var time = Date(timeIntervalSinceReferenceDate: 0)
    var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var data = Data()
    var flags: [Bool] = []
  }

  private struct Holder: Component, Equatable { var held: [Entity] = [] }

  private func oldSchema() throws -> Schema {
    try Schema("s") {
      Stored(of: Item(), as: "item") {
        Field(\.name, at: "name")
        Field(\.owner, at: "owner")
        Field(\.parts, at: "parts")
        Field(\.others, at: "others")
        Field(\.size, at: "size")
        Field(\.weight, at: "weight")
        Field(\.count, at: "count")
        Field(\.time, at: "time", as: .iso8601)
        Field(\.id, at: "id")
        Field(\.data, at: "data", as: .base64)
        Field(\.flags, at: "flags")
      }
      .identified(by: \.name)
    }
  }

  private func context() -> Context {
    let context = Context()
    var random = SplitMix64(seed: 1)
    var last: [Entity] = []
    for number in 0..<300 {
      let size = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      let weight = Double(bitPattern: random.next())
      let item = Item(
        name: "item \(number)", owner: number % 3 == 0 ? nil : last.last,
        parts: number % 5 == 0 ? [] : Array(last.suffix(3)),
        others: number % 2 == 0 ? nil : last.suffix(1),
        // Integers beyond those of the type are where the shortest number is another one.
        size: number % 2 == 0 ? size : Float(1 << 24) * Float(number * number),
        weight: number % 4 == 0 ? weight : 0x1p53 * Double(number), count: random.next(),
        time: Date(timeIntervalSinceReferenceDate: weight), data: Data([UInt8(number % 256)]),
        flags: [true, false])
      last.append(context.createEntity(with: item))
    }
    // References to entities that are no more.
    for number in stride(from: 7, to: 300, by: 50) { last[number].destroy() }
    return context
  }

  /// The entities that each entity holds, by their places.
  private func held(_ context: Context) -> [[Int?]] {
    let all = Array(context.entities())
    return all.map { ($0.get(Holder.self)?.held ?? []).map { all.firstIndex(of: $0) } }
  }

  @Test func `migrations see the same in both forms`() throws {
    let (old, context) = (try oldSchema(), context())
    let seen = Mutex<[[String: JSONValue]]>([])
    let next = try Schema("s") {
      Stored(of: Holder(), as: "item", version: 2) { Field(\.held, at: "held") }
        .migrating(from: 1) { old in
          var fields: [String: JSONValue] = [:]
          for name in old.names { fields[name] = old[name] }
          seen.withLock { [fields] in $0.append(fields) }
          old["held"] = old["parts"]
        }
    }
    let snapshot = try context.snapshot(old)
    let (first, second) = (Context(), Context())
    try Snapshot(snapshot.data).restore(into: first, next)
    let binary = seen.withLock { seen in
      defer { seen = [] }
      return seen
    }
    try Snapshot(json: try snapshot.json(old), next).restore(into: second, next)
    let text = seen.withLock(\.self)
    expectTrue(binary.count == context.count && text.count == context.count)
    // The orders of rows are not part of text.
    func sorted(_ all: [[String: JSONValue]]) -> [[String: JSONValue]] {
      all.sorted { ($0["name"]?.string ?? "") < ($1["name"]?.string ?? "") }
    }
    for (binary, text) in zip(sorted(binary), sorted(text)) {
      expectEqual(binary, text)
      // As code that works with their digits sees them.
      expectEqual(binary.mapValues { $0.json() }, text.mapValues { $0.json() })
    }
    expectTrue(binary.contains { $0["owner"] == .number(JSONNumber(0)) })
    expectEqual(held(first), held(second))
    expectTrue(held(second).contains { $0.count == 3 })
  }

  @Test func `names that the first line does not list are numbers if the present schema says so`()
    throws
  {
    let next = try Schema("s") {
      Stored(of: Holder(), as: "holder", version: 2) { Field(\.held, at: "held") }
        .migrating(from: 1) { old in
          // A name that was not known to be one is found all the same.
          if old["held"] == nil { old["held"] = old["one"].map { .array([$0]) } }
        }
    }
    let json = """
      {"snapshot":"s","format":1}
      {"@":"a","holder":{"held":["c","a",null]}}
      {"@":"b","holder":{"one":"c"}}
      {"@":"c"}
      """
    let context = Context()
    try Snapshot(json: Data(json.utf8), next).restore(into: context, next)
    let all = context.entities()
    expectEqual(all[0].get(Holder.self)?.held, [all[2], all[0]])
    expectEqual(all[1].get(Holder.self)?.held, [all[2]])
    #expect(
      throws: SnapshotError(
        .invalid("\"d\" is no entity of the snapshot"), name: "holder.held", offset: 3)
    ) {
      try Snapshot(
        json: Data(json.replacingOccurrences(of: "\"one\":\"c\"", with: "\"one\":\"d\"").utf8), next
      )
    }
  }
}
