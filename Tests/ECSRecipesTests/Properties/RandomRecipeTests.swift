import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Synchronization
import Testing

struct Wide: Component, Equatable {
  var a = 0
  var b = ""
  var c: Int?
  var d: String?
}

/// Random recipes and data, beside an interpreter that is as simple as it can be.
@Suite(.longRunning) struct RandomRecipeTests {
  private enum Expectation: Equatable {
    case error
    case value(Wide)
  }

  private let texts = [
    "a", "b", "a.x", "a.y", "b[0]", "b[1]", "b[2].x", "c.x.y", "c.x[0]", "c", "d[0][1]", "d[0][0]",
  ]

  private func conflicts(_ left: JSONPath, _ right: JSONPath) -> Bool {
    for (step, other) in zip(left.steps, right.steps) {
      switch (step, other) {
      case (.key, .index), (.index, .key): return true
      default: if step != other { return false }
      }
    }
    return true
  }

  /// Nil if absent; throws at a container of the wrong kind.
  private func find(_ path: JSONPath, in data: JSONValue) throws -> JSONValue? {
    var value = data
    for step in path.steps {
      if value == .null { return .null }
      switch step {
      case .key(let key):
        guard value.kind == .object else { throw CancellationError() }
        guard let next = value[key] else { return nil }
        value = next
      case .index(let index):
        guard value.kind == .array else { throw CancellationError() }
        guard let next = value[index] else { return nil }
        value = next
      }
    }
    return value
  }

  private func interpret(_ paths: [JSONPath], _ data: JSONValue, over old: Wide) -> Expectation {
    var new = old
    guard data != .null else { return .error }
    do {
      for (number, path) in paths.enumerated() {
        guard let value = try find(path, in: data) else { continue }
        switch (number, value) {
        case (0, .number(let number)): new.a = try #require(number.int)
        case (1, .string(let text)): new.b = text
        case (2, .number(let number)): new.c = number.int
        case (3, .string(let text)): new.d = text
        case (2, .null): new.c = nil
        case (3, .null): new.d = nil
        default: return .error
        }
      }
      return .value(new)
    } catch {
      return .error
    }
  }

  private func randomData(_ depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 10), using: &generator) {
    case 0: return .null
    case 1: return .number(JSONNumber(Int.random(in: 0..<3, using: &generator)))
    case 2: return .string(["p", "q"].randomElement(using: &generator) ?? "p")
    case 3: return .bool(true)
    case 4, 5:
      let count = Int.random(in: 0..<4, using: &generator)
      return .array((0..<count).map { _ in randomData(depth - 1, &generator) })
    default:
      var object = JSONObject()
      for key in ["a", "b", "c", "d", "x", "y"] where Bool.random(using: &generator) {
        object[key] = randomData(depth - 1, &generator)
      }
      return .object(object)
    }
  }

  /// Data that fits the paths, for the most part.
  private func fittingData(_ paths: [JSONPath], _ generator: inout SeededGenerator) -> JSONValue {
    let context = Context()
    let entity = context.createEntity(
      with: Wide(
        a: Int.random(in: 0..<3, using: &generator), b: Bool.random(using: &generator) ? "p" : "q",
        c: Bool.random(using: &generator) ? 1 : nil, d: Bool.random(using: &generator) ? "p" : nil))
    guard let recipe = try? self.recipe(paths) else { return [:] }
    return (try? Mapper(context).decompose(entity, with: recipe)) ?? [:]
  }

  private func recipe(_ paths: [JSONPath]) throws -> Recipe {
    try Recipe("random") {
      Fields(of: Wide()) {
        Field(\.a, at: paths[0].description)
        Field(\.b, at: paths[1].description)
        Field(\.c, at: paths[2].description)
        Field(\.d, at: paths[3].description)
      }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Random recipes do what a naive interpreter does`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let paths = try (0..<4).map { _ in
        try JSONPath(texts.randomElement(using: &generator) ?? "a")
      }
      let isConflict = paths.indices.contains { left in
        paths.indices.contains { left < $0 && conflicts(paths[left], paths[$0]) }
      }
      guard let recipe = try? recipe(paths) else {
        expectTrue(isConflict, "seed \(seed): \(paths)")
        continue
      }
      expectFalse(isConflict, "seed \(seed): \(paths)")
      try run(recipe, paths, seed, &generator)
    }
  }

  private func run(
    _ recipe: Recipe, _ paths: [JSONPath], _ seed: UInt64, _ generator: inout SeededGenerator
  ) throws {
    let context = Context()
    let mapper = Mapper(context)
    let entity = context.createEntity(with: Wide())
    let events = Mutex(0)
    let token = context.group(Wide.matcher).observeChanges { _ in events.withLock { $0 += 1 } }
    for _ in 0..<20 {
      let data =
        Bool.random(using: &generator)
        ? randomData(3, &generator) : fittingData(paths, &generator)
      let old = try #require(entity.get(Wide.self))
      let before = events.withLock { $0 }
      let expected = interpret(paths, data, over: old)
      let wouldChange = try? mapper.wouldChange(entity, with: recipe, from: data)
      let differences = try? mapper.differences(entity, with: recipe, from: data)
      let outcome = try? mapper.update(entity, with: recipe, from: data)
      let new = try #require(entity.get(Wide.self))
      let fired = events.withLock { $0 } - before
      let comment: Comment = "seed \(seed), paths \(paths), data \(data)"
      expectEqual((outcome == nil ? .error : .value(new)), expected, comment)
      expectEqual(fired, (new == old ? 0 : 1), comment)
      expectTrue(outcome == nil || outcome == (new == old ? .unchanged : .updated), comment)
      expectEqual(wouldChange, (outcome == nil ? nil : new != old), comment)
      expectEqual(differences?.isEmpty, (outcome == nil ? nil : new == old), comment)
      if outcome == nil { expectEqual(new, old, comment) }
      try checkSilence(mapper, entity, recipe, data, outcome != nil, comment)
      expectEqual(events.withLock { $0 } - before, fired, comment)
    }
    token.cancel()
  }

  /// Applying the same again, or what the entity decomposes to, changes nothing.
  private func checkSilence(
    _ mapper: Mapper, _ entity: Entity, _ recipe: Recipe, _ data: JSONValue, _ isGood: Bool,
    _ comment: Comment
  ) throws {
    if isGood {
      try expectEqual(mapper.update(entity, with: recipe, from: data), .unchanged, comment)
    }
    let decomposed = try mapper.decompose(entity, with: recipe)
    try expectEqual(mapper.update(entity, with: recipe, from: decomposed), .unchanged, comment)
    // What the data was before is something else, or the same.
    if mapper.isWritten(entity, with: recipe, as: data) { expectEqual(decomposed, data, comment) }
    let other = Context()
    let copy = try Mapper(other).make(recipe, from: decomposed)
    expectEqual(copy.get(Wide.self), entity.get(Wide.self), comment)
  }
}
