import ECS
import ECSTestSupport
import Testing

private struct Named: Component { var name: String }

/// Keys that are put into a primary index together.
@Suite(.noHangs) struct KeysTogetherTests {
  private let context = Context()
  private let names: PrimaryIndex<Named, String>

  init() { names = context.primaryIndex { (named: Named) in named.name } }

  private func create(_ keys: [String]) -> NewEntities? {
    names.createEntities(keys.count, in: [NewTable([Named.cid], 0..<keys.count)], keys: keys) {
      _, columns in
      columns.initialize(Named.self) { for key in keys { $0.append(Named(name: key)) } }
    }
  }

  @Test func `new keys find their entities`() throws {
    let keys = (0..<1000).map { "name \($0)" }
    let entities = try #require(create(keys))
    expectTrue(keys.indices.allSatisfy { names[keys[$0]] == entities[$0] })
    expectTrue(keys.indices.allSatisfy { names.key(of: entities[$0]) == keys[$0] })
    expectEqual(names.count, 1000)
    for entity in entities { entity.destroy() }
    expectTrue(names.count == 0 && names["name 7"] == nil)
  }

  @Test func `keys of which one is there, or comes twice, change nothing`() {
    let holder = names.getOrCreate(Named(name: "b"))
    let many = (0..<200).map { "name \($0)" }
    for keys in [["a", "b"], ["b"], ["a", "c", "a"], many + ["b"], many + ["name 3"]] {
      expectNil(create(keys))
      expectTrue(names.count == 1 && names["b"] == holder && names["a"] == nil)
      expectEqual(context.entities().count, 1)
    }
    expectEqual(create(["a", "c"])?.count, 2)
    expectEqual(names.count, 3)
  }

  @Test func `buckets of keys that are gone are used again`() throws {
    for round in 0..<20 {
      let keys = (0..<100).map { "name \(round) \($0)" }
      let entities = try #require(create(keys))
      expectEqual(names["name \(round) 7"], entities[7])
      for entity in entities.dropFirst(round) { entity.destroy() }
    }
    expectEqual(names.count, (0..<20).reduce(0, +))
  }

  @Test func `a transaction and a paused index do not take keys together`() throws {
    context.transaction { expectNil(create(["a"])) }
    names.pause()
    expectNil(create(["a"]))
    try names.resume()
    expectEqual(create(["a"])?.count, 1)
  }

  @Test func `a missing key stops and names the remedy`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let names = context.primaryIndex { (named: Named) in named.name }
      let tables = [NewTable([Named.cid], 0..<2)]
      _ = names.createEntities(2, in: tables, keys: ["a"]) { _, columns in
        columns.initialize(Named.self) { $0.append(repeating: Named(name: "a"), count: 2) }
      }
    }
    expectTrue(stopped(result, saying: "1 keys were given for 2 new entities", "give one for each"))
  }
}
