import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct ProgressTests {
  @Test func `How far a request has come is told as often as is wanted`() async throws {
    let (parts, next) = AsyncStream.makeStream(of: Data.self)
    let size = 2010
    let transport = StubTransport(streaming: { _ in
      HTTPStream(200, headers: ["Content-Length": "\(size)"], body: HTTPBody(parts))
    })
    let (context, time) = (Context(), ManualClock())
    var configuration = RemoteConfiguration()
    (configuration.clock, configuration.progress) = (time.clock, .seconds(1))
    let remote = Remote(context, transport: transport, configuration: configuration)
    let recipe = try Recipe("post") {
      Identity(\PostID.value, at: "id", of: PostID())
      Fields(of: Post()) { Field(\.title, at: "title") }
    }
    let posts = Resource(recipe) { baseURL }
    let post = context.createEntity(with: PostID(value: 7), Post(title: "A"))
    let told = Collected<RemoteState.Progress>()
    let token = context.group(RemoteState.Loading.matcher).observe(initial: false) { _ in
      post.get(RemoteState.Loading.self)?.progress.map { told.add($0) }
    }
    let saving = Task { try await remote.save(post, as: posts) }
    func wait(_ isThere: (RemoteState.Progress) -> Bool) async {
      while !(post.get(RemoteState.Loading.self)?.progress.map(isThere) ?? false) { await pause() }
    }
    let sent = #"{"title":"A"}"#.utf8.count
    // The first is reported at once, all others wait for their time; one timer is that of the
    // request.
    await wait { $0.sent == sent && $0.toSend == sent }
    while time.timerCount < 2 { await pause() }
    time.advance(by: .seconds(1))
    await wait { $0.toReceive == size && $0.received == 0 }
    for _ in 0..<1000 { next.yield(Data("  ".utf8)) }
    while time.timerCount < 2 { await pause() }
    let count = told.all.count
    expectLessThanOrEqual(count, 3)
    time.advance(by: .seconds(1))
    await wait { $0.received > 0 }
    next.yield(Data(#"{"id":7}  "#.utf8))
    next.finish()
    _ = try await saving.value
    withExtendedLifetime(token) {}
    expectTrue(!post.has(RemoteState.Loading.cid) && told.all.count <= count + 2)
    expectEqual(told.all.map(\.received), told.all.map(\.received).sorted())
  }

  @Test(arguments: DeskTransport.allCases)
  func `Nothing is told unless it is wanted, and bodies have a limit`(
    _ kind: DeskTransport
  ) async throws {
    for isWanted in [false, true] {
      let desk = try Desk(kind) {
        if isWanted { ($0.progress, $0.maximumBodySize) = (.zero, 5) }
      } _: { _ in
        .json(#"{"id":7,"title":"B"}"#)
      }
      let post = desk.post()
      let told = Counter()
      let token = desk.context.group(RemoteState.Loading.matcher).observe(initial: false) { _ in
        if post.get(RemoteState.Loading.self)?.progress != nil { told.add(1) }
      }
      if isWanted {
        await #expect(
          throws: RemoteError.transport(.badResponse("its body is larger than 5 bytes"))
        ) {
          try await desk.remote.fetch(post, as: desk.posts())
        }
      } else {
        try await desk.remote.fetch(post, as: desk.posts())
      }
      withExtendedLifetime(token) {}
      expectTrue(told.value == 0 || isWanted)
    }
  }
}
