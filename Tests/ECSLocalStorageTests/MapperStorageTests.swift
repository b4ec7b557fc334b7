import ECS
import ECSLocalStorage
import ECSRecipes
import ECSTestSupport
import Testing

private struct User: Component, Equatable {
  var id = 0
  var name = ""
  var email: String?
}
private struct Note: Component, Equatable { var text = "" }
private enum Wrote: Relation {}

@Suite struct MapperStorageTests {
  private let context = Context()
  private let storage = MemoryStorage()
  private let mapper: Mapper
  private let users: Recipe
  private let notes: Recipe

  init() throws {
    mapper = Mapper(context)
    notes = try Recipe { Fields(of: Note()) { Field(\.text, at: "text") } }
    users = try Recipe("user") {
      Identity(\User.id, at: "id", of: User())
      Fields(of: User()) {
        Field(\.name, at: "name")
        Field(\.email, at: "email")
      }
    }
  }

  @Test func `An entity is kept under its recipe and key, and comes back`() throws {
    let ada = context.createEntity(with: User(id: 7, name: "Ada", email: "a@example.org"))
    try mapper.save(ada, with: users, to: storage)
    try expectEqual(storage.keys(), ["user/7"])
    ada.set(User(id: 7, name: "changed"))
    try expectTrue(mapper.load(ada, with: users, from: storage))
    expectEqual(ada.get(User.self), User(id: 7, name: "Ada", email: "a@example.org"))
    // In another context, where it is not yet.
    let other = Mapper(Context())
    let copy = try #require(try other.load(users, from: storage, key: "user/7"))
    expectEqual(copy.get(User.self), ada.get(User.self))
    try expectEqual(other.load(users, from: storage, key: "user/7"), copy)
    try expectNil(other.load(users, from: storage, key: "user/8"))
    try expectTrue(mapper.forget(ada, with: users, in: storage))
    try expectFalse(mapper.forget(ada, with: users, in: storage))
    try expectFalse(mapper.load(ada, with: users, from: storage))
    withExtendedLifetime(other) {}
  }

  @Test func `A key can be given, and must be if none follows`() throws {
    let note = context.createEntity(with: Note(text: "kept"))
    #expect(throws: StorageError.missingKey(recipe: "")) {
      try mapper.save(note, with: notes, to: storage)
    }
    try mapper.save(note, with: notes, to: storage, key: "draft")
    note.set(Note(text: ""))
    try expectTrue(mapper.load(note, with: notes, from: storage, key: "draft"))
    expectEqual(note.get(Note.self), Note(text: "kept"))
    let keyless = context.createEntity()
    #expect(throws: StorageError.missingKey(recipe: "user")) {
      try mapper.save(keyless, with: users, to: storage)
    }
    #expect(throws: StorageError.missingKey(recipe: "")) {
      try mapper.saveList([note], with: notes, to: storage)
    }
    try expectEqual(storage.keys(), ["draft"])
  }

  @Test func `Lists keep their order, and entities are found again`() throws {
    let all = [3, 1, 2].map { context.createEntity(with: User(id: $0, name: "\($0)")) }
    try mapper.saveList(all, with: users, to: storage)
    try expectEqual(storage.keys(), ["user[]"])
    all[1].destroy()
    let loaded = try #require(try mapper.loadList(users, from: storage))
    expectEqual(loaded.map { $0.get(User.self)?.id }, [3, 1, 2])
    expectTrue(loaded[0] == all[0] && loaded[2] == all[2] && loaded[1] != all[1])
    try expectNil(mapper.loadList(users, from: storage, key: "other"))
    try mapper.saveList([], with: users, to: storage)
    try expectEqual(mapper.loadList(users, from: storage), [])
  }

  @Test func `What does not fit changes nothing`() throws {
    let ada = context.createEntity(with: User(id: 7, name: "Ada"))
    let changes = context.journal().observe { _ in Issue.record("Nothing changes.") }
    try storage.set(["id": 7, "name": 5], for: "user/7")
    #expect {
      try mapper.load(ada, with: users, from: storage)
    } throws: { error in
      guard case .recipe(let error)? = error as? StorageError else { return false }
      return error.recipe == "user" && error.path.description == "name"
    }
    try storage.set(["id": 8], for: "user/7")
    #expect(throws: StorageError.self) { try mapper.load(ada, with: users, from: storage) }
    try storage.set([["id": 9, "name": "new"], ["id": 10, "name": false]], for: "user[]")
    #expect {
      try mapper.loadList(users, from: storage)
    } throws: { error in
      guard case .recipe(let error)? = error as? StorageError else { return false }
      return error.path.description == "[1].name"
    }
    try storage.set("text", for: "user[]")
    #expect(throws: StorageError.self) { try mapper.loadList(users, from: storage) }
    changes.cancel()
    ada.destroy()
    #expect(throws: StorageError.self) { try mapper.save(ada, with: users, to: storage) }
  }
}
