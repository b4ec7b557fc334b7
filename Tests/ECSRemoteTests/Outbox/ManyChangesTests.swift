import Dispatch
import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

/// What many changes that wait cost each other: nothing.
@Suite(.noHangs, .ownThread) struct ManyChangesTests {
  struct Tag: Component, Hashable { var name = "" }
  struct TagID: Component, Hashable { var value = 0 }
  enum Tagged: ToOneRelation {}

  /// A client whose recipes count how often an entity is written as data.
  private struct Counting {
    let context = Context()
    let time = ManualClock()
    let written = Counter()
    let resource: Resource
    let remote: Remote
    let sender: SendingSystem
    let loop: ReactiveLoop

    init(
      _ answer: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
    ) throws {
      let tags = try Recipe("tag") {
        Identity(\TagID.value, at: "id", of: TagID())
        Fields(of: Tag()) { Field(\.name, at: "name") }
      }
      let counting = Transformer<Int>("counting") { value throws(TransformFailure) in
        guard let number = value.number.flatMap({ Int("\($0)") }) else {
          throw .mismatch(expected: "number", found: value)
        }
        return number
      } encode: { [written] value throws(TransformFailure) in
        written.add(1)
        return .number(JSONNumber(value))
      }
      let posts = try Recipe("post") {
        Identity(\PostID.value, at: "id", of: PostID())
        Fields(of: Post()) {
          Field(\.title, at: "title")
          Field(\.stars, at: "stars", as: counting)
        }
        Nested(one: tags, at: "tag", through: .targets(of: Tagged.self))
        Nested.itself(oneAt: "parent", as: .key, through: .targets(of: ReplyTo.self))
      }
      resource = Resource(posts, update: .patching) { baseURL }
      var configuration = RemoteConfiguration()
      configuration.clock = time.clock
      configuration.random = { 1 }
      configuration.maximumConcurrentRequests = 2
      remote = Remote(context, transport: StubTransport(answer), configuration: configuration)
      let sender = SendingSystem(remote, [resource])
      self.sender = sender
      loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "Counting"), systems: [sender])
    }

    func settled() async {
      loop.runUntilSettled()
      await sender.settled()
    }
  }

  /// An answer that nests the same tag in each post.
  private static func made(_ id: Int) -> HTTPResponse {
    .json(#"{"id":\#(id),"tag":{"id":1,"name":"news"}}"#, 201)
  }

  /// How often entities are written, until so many new posts that share a tag are sent.
  private func costOfSending(_ count: Int) async throws -> Int {
    let last = Counter()
    let desk = try Counting { _ in ManyChangesTests.made(last.add(1)) }
    desk.context.perform {
      let tag = desk.context.createEntity(with: TagID(value: 1), Tag(name: "news"))
      for number in 0..<count {
        let post = desk.context.createEntity(with: Post(title: "\(number)"))
        post.relate(Tagged.self, to: tag)
        desk.remote.saveLater(post, as: desk.resource)
      }
    }
    await desk.settled()
    expectTrue(last.value == count && desk.context.group(RemoteMutation.matcher).isEmpty)
    return desk.written.value
  }

  @Test func `An answer costs the same, however many changes wait`() async throws {
    let (few, many) = (try await costOfSending(20), try await costOfSending(80))
    expectLessThanOrEqual(many, few * 5, "\(many) after \(few)")
  }

  /// How often entities are written, until so many posts are sent while as many wait for another
  /// one.
  private func costOfWaiting(_ count: Int) async throws -> Int {
    let last = Counter()
    let desk = try Counting { request in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      return body.contains("slow") ? HTTPResponse(500) : ManyChangesTests.made(last.add(1))
    }
    let slow = desk.context.createEntity(with: Post(title: "slow"))
    desk.context.perform {
      desk.remote.saveLater(slow, as: desk.resource)
      for number in 0..<count {
        let reply = desk.context.createEntity(with: Post(title: "\(number)"))
        reply.relate(ReplyTo.self, to: slow)
        desk.remote.saveLater(reply, as: desk.resource)
        let other = desk.context.createEntity(with: Post(title: "\(number)"))
        desk.remote.saveLater(other, as: desk.resource)
      }
    }
    await desk.settled()
    expectEqual(last.value, count)
    desk.context.perform {
      slow.update(Post.self) { $0.title = "quick" }
      desk.remote.saveLater(slow, as: desk.resource)
    }
    for _ in 0..<3 {
      desk.time.advance(by: .seconds(30))
      await desk.settled()
    }
    return desk.written.value
  }

  @Test func `What waits for another change is not looked at after each answer`() async throws {
    let (few, many) = (try await costOfWaiting(20), try await costOfWaiting(80))
    expectLessThanOrEqual(many, few * 5, "\(many) after \(few)")
  }

  @Test func `What an answer nests does not overwrite what waits to be sent of it`() async throws {
    let (gate, last) = (Gate(), Counter())
    let desk = try Counting { request in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      if body.contains("mine") { await gate.pass() }
      return .json(#"{"id":\#(last.add(1)),"tag":{"id":1,"name":"theirs"}}"#, 201)
    }
    let tag = desk.context.createEntity(with: TagID(value: 1), Tag(name: "news"))
    let (owner, other) = desk.context.perform {
      let owner = desk.context.createEntity(with: Post(title: "mine"))
      owner.relate(Tagged.self, to: tag)
      tag.update(Tag.self) { $0.name = "mine" }
      desk.remote.saveLater(owner, as: desk.resource)
      let other = desk.context.createEntity(with: Post(title: "other"))
      desk.remote.saveLater(other, as: desk.resource)
      return (owner, other)
    }
    desk.loop.runUntilSettled()
    await gate.waitForArrivals(1)
    while !other.has(PostID.cid) { await pause() }
    // The answer about the other names the same tag, which is a part of what is under way.
    expectTrue(tag.get(Tag.self)?.name == "mine" && other.target(Tagged.self) == tag)
    await gate.open()
    await desk.sender.settled()
    expectTrue(owner.has(PostID.cid) && desk.context.group(RemoteMutation.matcher).isEmpty)
  }
}
