import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

private struct Reading: Component, Hashable {
  var id = 0
  var value = 0.0
  var note: String?
  var small: Int8 = 0
}

private struct Label: Component, Hashable {
  var id = 0
  private var kept = ""

  var text: String {
    get { kept }
    set { kept = newValue.lowercased() }
  }
}

/// Records that are as their entities are written, and others that only look so.
@Suite(.noHangs, .ownThread) struct ExactRecordTests {
  private func recipe() throws -> Recipe {
    try Recipe("reading") {
      Identity(\Reading.id)
      Fields(of: Reading()) {
        Field(\.id, at: "id")
        Field(\.value, at: "value")
        Field(\.note, at: "note")
        Field(\.small, at: "small")
      }
    }
  }

  /// Random records: what is said to be written as they are is.
  @Test func `What is taken for written is what is written`() throws {
    let (recipe, context) = (try recipe(), Context())
    let mapper = Mapper(context)
    var random = SystemRandomNumberGenerator()
    let values = [
      "0.1", "1e-7", "12345678.9012345678", "0.30000000000000004", "9007199254740993",
      "123456789012345.6", "1e300", "-0.5", "7", "999999999999999e-15", "18446744073709551615",
    ]
    var exact = 0
    for number in 0..<2000 {
      var texts = [#""id":\#(number)"#]
      texts.append(#""value":\#(values.randomElement(using: &random) ?? "0")"#)
      texts.append(#""note":\#(Bool.random(using: &random) ? "null" : #""n""#)"#)
      texts.append(#""small":\#(Int.random(in: -128...127, using: &random))"#)
      if Int.random(in: 0..<4, using: &random) == 0 { texts.removeLast() }
      if Int.random(in: 0..<4, using: &random) == 0 { texts.append(#""more":1"#) }
      texts.shuffle(using: &random)
      let record = try JSONValue(json: "{\(texts.joined(separator: ","))}")
      let entity = try mapper.make(recipe, from: record)
      guard recipe.isWritten(as: record) else { continue }
      exact += 1
      try expectEqual(mapper.decompose(entity, with: recipe), record, "\(record)")
    }
    expectGreaterThan(exact, 100)
    let plain = try JSONValue(json: #"{"id":1,"value":0.25,"note":null,"small":3}"#)
    expectTrue(recipe.isWritten(as: plain))
  }

  @Test func `A field that makes something else of a value is not taken for written`()
    async throws
  {
    let recipe = try Recipe("label") {
      Identity(\Label.id)
      Fields(of: Label()) {
        Field(\.id, at: "id")
        Field(\.text, at: "text")
      }
    }
    let stub = StubTransport { _ in .json(#"[{"id":1,"text":"LOUD"}]"#) }
    let remote = Remote(Context(), transport: stub)
    let labels = Resource(recipe, update: .patching) { baseURL }
    let label = try #require(try await remote.list(labels).first)
    expectFalse(recipe.isWritten(as: ["id": 1, "text": "LOUD"]))
    // Nothing was edited.
    try await remote.save(label, as: labels)
    expectEqual(stub.requests.count, 1)
  }

  /// Random edits: an entity that is said to be written as before is.
  @Test func `What is taken for unedited is written as before`() throws {
    let (recipe, context) = (try recipe(), Context())
    let mapper = Mapper(context)
    var random = SplitMix64(seed: 5)
    let entity = context.createEntity(with: Reading())
    var same = 0
    for _ in 0..<2000 {
      let before = try mapper.decompose(entity, with: recipe)
      expectTrue(mapper.isWritten(entity, with: recipe, as: before))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: entity.update(Reading.self) { $0.value = Bool.random(using: &random) ? 0.5 : 1 }
      case 1: entity.update(Reading.self) { $0.note = Bool.random(using: &random) ? nil : "n" }
      case 2: entity.update(Reading.self) { $0.small = Int8.random(in: 0..<2, using: &random) }
      case 3: entity.remove(Reading.self)
      case 4: entity.set(Reading(id: Int.random(in: 0..<2, using: &random)))
      default: break
      }
      let after = try mapper.decompose(entity, with: recipe)
      expectEqual(mapper.isWritten(entity, with: recipe, as: before), (before == after))
      if before == after { same += 1 }
      if !entity.has(Reading.self) { entity.set(Reading()) }
    }
    expectTrue(same > 100 && same < 1900)
    entity.destroy()
    expectFalse(mapper.isWritten(entity, with: recipe, as: [:]))
  }

  @Test func `An answer that says nothing new changes nothing but what is known`() async throws {
    let recipe = try recipe()
    let record = #"{"small":3,"value":2.50,"id":1,"note":null}"#
    let stub = StubTransport { _ in .json(record) }
    let context = Context()
    let remote = Remote(context, transport: stub)
    let readings = Resource(recipe) { baseURL }
    let entity = context.createEntity(with: Reading(id: 1, value: 2.5, note: nil, small: 3))
    let changes = Tally()
    let token = context.group(Reading.matcher).observe(initial: false) { _ in changes.add() }
    try await expectEqual(remote.fetch(entity, as: readings), .unchanged)
    expectEqual(changes.value, 0)
    expectTrue(entity.has(RemoteState.Fetched.self))
    expectEqual(
      entity.get(ServerCopy.self)?.copies["reading"]?["data"], (try JSONValue(json: record)))
    entity.update(Reading.self) { $0.small = 4 }
    try await expectEqual(remote.fetch(entity, as: readings), .updated)
    expectEqual(entity.get(Reading.self)?.small, 3)
    token.cancel()
  }

  @Test func `A key is what is written of it`() throws {
    let recipe = try Recipe("small") {
      Identity(\Reading.small)
      Fields(of: Reading()) { Field(\.small, at: "id") }
    }
    try expectEqual(recipe.writtenKey(7), 7)
    #expect(throws: RecipeError.self) { try recipe.writtenKey(200) }
    #expect(throws: RecipeError.self) { try recipe.writtenKey("7") }
  }

  @Test func `Copies of several resources are told apart, whatever came first`() async throws {
    let recipe = try recipe()
    let stub = StubTransport { _ in
      .json(#"[{"id":1,"value":0.25,"note":null,"small":3}]"#)
    }
    let remote = Remote(Context(), transport: stub)
    let (one, other) = (
      Resource(recipe, named: "one") { baseURL }, Resource(recipe, named: "other") { baseURL }
    )
    let entity = try #require(try await remote.list(one).first)
    _ = try await remote.list(other)
    let copies = try #require(entity.get(ServerCopy.self))
    expectEqual(copies.copies.object?.keys, ["one", "other"])
    let again = Remote(Context(), transport: stub)
    let same = try #require(try await again.list(other).first)
    _ = try await again.list(one)
    expectEqual(same.get(ServerCopy.self), copies)
    expectEqual(same.get(ServerCopy.self)?.hashValue, copies.hashValue)
  }
}
