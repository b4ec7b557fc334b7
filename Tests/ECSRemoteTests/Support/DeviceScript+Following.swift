import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation

// What is sent to a device, and what overtakes that.
extension DeviceScript {
  func ask(_ body: @escaping @Sendable () async -> Void) async {
    guard courier.isHolding else { return await body() }
    server.note("-- an answer is slow")
    asking.append(Task { await body() })
    // It may have to wait for its turn.
    for _ in 0..<3 { await pause() }
  }

  /// Something is sent while answers are on their way.
  func overtake() async {
    courier.hold()
    await ask()
    if random.oneIn(2) {
      edit()
      desk.loop.runUntilSettled()
      for _ in 0..<3 { await pause() }
    }
    for _ in 0...random.below(3) { changeElsewhere() }
    if !random.oneIn(4) { await follow() }
    if random.oneIn(2) { await release() }
  }

  /// Slow answers come.
  func release() async {
    if courier.isHolding { server.note("-- slow answers come") }
    await courier.release()
    for task in asking { await task.value }
    asking = []
  }

  func settle() async {
    await release()
    await desk.settled()
  }

  /// Follows for one connection.
  func follow() async {
    let (remote, posts) = (desk.remote, desk.posts)
    let feed = RemoteFeed(
      named: "posts", at: { baseURL.appendingPathComponent("events") },
      changes: { event in
        let data = try event.json()
        guard let post = data["post"] else { return [.delete(data["id"] ?? .null, as: posts)] }
        return [.save(post, as: posts, etag: data["etag"]?.string)]
      })
    let owner = remote.feed(named: feed.name)
    owner.remove(RemoteState.Following.cid)
    let task = Task { try await remote.follow(feed) }
    while true {
      switch owner.get(RemoteState.Following.self)?.phase {
      case nil, .connecting, .connected: await pause()
      case .failed(let error):
        problems.append("the feed fails: \(error)")
        return
      case .ended, .stopped: return
      case .waiting:
        task.cancel()
        while owner.get(RemoteState.Following.self)?.phase != .stopped { await pause() }
        server.note("-- followed to \(owner.get(RemoteFeedPosition.self)?.lastID ?? "")")
        return
      }
    }
  }

  /// Follows to the end, and fetches what is said to be stale, or not said to be as on the server:
  /// states do not outlive a process.
  func catchUp() async {
    await follow()
    let last = desk.remote.feed(named: "posts").get(RemoteFeedPosition.self)?.lastID ?? ""
    if (Int(last) ?? 0) != server.lastEvent { problems.append("it was followed to '\(last)'") }
    for post in posts() where post.has(RemoteState.Stale.cid) || !post.has(RemoteState.Fetched.cid)
    {
      do {
        try await desk.remote.fetch(post, as: desk.posts)
      } catch {
        // It was deleted, which the feed said.
        post.destroy()
      }
    }
  }
}
