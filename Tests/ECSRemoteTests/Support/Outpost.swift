import Dispatch
import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation

enum ReplyTo: ToOneRelation {}

/// A client that sends later, with a server of posts, and time that a test turns.
struct Outpost {
  let context: Context
  let server: PostServer
  let time = ManualClock()
  let transport: StubTransport
  let remote: Remote
  let posts: Resource
  let sender: SendingSystem
  let loop: ReactiveLoop

  init(
    _ server: PostServer = PostServer(), in context: Context = Context(),
    update: Resource.Update = .patching, conflicts: RemoteConflictPolicy = .ifMatch(.local),
    isKept: @escaping @Sendable () async throws -> Void = {},
    configure: (inout RemoteConfiguration) -> Void = { _ in },
    transport answer: (@Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse)? = nil
  ) throws {
    (self.server, self.context) = (server, context)
    posts = Resource(try Outpost.makeRecipe(), update: update, conflicts: conflicts) { baseURL }
    transport = StubTransport { request async throws(TransportError) -> HTTPResponse in
      if let answer { return try await answer(request) }
      return server.answer(request)
    }
    var configuration = RemoteConfiguration()
    configuration.clock = time.clock
    configuration.random = { 1 }
    configure(&configuration)
    remote = Remote(context, transport: transport, configuration: configuration)
    let sender = SendingSystem(remote, [posts], isKept: isKept)
    self.sender = sender
    loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "Outpost"), systems: [sender])
  }

  // Not kept in a variable: the address sanitizer can't follow the references in recipes, and what
  // is there at the end counts as leaked.
  private static func makeRecipe() throws -> Recipe {
    try Recipe("post") {
      Identity(\PostID.value, at: "id", of: PostID())
      Fields(of: Post()) {
        Field(\.title, at: "title")
        Field(\.text, at: "text")
        Field(\.stars, at: "stars")
      }
      Nested.itself(oneAt: "parent", as: .key, through: .targets(of: ReplyTo.self))
    }
  }

  /// Waits until all is sent that can be.
  func settled() async {
    loop.runUntilSettled()
    await sender.settled()
  }

  /// Makes a post, to be sent.
  @discardableResult
  func write(_ title: String, replyTo parent: Entity? = nil) -> Entity {
    context.perform {
      let post = context.createEntity(with: Post(title: title))
      if let parent { post.relate(ReplyTo.self, to: parent) }
      remote.saveLater(post, as: posts)
      return post
    }
  }

  /// Edits a post, to be sent.
  @discardableResult
  func edit(_ post: Entity, _ change: (inout Post) -> Void) -> Entity? {
    context.perform {
      post.update(Post.self, change)
      return remote.saveLater(post, as: posts)
    }
  }

  var mutations: [RemoteMutation] {
    context.group(RemoteMutation.matcher).compactMap { $0.get(RemoteMutation.self) }
      .sorted { $0.number < $1.number }
  }

  var lines: [String] { transport.requests.map(\.line) }

  /// The requests without their URLs.
  var methods: [String] { transport.requests.map { "\($0.method)" } }
}
