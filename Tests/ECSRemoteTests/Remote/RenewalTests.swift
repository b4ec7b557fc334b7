import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import Foundation
import Testing

/// Renewals of what requests are allowed by, the requests that wait for them, and those that leave
/// meanwhile.
@Suite(.noHangs, .ownThread) struct RenewalTests {
  private let begun = Tally()
  private let ended = Tally()

  /// A renewal that goes on when the gate is opened, unless it has been cancelled by then.
  private func renewal(behind gate: Gate) -> @Sendable () async throws -> Bool {
    { [begun, ended] in
      begun.add()
      await gate.pass()
      try Task.checkCancellation()
      ended.add()
      return true
    }
  }

  @Test(arguments: DeskTransport.allCases)
  func `Many who are refused wait for one renewal, and are tried again once`(
    _ kind: DeskTransport
  ) async throws {
    let renewals = Tally()
    let gate = Gate()
    let desk = try Desk(kind) {
      $0.maximumConcurrentRequests = 100
      $0.willSend = { $0.headers["Authorization"] = "\(renewals.value)" }
      $0.reauthorize = {
        await gate.pass()
        renewals.add()
        return true
      }
    } _: { request in
      request.headers["Authorization"] == "0" ? HTTPResponse(401) : .json("{}")
    }
    let posts = desk.posts()
    let tasks = (1...20).map { id in
      Task { try await desk.remote.fetch(key: .number(JSONNumber(id)), as: posts) }
    }
    while desk.lines.count < 20 { await pause() }
    await gate.open()
    for task in tasks { _ = try await task.value }
    expectEqual(renewals.value, 1)
    expectEqual(desk.lines.count, 40)
  }

  @Test func `Who is refused again, or can't be allowed, has failed`() async throws {
    let desk = try Desk {
      $0.reauthorize = { true }
    } _: { _ in
      HTTPResponse(401)
    }
    let post = desk.post()
    await #expect(throws: RemoteError.http(status: 401, problem: nil, body: Data())) {
      try await desk.remote.save(post, as: desk.posts())
    }
    expectEqual(desk.lines.count, 2)
    let no = try Desk {
      $0.reauthorize = { false }
    } _: { _ in
      HTTPResponse(401)
    }
    await #expect(throws: RemoteError.self) {
      try await no.remote.save(no.post(), as: no.posts())
    }
    expectEqual(no.lines.count, 1)
  }

  @Test(arguments: DeskTransport.allCases)
  func `What is asked for while the authorization is renewed does not wait for that`(
    _ kind: DeskTransport
  ) async throws {
    let own = Recorder<Desk>()
    let desk = try Desk(kind) {
      $0.reauthorize = {
        for desk in own.items { _ = try await desk.remote.fetch(key: 1, as: desk.posts()) }
        return true
      }
    } _: { _ in
      HTTPResponse(401)
    }
    own.append(desk)
    for _ in 0..<2 {
      await #expect(throws: RemoteError.self) {
        try await desk.remote.fetch(key: 2, as: desk.posts())
      }
    }
    expectEqual(desk.lines.count, 4)
    _ = own.take()
  }

  @Test(arguments: DeskTransport.allCases)
  func `A renewal that takes too long keeps nobody waiting`(
    _ kind: DeskTransport
  ) async throws {
    let gate = Gate()
    let desk = try Desk(kind) {
      $0.deadline = .seconds(9)
      $0.reauthorize = {
        await gate.pass()
        return false
      }
    } _: { _ in
      HTTPResponse(401)
    }
    let task = Task { try await desk.remote.fetch(key: 2, as: desk.posts()) }
    await desk.advance(by: .seconds(9))
    await #expect(throws: RemoteError.transport(.timedOut)) { try await task.value }
    await gate.open()
  }

  @Test(arguments: DeskTransport.allCases)
  func `A renewal goes on when nobody waits for it any more, and is that of the next`(
    _ kind: DeskTransport
  ) async throws {
    let gate = Gate()
    let desk = try Desk(kind) {
      $0.reauthorize = renewal(behind: gate)
    } _: { [ended] _ in
      ended.value == 0 ? HTTPResponse(401) : .json("{}")
    }
    let first = Task { try await desk.remote.fetch(key: 1, as: desk.posts()) }
    await gate.waitForArrivals(1)
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    let second = Task { try await desk.remote.fetch(key: 2, as: desk.posts()) }
    while desk.lines.count < 2 { await pause() }
    await gate.open()
    _ = try await second.value
    expectTrue(begun.value == 1 && ended.value == 1)
    expectEqual(desk.lines.count, 3)
  }

  @Test func `Who waits for a fetch gets it by the renewal of one that was cancelled`()
    async throws
  {
    let gate = Gate()
    let desk = try Desk(.ending) {
      $0.reauthorize = renewal(behind: gate)
    } _: { [ended] _ in
      ended.value == 0 ? HTTPResponse(401) : .json(#"{"title":"A"}"#)
    }
    let post = desk.post()
    let first = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    await gate.waitForArrivals(1)
    let second = Task { try await desk.remote.fetch(post, as: desk.posts()) }
    while desk.remote.followerCount == 0 { await pause() }
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    while desk.lines.count < 2 { await pause() }
    await gate.open()
    try await expectEqual(second.value, .updated)
    expectTrue(begun.value == 1 && ended.value == 1)
    expectEqual(desk.lines.count, 3)
  }

  @Test func `A renewal without an end is cancelled, and another one can begin`() async throws {
    let desk = try Desk {
      $0.deadline = .seconds(9)
      $0.reauthorize = { [begun, ended] in
        begun.add()
        if begun.value > 1 { return true }
        while !Task.isCancelled { await pause() }
        ended.add()
        throw CancellationError()
      }
    } _: { [begun] _ in
      begun.value < 2 ? HTTPResponse(401) : .json("{}")
    }
    let first = Task { try await desk.remote.fetch(key: 1, as: desk.posts()) }
    while desk.time.timerCount < 2 { await pause() }
    desk.time.advance(by: .seconds(9))
    await #expect(throws: RemoteError.transport(.timedOut)) { try await first.value }
    while ended.value == 0 { await pause() }
    _ = try await desk.remote.fetch(key: 2, as: desk.posts())
    expectEqual(begun.value, 2)
  }
}
