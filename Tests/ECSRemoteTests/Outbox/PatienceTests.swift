import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// How long, and how often, what fails is tried again.
@Suite(.noHangs, .ownThread) struct PatienceTests {
  private func desk(
    _ configure: (inout RemoteConfiguration) -> Void = { _ in },
    _ answer: @escaping @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse
  ) throws -> Outpost {
    try Outpost(
      configure: configure,
      transport: { request async throws(TransportError) -> HTTPResponse in try answer(request) })
  }

  /// Turns the time in steps, and waits until all is sent that can be.
  private func spend(_ time: Duration, _ desk: Outpost) async {
    await desk.settled()
    for _ in 0..<Int(time / .seconds(30)) {
      desk.time.advance(by: .seconds(30))
      await desk.settled()
    }
  }

  @Test func `What is tried without an end waits, whatever the rule says`() async throws {
    let isOver = Switch()
    let desk = try desk {
      $0.retry = .never
    } _: { _ throws(TransportError) in
      if isOver.isOn { return HTTPResponse(204) }
      throw .notConnected("away")
    }
    desk.write("A")
    desk.loop.runUntilSettled()
    let task = Task { try await desk.remote.follow(desk.feed) }
    while desk.lines.count < 2 { await pause() }
    for _ in 0..<20 { await pause() }
    expectEqual(desk.lines.sorted().map { $0.prefix(4) }, ["GET ", "POST"])
    isOver.isOn = true
    desk.time.advance(by: .seconds(1))
    try await task.value
    desk.loop.cancel()
  }

  @Test(arguments: [HTTPResponse(503), HTTPResponse(200, headers: ["Bad": "1"])])
  func `Changes that always fail keep no others waiting`(_ answer: HTTPResponse) async throws {
    let server = PostServer()
    let desk = try desk { request throws(TransportError) in
      if request.url.path.hasSuffix("reports") {
        if answer.status == 200 { throw .badResponse("odd") }
        return answer
      }
      return server.answer(request)
    }
    let reports = Resource(
      try Recipe("report") {
        Identity(\PostID.value, at: "id", of: PostID())
        Fields(of: Post()) { Field(\.title, at: "title") }
      }
    ) { URL(string: "http://api.example/v1/reports") ?? baseURL }
    let sender = SendingSystem(desk.remote, [reports, desk.posts])
    let loop = ReactiveLoop(
      ctx: desk.context, queue: DispatchQueue(label: "Patience"), systems: [sender])
    desk.loop.cancel()
    for _ in 0..<9 {
      desk.context.perform {
        let report = desk.context.createEntity(with: Post(title: "R"))
        _ = desk.remote.saveLater(report, as: reports)
      }
    }
    desk.write("A")
    loop.runUntilSettled()
    await sender.settled()
    for _ in 0..<4 {
      desk.time.advance(by: .seconds(30))
      await sender.settled()
    }
    expectEqual(server.rows.count, 1)
    loop.cancel()
  }

  @Test(
    arguments: [429, 503],
    ["99999999999", "9999999999999999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])
  func `Nobody may ask to wait for ever`(_ status: Int, _ time: String) async throws {
    let (server, count) = (PostServer(), Counter())
    let desk = try desk { request in
      count.add(1) == 1
        ? HTTPResponse(status, headers: ["Retry-After": time]) : server.answer(request)
    }
    desk.write("A")
    await desk.settled()
    desk.time.advance(by: .seconds(3599))
    await desk.settled()
    expectTrue(server.rows.isEmpty)
    desk.time.advance(by: .seconds(2))
    await desk.settled()
    expectEqual(server.rows.count, 1)
  }

  @Test
  func `All is tried at once when it is said that the server can be reached, also the first time`()
    async throws
  {
    let (server, isAway) = (PostServer(), Switch())
    let desk = try desk { request throws(TransportError) in
      if isAway.isOn { throw .notConnected("away") }
      return server.answer(request)
    }
    for (number, statement) in [true, nil, true, false, true].enumerated() {
      isAway.isOn = true
      desk.write("A")
      await desk.settled()
      expectEqual(server.rows.count, [0, 1, 1, 3, 3][number])
      isAway.isOn = false
      if let statement {
        desk.context.setUniqueComponent(Connectivity(isReachable: statement))
      } else {
        desk.context.removeUniqueComponent(Connectivity.self)
      }
      await desk.settled()
      expectEqual(server.rows.count, [1, 1, 3, 3, 5][number])
    }
  }

  @Test(arguments: [
    HTTPResponse(201), .json(#"{"id":{}}"#, 201), .json("?", 201),
    HTTPResponse(303, headers: ["Location": "/made"]), HTTPResponse(299),
  ])
  func `What is made, and not told of, is not made again and again`(
    _ answer: HTTPResponse
  ) async throws {
    let desk = try desk { request throws(TransportError) in
      if answer.status == 299 { throw .badResponse("compressed") }
      return request.method == .get ? HTTPResponse(403) : answer
    }
    let post = desk.write("A")
    await spend(.seconds(3600), desk)
    expectEqual(desk.methods.filter { $0 == "POST" }.count, 3)
    expectNotNil(desk.mutations.first?.refusal)
    expectEqual(post.get(RemoteState.Failed.self)?.isFinal, true)
    let names = desk.transport.requests.compactMap { $0.headers["Idempotency-Key"] }
    expectEqual(Set(names).count, 1)
  }

  @Test func `A failure of the server may come after the deed`() async throws {
    let desk = try desk { _ in HTTPResponse(524) }
    desk.write("A")
    await desk.settled()
    expectNil(desk.mutations.first?.refusal)
    desk.time.advance(by: .seconds(30))
    await desk.settled()
    let names = desk.transport.requests.compactMap { $0.headers["Idempotency-Key"] }
    expectTrue(names.count == 2 && Set(names).count == 1)
  }

  @Test func `What a server says of its refusal is kept up to a limit`() async throws {
    let text = String(repeating: "é", count: 1 << 20)
    let desk = try desk { _ in
      .json(#"{"title":"no","detail":"\#(text)"}"#, 422)
    }
    let post = desk.write("A")
    await desk.settled()
    expectEqual(desk.mutations.first?.refusal.map { $0.utf8.count <= 1 << 10 }, true)
    guard case .http(422, _, let body) = post.get(RemoteState.Failed.self)?.error else {
      Issue.record("it did not fail")
      return
    }
    expectEqual(body.count, 64 << 10)
  }

  @Test func `What a refusal means is kept as a text of some length`() async throws {
    let text = String(repeating: "é", count: 10_000)
    let desk = try desk { _ in .json(#"{"title":"no","detail":"\#(text)"}"#, 422) }
    desk.write("A")
    await desk.settled()
    let refusal = try #require(desk.mutations.first?.refusal)
    expectTrue(refusal.utf8.count <= 1 << 10 && refusal.contains("422") && refusal.hasSuffix("…"))
  }
}
