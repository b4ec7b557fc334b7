#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  private struct Desk: Component {
    var id = 0
    static var requires: Requirement { Drawer() }
  }

  private struct Drawer: Component, Equatable { var label = "new" }

  private struct Mark: Component, Equatable { var number = 0 }

  private struct Key: Component, Equatable {
    var teeth = 0
    static var requires: Requirement { Requirement(Drawer(), whenRemoved: .cascades) }
  }

  /// Components that require others, in a store: the file says what entities have.
  @Suite struct RequirementStoreTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func openStore() throws -> Store {
      let desks = try Table("desk", key: \Desk.id) {
        Fields(of: Desk()) { Field(\.id, at: "id") }
        Fields(of: Drawer()) { Field(\.label, at: "drawer") }
        Fields(of: Mark()) { Field(\.number, at: "mark") }
        Fields(of: Key()) { Field(\.teeth, at: "key") }
      }
      return try Store(at: .file(folder.file()), schema: Schema { desks })
    }

    private func desk(_ session: StoreSession) -> Entity? {
      session.context.group(Desk.matcher).first
    }

    @Test func `what a row lacks is absent when it is loaded, and not saved afterwards`() throws {
      let store = try openStore()
      let session = try store.session()
      session.context.createEntity(with: Desk(id: 1)).remove(Drawer.self)
      try store.close()
      for _ in 0..<2 {
        let store = try openStore()
        let session = try store.session()
        expectTrue(desk(session)?.has(Drawer.self) == false && !session.hasChanges)
        desk(session)?.set(Mark(number: 3))
        try store.close()
      }
    }

    @Test func `what another session removes takes nothing along here`() throws {
      let store = try openStore()
      let one = try store.session()
      one.context.createEntity(with: Desk(id: 1), Drawer(label: "pens"))
      try one.save()
      let two = try store.session()
      desk(two)?.set(Key(teeth: 5))
      desk(one)?.remove(Drawer.self)
      try one.save()
      expectEqual(desk(two)?.has(Drawer.self), false)
      expectEqual(desk(two)?.get(Key.self), Key(teeth: 5))
      try two.save()
      expectTrue(desk(one)?.get(Key.self) == Key(teeth: 5) && desk(one)?.has(Drawer.self) == false)
    }

    @Test func `what is reverted is what the row was`() throws {
      let store = try openStore()
      let session = try store.session()
      let desk = session.context.createEntity(with: Desk(id: 1))
      desk.remove(Drawer.self)
      try session.save()
      desk.set(Key(teeth: 1))
      expectTrue(desk.has(Drawer.self))
      try session.revert(desk)
      expectTrue(!desk.has(Key.self) && !desk.has(Drawer.self) && desk.isAlive)
    }
  }
#endif
