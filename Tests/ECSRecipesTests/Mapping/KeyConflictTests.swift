import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Data that would give a key to a second entity, or an entity another key, is refused.
@Suite struct KeyConflictTests {
  struct Badge: Component {
    var number = 0
    var code = 0
    var owner: Entity?
  }

  let context = Context()
  let mapper: Mapper
  let byNumber: Recipe
  let byCode: Recipe

  init() throws {
    mapper = Mapper(context)
    byNumber = try Recipe("number") {
      Identity(\Badge.number)
      Fields(of: Badge()) {
        Field(\.number, at: "number")
        Field(\.code, at: "code")
      }
    }
    byCode = try Recipe("code") {
      Identity(\Badge.code)
      Fields(of: Badge()) {
        Field(\.number, at: "number")
        Field(\.code, at: "code")
      }
    }
  }

  private func reason(_ body: () throws(RecipeError) -> Void) -> RecipeError.Reason? {
    do throws(RecipeError) {
      try body()
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `Two recipes identify by different fields of one component`() throws {
    let badge = try mapper.make(byNumber, from: ["number": 1, "code": 10])
    let other = try mapper.make(byNumber, from: ["number": 2, "code": 20])
    // The index over codes is not made yet.
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.update(badge, with: byCode, from: ["number": 3, "code": 10])
      }, .identityMismatch)
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.update(badge, with: byNumber, from: ["number": 1, "code": 20])
      }, .identityMismatch)
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.make(byNumber, from: ["number": 4, "code": 20])
      }, .duplicateIdentity)
    expectEqual(badge.get(Badge.self)?.code, 10)
    expectEqual(other.get(Badge.self)?.number, 2)
    expectEqual(context.count, 2)
  }

  @Test func `One mapper knows what another one keeps unique`() throws {
    let badge = try mapper.make(byNumber, from: ["number": 1, "code": 10])
    let codes = try Recipe("codes") {
      Fields(of: Badge()) {
        Field(\.number, at: "number")
        Field(\.code, at: "code")
      }
    }
    let other = Mapper(context)
    expectEqual(
      reason { () throws(RecipeError) in
        try other.make(codes, from: ["number": 1])
      }, .duplicateIdentity)
    expectEqual(
      reason { () throws(RecipeError) in
        try other.update(badge, with: codes, from: ["number": 2])
      }, .identityMismatch)
    try expectEqual(other.make(byNumber, from: ["number": 1]), badge)
  }

  @Test func `A new component whose default key is taken is refused`() throws {
    try mapper.make(byNumber, from: ["number": 0])
    let codes = try Recipe("codes") { Fields(of: Badge()) { Field(\.code, at: "code") } }
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.make(codes, from: ["code": 1])
      }, .duplicateIdentity)
    let users = try Catalog.users()
    let links = try Recipe("link") {
      Fields(of: Tag()) { Field(\.name, at: "tag") }
      Nested(one: users, at: "owner", as: .key, through: .toOne(\Badge.owner, of: Badge()))
    }
    do throws(RecipeError) {
      try mapper.make(links, from: ["tag": "a", "owner": 7])
      Issue.record("Two badges have the number 0.")
    } catch {
      expectEqual(error.reason, .duplicateIdentity)
      expectEqual(error.path, JSONPath.root.appending(key: "owner"))
    }
    expectEqual(context.count, 1)
    let many: [JSONValue] = [["tag": "a", "owner": 7], ["tag": "b", "owner": 8]]
    context.destroyAllEntities()
    #expect(throws: ImportError.self) {
      try mapper.importList(many, with: links, policy: .allOrNothing)
    }
    try expectEqual(mapper.importList(many, with: links).refused, 1)
  }

  @Test func `An entity without a key doesn't get one that is taken`() throws {
    try mapper.make(byNumber, from: ["number": 0, "code": 1])
    let entity = context.createEntity()
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.update(entity, with: byNumber, from: ["code": 2])
      }, .duplicateIdentity)
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.update(entity, with: byNumber, from: ["number": 0])
      }, .duplicateIdentity)
    expectFalse(entity.has(Badge.self))
    try expectEqual(mapper.update(entity, with: byNumber, from: ["number": 5]), .updated)
    try expectEqual(mapper.make(byNumber, from: ["number": 5]), entity)
  }

  @Test func `Records within an iteration don't share a default key`() throws {
    try mapper.make(byCode, from: ["number": 7, "code": 7]).destroy()
    context.createEntity(with: Point())
    var report = ImportReport()
    var again: ImportReport?
    context.group(Point.matcher).withEach { (_: Entity, point: inout Point) in
      point.x += 1
      let records: [JSONValue] = [["number": 1], ["number": 2], ["number": 3, "code": 3]]
      report = (try? mapper.importList(records, with: byNumber)) ?? report
      again = try? mapper.importList([["number": 3, "code": 4]], with: byNumber)
    }
    expectEqual(report.made, 2)
    expectEqual(report.failures.map(\.error.reason), [.duplicateIdentity])
    expectEqual(again?.failures.map(\.error.reason), [.identityMismatch])
    expectEqual(context.group(Badge.matcher).count, 2)
  }

  @Test func `An index that is made within an iteration knows the keys that wait for its end`()
    throws
  {
    let loose = try Recipe("loose") { Fields(of: Badge()) { Field(\.code, at: "code") } }
    context.createEntity(with: Point())
    var (first, second): (Entity?, Entity?) = (nil, nil)
    context.group(Point.matcher).withEach { (_: Entity, point: inout Point) in
      point.x += 1
      first = try? mapper.make(loose, from: ["code": 7])
      second = try? mapper.make(byCode, from: ["code": 7])
    }
    expectTrue(first != nil && first == second)
    expectEqual(context.group(Badge.matcher).count, 1)
  }

  @Test func `Keys that wait for the end of an iteration keep an identity from being used`() throws
  {
    let loose = try Recipe("loose") { Fields(of: Badge()) { Field(\.code, at: "code") } }
    context.createEntity(with: Point())
    var refused: RecipeError.Reason?
    context.group(Point.matcher).withEach { (_: Entity, point: inout Point) in
      point.x += 1
      for _ in 0..<2 { _ = try? mapper.make(loose, from: ["code": 7]) }
      refused = reason { () throws(RecipeError) in try mapper.make(byCode, from: ["code": 8]) }
    }
    expectEqual(refused, .duplicateIdentity)
    expectEqual(context.group(Badge.matcher).count, 2)
  }

  @Test func `Data doesn't remove a component with a key`() throws {
    let badges = try Recipe("badge") {
      Fields(of: Badge(), presentAt: "badge") { Field(\.code, at: "code") }
    }
    let badge = try mapper.make(byNumber, from: ["number": 1])
    expectEqual(
      reason { () throws(RecipeError) in
        try mapper.update(badge, with: badges, from: ["badge": .null])
      }, .identityMismatch)
    expectTrue(badge.has(Badge.self))
  }
}
