import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs, .ownThread) struct PageTests {
  /// A server with so many posts, whatever way it is asked for them.
  private func desk(_ count: Int) throws -> Desk {
    try Desk { request in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
      let size = Int(query["limit"] ?? query["_limit"] ?? "") ?? count
      let start =
        Int(query["_start"] ?? query["after"] ?? "") ?? ((Int(query["page"] ?? "1") ?? 1) - 1)
        * size
      let end = min(start + size, count)
      let posts = (min(start, end)..<end).map { "{\"id\":\($0)}" }.joined(separator: ",")
      let token = end < count ? "\(end)" : "null"
      let link =
        end < count ? "<?x=1>; rel=prev, <?limit=\(size)&after=\(end)>; rel=\"last next\"" : ""
      return .json(
        query["plain"] == nil ? "{\"posts\":[\(posts)],\"next\":\(token)}" : "[\(posts)]", 200,
        ["Link": link])
    }
  }

  private func sizes(_ desk: Desk, _ resource: Resource) async throws -> [Int] {
    var (sizes, ids) = ([Int](), [Int]())
    for try await page in desk.remote.pages(resource, size: 2, parameters: ["q": "x"]) {
      sizes.append(page.count)
      ids += page.compactMap { $0.get(PostID.self)?.value }
    }
    expectEqual(ids, Array(0..<ids.count))
    return sizes
  }

  @Test(arguments: [
    Paging.pages(), .offset(),
    .cursor(parameter: "after", at: JSONPath(steps: [.key("next")]), size: "limit"),
    .linkHeader(size: "limit"),
  ])
  func `Pages come one after the other, until the last one`(_ paging: Paging) async throws {
    for count in 0...5 {
      let desk = try desk(count)
      let posts = try desk.posts().reading(at: "post", list: "posts").paged(by: paging)
      let sizes = try await sizes(desk, posts)
      expectEqual(sizes, Array([2, 2, 2].prefix(count / 2)) + (count % 2 == 1 ? [1] : []))
      expectEqual(desk.context.group(PostID.matcher).count, count)
    }
  }

  @Test func `The queries are those of the paging`() async throws {
    let base = "GET http://api.example/v1/posts?"
    let wanted: [(Paging, [String])] = [
      (.none, ["q=x"]),
      (.pages(), ["q=x&page=1&limit=2", "q=x&page=2&limit=2"]),
      (.pages(first: 0), ["q=x&page=0&limit=2"]),
      (.offset(), ["q=x&_start=0&_limit=2", "q=x&_start=2&_limit=2"]),
      (
        .cursor(parameter: "after", at: JSONPath(steps: [.key("next")]), size: "limit"),
        ["q=x&limit=2", "q=x&after=2&limit=2"]
      ),
      (.linkHeader(size: "limit"), ["q=x&limit=2", "limit=2&after=2"]),
    ]
    for (paging, queries) in wanted {
      let desk = try desk(3)
      let posts = try desk.posts().reading(at: "post", list: "posts").paged(by: paging)
      var pages = desk.remote.pages(posts, size: 2, parameters: ["q": "x"]).makeAsyncIterator()
      for _ in queries { _ = try await pages.next() }
      expectEqual(desk.lines, queries.map { base + $0 })
    }
  }

  @Test func `A server that leads in a circle or elsewhere is an error`() async throws {
    for link in [
      "<http://evil.example/v1/posts?page=2>; rel=next", "<https://api.example/>; rel=next",
      "<posts>; rel=next",
    ] {
      let desk = try Desk { _ in .json("[]", 200, ["Link": link]) }
      await #expect(throws: RemoteError.self) {
        for try await _ in desk.remote.pages(desk.posts().paged(by: .linkHeader()), size: 2) {}
      }
      expectEqual(desk.lines.count, 1)
    }
    let desk = try Desk { _ in .json(#"{"list":[],"next":"a"}"#) }
    let posts = try desk.posts().reading(at: "x", list: "list")
      .paged(by: .cursor(parameter: "c", at: JSONPath("next")))
    await #expect(throws: RemoteError.self) {
      for try await _ in desk.remote.pages(posts, size: 2) {}
    }
    expectEqual(desk.lines.count, 2)
  }

  @Test(arguments: [2, 3, 7])
  func `Pages that lead back to an earlier one end with an error`(_ length: Int) async throws {
    let count = Tally()
    let links = try Desk { _ in
      count.add()
      return .json("[]", 200, ["Link": "<posts?page=\(count.value % length)>; rel=next"])
    }
    await #expect(throws: RemoteError.self) {
      for try await _ in links.remote.pages(links.posts().paged(by: .linkHeader()), size: 2) {}
    }
    expectLessThanOrEqual(links.lines.count, 4 * length)
    let tokens = try Desk { _ in
      count.add()
      return .json(#"{"list":[],"next":"\#(count.value % length)"}"#)
    }
    let posts = try tokens.posts().reading(at: "x", list: "list")
      .paged(by: .cursor(parameter: "c", at: JSONPath("next")))
    await #expect(throws: RemoteError.self) {
      for try await _ in tokens.remote.pages(posts, size: 2) {}
    }
    expectLessThanOrEqual(tokens.lines.count, 4 * length)
  }

  @Test func `A server that does not look at the number of the page is an error`() async throws {
    let desk = try Desk { _ in .json(#"[{"id":1},{"id":2}]"#) }
    for paging in [Paging.pages(), .offset()] {
      await #expect(throws: RemoteError.self) {
        for try await _ in desk.remote.pages(desk.posts().paged(by: paging), size: 2) {}
      }
    }
    expectEqual(desk.lines.count, 4)
  }

  @Test func `Only who asks can end the pages by being cancelled`() async throws {
    let tally = Tally()
    let desk = try Desk {
      $0.willSend = { _ in
        tally.add()
        if tally.value == 2 { throw CancellationError() }
      }
    } _: { _ in
      .json(tally.value == 1 ? #"[{"id":1},{"id":2}]"# : #"[{"id":3}]"#)
    }
    let posts = desk.posts().paged(by: .pages())
    var pages = desk.remote.pages(posts, size: 2).makeAsyncIterator()
    try await expectEqual(pages.next()?.count, 2)
    await #expect(throws: RemoteError.cancelled) { try await pages.next() }
    try await expectEqual(pages.next()?.count, 1)
  }

  @Test func `A page that fails is asked for again, and cancelling ends the pages`() async throws {
    let tally = Tally()
    let desk = try Desk { _ in
      tally.add()
      return tally.value == 2 ? HTTPResponse(403) : .json(#"[{"id":1},{"id":\#(tally.value + 1)}]"#)
    }
    let posts = desk.posts().paged(by: .pages())
    var pages = desk.remote.pages(posts, size: 2).makeAsyncIterator()
    try await expectEqual(pages.next()?.count, 2)
    await #expect(throws: RemoteError.self) { try await pages.next() }
    try await expectEqual(pages.next()?.count, 2)
    expectEqual(desk.lines.dropFirst().map { $0.suffix(6) }, ["imit=2", "imit=2"])
    let task = Task {
      var count = 0
      for try await _ in desk.remote.pages(posts, size: 2) {
        count += 1
        if count == 3 { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      }
      return count
    }
    try await expectEqual(task.value, 3)
  }
}
