import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct EntityListTests {
  private let context = Context()

  private func list(_ count: Int) -> (EntityList, [Entity]) {
    let entities = (0..<count).map { context.createEntity(with: PostID(value: $0), Post()) }
    let list = EntityList(in: context)
    list.append(entities)
    return (list, entities)
  }

  private func ids(_ list: EntityList) -> [Int] { list.compactMap { $0.get(PostID.self)?.value } }

  @Test func `Members are read by position, range and key`() throws {
    let (list, entities) = list(4)
    expectTrue(list.count == 4 && !list.isEmpty)
    expectEqual(list.member(at: 2), entities[2])
    expectTrue(list.member(at: 4) == nil && list.member(at: -1) == nil)
    expectEqual(list.members(in: 1..<3), Array(entities[1..<3]))
    expectEqual(list.members(in: 4..<4), [])
    expectTrue(list.members(in: 3..<5) == nil && list.members(in: -1..<1) == nil)
    expectEqual(list.position(of: entities[3]), 3)
    let recipe = try Desk { _ in HTTPResponse(200) }.recipe
    let mapper = Mapper(context)
    expectEqual(list.member(key: 3, of: recipe, mapper), entities[3])
    expectNil(list.member(key: 9, of: recipe, mapper))
    entities[1].destroy()
    expectEqual(ids(list), [0, 2, 3])
    expectEqual(EntityList(list.owner), list)
  }

  /// Beside a naive model: an array.
  @Test(arguments: 0..<20) func `Edits do what they do to an array`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (list, entities) = list(6)
    list.removeAll()
    var model: [Entity] = []
    for _ in 0..<200 {
      let entity = entities[Int.random(in: 0..<6, using: &random)]
      let position = Int.random(in: -1...6, using: &random)
      let isThere = model.indices.contains(position)
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        let isPossible = isThere || position == model.count
        expectEqual(list.insert(entity, before: position), isPossible)
        if isPossible { model = model.inserting(entity, before: position) }
      case 2, 3:
        expectEqual(list.insert(entity, after: position), isThere)
        if isThere { model = model.inserting(entity, before: position + 1) }
      case 4:
        expectEqual(list.remove(at: position), isThere)
        if isThere { model.remove(at: position) }
      case 5:
        expectEqual(list.remove(entity), model.contains(entity))
        model.removeAll { $0 == entity }
      case 6:
        let range = max(position, 0)..<(max(position, 0) + Int.random(in: 0...2, using: &random))
        let isPossible = range.upperBound <= model.count
        expectEqual(list.remove(in: range), isPossible)
        if isPossible { model.removeSubrange(range) }
      case 7:
        list.reverse()
        model.reverse()
      default:
        list.sort { byID($0, $1) }
        model.sort { byID($0, $1) }
      }
      expectEqual(Array(list), model)
    }
  }

  @Test func `The dead and strangers are no members, and dead owners have none`() {
    let (list, entities) = list(2)
    let stranger = Context().createEntity()
    entities[1].destroy()
    for other in [stranger, entities[1]] {
      expectFalse(list.insert(other, before: 0))
      expectFalse(list.insert(other, after: 0))
      list.append([other])
    }
    list.replaceAll(with: [stranger, entities[0], entities[1]])
    expectEqual(ids(list), [0])
    list.owner.destroy()
    expectTrue(!list.insert(entities[0], before: 0) && list.isEmpty)
    list.append(entities)
    expectTrue(list.isEmpty)
  }

  @Test func `Observers run once for an edit, and not if nothing changed`() {
    let (list, entities) = list(5)
    let notices = Tally()
    let token = list.members.observe { _ in notices.add() }
    let start = notices.value
    expectTrue(list.insert(entities[4], before: 0))
    expectEqual(notices.value - start, 1)
    list.reverse()
    expectEqual(notices.value - start, 2)
    expectTrue(list.remove(in: 1..<3))
    expectEqual(notices.value - start, 3)
    list.replaceAll(with: Array(list))
    expectEqual(list.remove(in: 9..<10), false)
    expectEqual(notices.value - start, 3)
    token.cancel()
  }

  private func byID(_ left: Entity, _ right: Entity) -> Bool {
    (left.get(PostID.self)?.value ?? 0) < (right.get(PostID.self)?.value ?? 0)
  }

  // MARK: From a server

  @Test func `A list is replaced by what the server has, and keeps its members if that fails`()
    async throws
  {
    let tally = Tally()
    let desk = try Desk { _ in
      tally.add()
      return tally.value == 2 ? HTTPResponse(403) : .json(#"[{"id":2},{"id":1},{"id":2}]"#)
    }
    let list = EntityList(in: desk.context)
    let old = desk.post(9)
    list.append([old])
    try await list.fetch(desk.posts(), with: desk.remote)
    expectEqual(ids(list), [2, 1])
    expectTrue(list.isComplete && list.owner.has(RemoteState.Fetched.cid))
    expectTrue(old.isAlive)
    list.append([old])
    await #expect(throws: RemoteError.self) {
      try await list.fetch(desk.posts(), with: desk.remote)
    }
    expectEqual(ids(list), [2, 1, 9])
    expectEqual(list.owner.get(RemoteState.Failed.self)?.isFinal, true)
    try await list.fetch(desk.posts(), with: desk.remote)
    expectTrue(ids(list) == [2, 1] && !list.owner.has(RemoteState.Failed.cid))
    try await expectEqual(list.fetchMore(desk.posts(), with: desk.remote), 0)
    expectEqual(desk.lines.count, 3)
  }

  @Test func `Pages are appended, and what is in two pages is there once and updated`() async throws
  {
    let desk = try Desk { request in
      switch request.url.query?.contains("page=1") {
      case true: .json(#"[{"id":1},{"id":2,"title":"old"}]"#)
      default: .json(#"[{"id":2,"title":"new"}]"#)
      }
    }
    let list = EntityList(in: desk.context)
    let posts = desk.posts().paged(by: .pages())
    try await expectEqual(list.fetchMore(posts, with: desk.remote, size: 2), 2)
    expectFalse(list.isComplete)
    try await expectEqual(list.fetchMore(posts, with: desk.remote, size: 2), 1)
    expectTrue(list.isComplete)
    expectEqual(ids(list), [1, 2])
    expectEqual(list.member(at: 1)?.get(Post.self)?.title, "new")
    try await expectEqual(list.fetchMore(posts, with: desk.remote, size: 2), 0)
    // From the start.
    try await list.fetch(posts, with: desk.remote, size: 2)
    expectTrue(ids(list) == [1, 2] && !list.isComplete)
    expectEqual(
      desk.lines.map { $0.suffix(14) }, ["page=1&limit=2", "page=2&limit=2", "page=1&limit=2"])
  }

  @Test func `A dead owner asks for nothing, and one that dies meanwhile gets nothing`()
    async throws
  {
    let gate = Gate()
    let desk = try Desk { _ in
      await gate.pass()
      return .json(#"[{"id":1}]"#)
    }
    let (list, posts) = (EntityList(in: desk.context), desk.posts())
    let task = Task { try await list.fetch(posts, with: desk.remote) }
    await gate.waitForArrivals(1)
    list.owner.destroy()
    await gate.open()
    await #expect(throws: RemoteError.deadEntity) { try await task.value }
    await #expect(throws: RemoteError.deadEntity) {
      try await list.fetchMore(posts, with: desk.remote)
    }
    expectEqual(desk.lines.count, 1)
    expectTrue(desk.context.group(PostID.matcher).isEmpty)
  }
}

extension [Entity] {
  /// With an entity in a place that was before it, or behind the last.
  fileprivate func inserting(_ entity: Entity, before position: Int) -> [Entity] {
    let head = self[..<position].filter { $0 != entity }
    let tail = self[position...].filter { $0 != entity }
    return head + [entity] + tail
  }
}
