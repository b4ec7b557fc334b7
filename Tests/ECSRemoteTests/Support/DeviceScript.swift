import ECS
import ECSRecipes
import ECSRemote
import ECSSnapshots
import ECSTestSupport
import Foundation

/// Names a post for the test; the server does not have it.
struct LocalNumber: Component, Hashable { var value = 0 }

/// A random program for a device and its server: edits here and there, faults, and deaths of the
/// process, which goes on from what was kept.
final class DeviceScript {
  /// A field that the user has edited.
  struct Edit: Hashable {
    let number: Int
    let field: String
    let value: JSONValue
  }

  /// What is different from how it should be.
  enum Plant { case none, forgetfulServer, unkept, unconditional }

  /// What the process has, and what is left of it. Changed in sections of the context only.
  // Guarded by its lock.
  final class Disk: @unchecked Sendable {
    private let lock = NSLock()
    private var edits: [Edit] = []
    private var kept: (snapshot: Snapshot?, edits: [Edit]) = (nil, [])

    func note(_ edit: Edit) { lock.withLock { edits.append(edit) } }

    var noted: [Edit] { lock.withLock { edits } }

    func keep(_ context: Context) throws {
      let schema = try DeviceScript.schema.get()
      let (snapshot, noted) = try context.perform { (try context.snapshot(schema), self.noted) }
      lock.withLock { kept = (snapshot, noted) }
    }

    /// What a new process finds.
    func restore(into context: Context) throws {
      let snapshot = lock.withLock {
        edits = kept.edits
        return kept.snapshot
      }
      _ = try snapshot?.restore(into: context, try DeviceScript.schema.get())
    }

    var isKept: Set<Edit> { lock.withLock { Set(kept.edits) } }
  }

  let server: PostServer
  private let disk = Disk()
  private let plant: Plant
  private let update: Resource.Update
  var random: SplitMix64
  private(set) var courier: Courier
  private(set) var desk: Outpost
  private var lastNumber = 0
  private var givenUp: Set<Int> = []
  private var deletedElsewhere: Set<Int> = []

  /// Whether the device follows what the server tells, and answers overtake each other.
  private let follows: Bool
  var asking: [Task<Void, Never>] = []
  var problems: [String] = []
  private(set) var deaths = 0

  init(seed: Int, plant: Plant = .none, following follows: Bool = false) throws {
    self.follows = follows
    var random = SplitMix64(seed: UInt64(seed))
    let isReplacing = random.oneIn(2)
    self.plant = plant
    update = plant == .unconditional || isReplacing ? .replacing : .patching
    server = PostServer(knowsNames: plant != .forgetfulServer)
    (courier, desk) = try DeviceScript.boot(server, disk, plant, update, random.next())
    self.random = random
  }

  static let schema = Result {
    try Schema("device") {
      Stored(of: PostID(), as: "id") { Field(\.value, at: "value") }
      Stored(of: Post(), as: "post") {
        Field(\.title, at: "title")
        Field(\.text, at: "text")
        Field(\.stars, at: "stars")
      }
      Stored(of: LocalNumber(), as: "number") { Field(\.value, at: "value") }
      Stored(of: RemoteMutation(), as: "mutation") { RemoteMutation.fields }
      Stored(of: RemoteDraft(), as: "draft") { RemoteDraft.fields }
      Stored(of: ServerCopy(), as: "copy") { ServerCopy.fields }
      Stored(of: RemoteFeedPosition(), as: "feed") { RemoteFeedPosition.fields }
      Links(ReplyTo.self, as: "replyTo")
    }
  }

  // MARK: Processes

  private static func boot(
    _ server: PostServer, _ disk: Disk, _ plant: Plant, _ update: Resource.Update, _ seed: UInt64
  ) throws -> (Courier, Outpost) {
    let courier = Courier(server, seed: seed) { request in
      if plant == .unconditional { request.headers["If-Match"] = nil }
    }
    let context = Context()
    try disk.restore(into: context)
    let desk = try Outpost(server, in: context, update: update) {
      if plant == .unkept { return }
      try courier.live { try disk.keep(context) }
    } configure: {
      $0.retry = RemoteRetry(attempts: 1, first: .seconds(1), limit: .seconds(30))
    } transport: { request async throws(TransportError) -> HTTPResponse in
      try await courier.bring(request)
    }
    return (courier, desk)
  }

  /// The process dies, and there is a new one.
  private func reboot() async throws {
    courier.die()
    await release()
    deaths += 1
    server.note("-- the process dies")
    desk.loop.cancel()
    let kept = disk.isKept
    for change in server.changes where change.field != "parent" {
      if !kept.contains(where: { $0.field == change.field && $0.value == change.value }) {
        problems.append("\(change) was sent before it was kept")
      }
    }
    (courier, desk) = try DeviceScript.boot(server, disk, plant, update, random.next())
  }

  // MARK: Steps

  func run(steps: Int) async throws {
    for _ in 0..<steps {
      if courier.isDead { try await reboot() }
      try await step()
    }
    await release()
    while !courier.calm() { try await reboot() }
    desk.context.setUniqueComponent(Connectivity(isReachable: true))
    try await finish()
  }

  private func step() async throws {
    switch random.below(follows ? 26 : 20) {
    case 0..<3: create()
    case 3..<8: edit()
    case 8: remove()
    case 9: server.insert(["title": .string("s\(next())"), "text": .null, "stars": 0])
    case 10..<12: changeElsewhere()
    case 12..<14: await ask()
    case 14: desk.time.advance(by: .seconds(random.below(40)))
    case 15: await settle()
    case 16: if random.oneIn(3) { try await reboot() }
    case 17: if !courier.isDead { try? courier.live { try disk.keep(desk.context) } }
    case 18:
      desk.context.setUniqueComponent(Connectivity(isReachable: !random.oneIn(3)))
    case 20..<22: await follow()
    case 22..<25: await overtake()
    case 25: await release()
    default: desk.loop.runUntilSettled()
    }
  }

  private func next() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func posts() -> [Entity] { desk.context.group(Post.matcher).sorted() }

  private func anyPost() -> Entity? {
    let posts = posts()
    return posts.isEmpty ? nil : posts[random.below(posts.count)]
  }

  private func name(_ post: Entity) -> String {
    let id = post.get(PostID.self).map { "\($0.value)" } ?? "new"
    return "\(post) \(id) \(post.get(Post.self)?.title ?? "")"
  }

  private func create() {
    let number = next()
    let parent = random.oneIn(3) ? anyPost() : nil
    desk.context.perform {
      let post = desk.context.createEntity(
        with: Post(title: "e\(number)"), LocalNumber(value: number))
      if let parent, parent.isAlive { post.relate(ReplyTo.self, to: parent) }
      server.note("-- create \(name(post))")
      disk.note(Edit(number: number, field: "title", value: .string("e\(number)")))
      desk.remote.saveLater(post, as: desk.posts)
    }
  }

  func edit() {
    guard let post = anyPost() else { return }
    let (value, field) = (next(), random.below(3))
    desk.context.perform {
      guard post.isAlive else { return }
      let number = post.get(LocalNumber.self)?.value ?? value
      _ = post.set(LocalNumber(value: number))
      post.update(Post.self) {
        switch field {
        case 0: $0.title = "e\(value)"
        case 1: $0.text = "e\(value)"
        default: $0.stars = value
        }
      }
      server.note("-- edit \(name(post)) \(value)")
      disk.note(
        Edit(
          number: number, field: ["title", "text", "stars"][field],
          value: field == 2 ? .number(JSONNumber(value)) : .string("e\(value)")))
      desk.remote.saveLater(post, as: desk.posts)
    }
  }

  private func remove() {
    guard let post = anyPost() else { return }
    server.note("-- delete \(name(post))")
    desk.remote.deleteLater(post, as: desk.posts)
  }

  func changeElsewhere() {
    guard let id = server.rows.keys.sorted().randomElement(using: &random) else { return }
    switch random.below(6) {
    case 0:
      deletedElsewhere.insert(id)
      server.delete(id)
    case 1: server.change(id, "stars", .number(JSONNumber(-next())))
    case 2: server.change(id, "text", .string("s\(next())"))
    default: server.change(id, "title", .string("s\(next())"))
    }
  }

  func ask() async {
    let (remote, posts) = (desk.remote, desk.posts)
    if random.oneIn(2) {
      await ask { _ = try? await remote.list(posts) }
    } else if let id = server.rows.keys.sorted().randomElement(using: &random) {
      await ask { _ = try? await remote.fetch(key: .number(JSONNumber(id)), as: posts) }
    }
  }

  // MARK: The end

  private func finish() async throws {
    for round in 0..<60 {
      await desk.settled()
      let left = desk.context.group(RemoteMutation.matcher).sorted()
      if left.isEmpty { break }
      for mutation in left {
        guard mutation.get(RemoteMutation.self)?.refusal != nil else { continue }
        if round < 3 {
          desk.remote.retry(mutation)
        } else {
          if let number = mutation.target(Mutates.self)?.get(LocalNumber.self)?.value {
            givenUp.insert(number)
          }
          try? await desk.remote.discard(mutation)
        }
      }
      await desk.settled()
      desk.time.advance(by: .seconds(60))
    }
    for mutation in desk.mutations { problems.append("\(mutation) is left") }
    if follows {
      await catchUp()
    } else {
      _ = try await desk.remote.list(desk.posts)
    }
    await desk.settled()
    compare()
    judge()
    desk.loop.cancel()
  }

  /// Client and server agree.
  private func compare() {
    var rows = server.rows
    for post in posts() {
      guard let id = post.get(PostID.self)?.value else {
        problems.append("\(post) has no key")
        continue
      }
      guard let row = rows.removeValue(forKey: id) else {
        if follows || !deletedElsewhere.contains(id) {
          problems.append("\(name(post)) is here, and not there")
        }
        continue
      }
      let data = try? desk.remote.mapper.decompose(post, with: desk.posts.recipe)
      for field in ["title", "text", "stars", "parent"] {
        let (here, there) = (data?[field] ?? .null, row.fields[field] ?? .null)
        if here != there { problems.append("\(id).\(field) is \(here) here, \(there) there") }
      }
      if post.has(RemoteState.Unsent.cid) || post.has(RemoteDraft.cid) {
        problems.append("\(id) looks unsent")
      }
    }
    for id in rows.keys { problems.append("\(id) is there, and not here") }
  }

  /// No edit is lost, none is made twice, and none of others is undone.
  private func judge() {
    let edits = Set(disk.noted.map { Change(field: $0.field, value: $0.value) })
    var done: Set<Change> = []
    for change in server.changes where change.field != "parent" {
      let one = Change(field: change.field, value: change.value)
      if !edits.contains(one) { problems.append("\(change) is no edit") }
      if !done.insert(one).inserted { problems.append("\(change) was done twice") }
    }
    var last: [Int: [String: JSONValue]] = [:]
    for edit in disk.noted { last[edit.number, default: [:]][edit.field] = edit.value }
    for post in posts() {
      guard let number = post.get(LocalNumber.self)?.value, !givenUp.contains(number),
        let id = post.get(PostID.self)?.value, server.rows[id] != nil
      else { continue }
      for (field, value) in last[number] ?? [:]
      where !done.contains(Change(field: field, value: value)) {
        problems.append("\(number).\(field) = \(value) was lost")
      }
    }
  }

  private struct Change: Hashable {
    let field: String
    let value: JSONValue
  }
}
