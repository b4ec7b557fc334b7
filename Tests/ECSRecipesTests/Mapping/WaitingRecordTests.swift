import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

private struct Account: Component, Equatable {
  var id = 0
  var name = ""
  var seen: Date?
}

private struct Reading: Component, Equatable {
  var value = 0.0
}

private struct Row: Component {}

/// Data that is mapped inside of an iteration, and data that identifies nothing.
@Suite struct WaitingRecordTests {
  let context = Context()
  let mapper: Mapper
  let accounts: Recipe

  init() throws {
    mapper = Mapper(context)
    accounts = try Recipe("account") {
      Identity(\Account.id)
      Fields(of: Account()) {
        Field(\.id, at: "id")
        Field(\.name, at: "name")
        Field(\.seen, at: "seen", as: .secondsSince1970)
      }
    }
  }

  private func inIteration(_ body: () throws -> Void) rethrows {
    context.createEntity(with: Row())
    try context.group(Row.matcher).withEach { (_, _: Row) in try body() }
  }

  @Test func `The key of an entity that waits to be destroyed makes a new one`() throws {
    let old = try mapper.make(accounts, from: ["id": 1, "name": "old"])
    var new: Entity?
    try inIteration {
      old.destroy()
      try expectNil(mapper.entity(withKey: 1, of: accounts))
      let made = try mapper.make(accounts, from: ["id": 1, "name": "new"])
      expectTrue(made != old && made.isAlive)
      try expectEqual(mapper.make(accounts, from: ["id": 1, "name": "newer"]), made)
      try expectEqual(mapper.entity(withKey: 1, of: accounts), made)
      new = made
    }
    expectTrue(new?.get(Account.self)?.name == "newer" && context.group(Account.matcher).count == 1)
    try expectEqual(mapper.entity(withKey: 1, of: accounts), new)
  }

  @Test func `The key of a component that waits to be removed is free for an import`() throws {
    let old = try mapper.make(accounts, from: ["id": 1, "name": "old"])
    try inIteration {
      old.remove(Account.self)
      let report = try mapper.importList(
        [["id": 1, "name": "new"], ["id": 2, "name": "b"]], with: accounts)
      expectTrue(report.made == 2 && !report.entities.contains(old))
      #expect(throws: RecipeError.self) {
        try mapper.update(old, with: accounts, from: ["id": 2, "name": "taken"])
      }
    }
    expectTrue(context.group(Account.matcher).count == 2 && old.isAlive && !old.has(Account.self))
  }

  @Test func `A key that is not a number identifies nothing`() throws {
    let readings = try Recipe("reading") {
      Identity(
        \Reading.value, at: "value",
        as: Transformer("any number") { value in
          if case .number(let number) = value { number.double ?? .nan } else { .nan }
        } encode: {
          .string("\($0)")
        },
        of: Reading())
    }
    try mapper.make(readings, from: ["value": 1])
    let bare = context.createEntity()
    let count = context.count
    for call: () throws -> Void in [
      { try mapper.make(readings, from: ["value": "x"]) },
      { _ = try mapper.importList([["value": "x"]], with: readings, policy: .allOrNothing) },
      { try mapper.update(bare, with: readings, from: ["value": "x"]) },
    ] {
      #expect(throws: (any Error).self) { try call() }
    }
    expectTrue(context.count == count && bare.isEmpty)
    try expectNil(mapper.entity(withKey: "x", of: readings))
  }

  @Test func `A date that is not a number is an error that can be read`() throws {
    let entity = context.createEntity(
      with: Account(id: 1, seen: Date(timeIntervalSince1970: .nan)))
    do throws(RecipeError) {
      _ = try mapper.decompose(entity, with: accounts)
      Issue.record("It was written.")
    } catch {
      expectTrue("\(error)".contains("date of NaN seconds"))
    }
    let differences = try mapper.differences(
      entity, with: accounts, from: ["id": 1, "seen": 5])
    expectTrue("\(differences)".contains("date of NaN seconds"))
    for transformer in [Transformer<Date>.iso8601, .millisecondsSince1970, .date(format: "yyyy")] {
      #expect(throws: TransformFailure.self) {
        try transformer.encode(Date(timeIntervalSince1970: .nan))
      }
    }
  }
}
