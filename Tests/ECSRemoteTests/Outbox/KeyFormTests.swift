import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation
import Testing

private struct CardID: Component, Hashable { var value = UUID() }

/// Keys that a server writes in another form than the recipe does.
@Suite(.noHangs, .ownThread) struct KeyFormTests {
  private static let list = #"[{"id":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f","title":"A"}]"#

  private func cards() throws -> Resource {
    let recipe = try Recipe("card") {
      Identity(\CardID.value, at: "id", of: CardID())
      Fields(of: Post()) { Field(\.title, at: "title") }
    }
    return Resource(recipe) { baseURL }
  }

  @Test func `What is deleted here stays away`() async throws {
    let remote = Remote(Context(), transport: StubTransport { _ in .json(KeyFormTests.list) })
    let cards = try cards()
    let card = try #require(try await remote.list(cards).first)
    remote.deleteLater(card, as: cards)
    try await expectTrue(remote.list(cards).isEmpty)
    expectTrue(remote.context.group(Post.matcher).isEmpty)
  }

  @Test func `A list is older than what was saved since`() async throws {
    let (gate, lists) = (Gate(), Counter())
    let transport = StubTransport { request in
      guard request.method == .get, request.url == baseURL else { return HTTPResponse(204) }
      if lists.add(1) > 1 { await gate.pass() }
      return .json(KeyFormTests.list)
    }
    let remote = Remote(Context(), transport: transport)
    let cards = try cards()
    let card = try #require(try await remote.list(cards).first)
    let listing = Task { try await remote.list(cards) }
    await gate.waitForArrivals(1)
    remote.context.perform { card.update(Post.self) { $0.title = "B" } }
    try await remote.save(card, as: cards)
    await gate.open()
    try await expectEqual(listing.value, [card])
    expectEqual(card.get(Post.self)?.title, "B")
  }
}
