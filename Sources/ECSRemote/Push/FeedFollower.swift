import ECS
import ECSRecipes
import Foundation

/// Follows a feed from connection to connection.
struct FeedFollower: Sendable {
  let remote: Remote
  let feed: RemoteFeed

  /// Its number among the runs, of which only the latest one writes.
  let number: Int

  /// Why a connection is over.
  private enum Ending {
    /// There is nothing to follow.
    case over

    /// Another one may be better.
    case passing(RemoteError, retryAfter: Duration?)
    case failed(RemoteError)
  }

  /// The state that one connection leaves to the next one.
  private struct Course {
    var failures = 0

    /// How long the server asks to wait.
    var retry = Duration.zero
  }

  private var configuration: RemoteConfiguration { remote.configuration }

  func run() async throws(RemoteError) {
    var course = Course()
    remote.feedRuns.begin(feed.name, number)
    while true {
      note(.connecting)
      switch await listen(&course) {
      case .over: return note(.ended)
      case .failed(let error):
        note(error == .cancelled ? .stopped : .failed(error))
        throw error
      case .passing(let error, let retryAfter):
        course.failures += 1
        note(.waiting(attempt: course.failures, error))
        let chance = configuration.random()
        let asked = max(min(course.retry, RemoteConfiguration.longestWait), retryAfter ?? .zero)
        do throws(RemoteError) {
          try await configuration.clock.sleep(
            for: asked + configuration.retry.endless.wait(after: course.failures, chance: chance))
        } catch {
          note(.stopped)
          throw error
        }
      }
    }
  }

  private func note(_ phase: RemoteState.Following.Phase) {
    remote.context.perform("remote feed \(feed.name)") {
      guard isLatest else { return }
      remote.feed(named: feed.name).setIfChanged(RemoteState.Following(phase: phase))
    }
  }

  private var isLatest: Bool { remote.feedRuns.isLatest(feed.name, number) }

  // Whether events may be applied: a caller that has cancelled sees no more of them. Asked for in
  // the section that applies one, as a caller that has seen the end may change the same entities
  // next.
  private var goesOn: Bool { remote.followings.isUnderWay(feed.name, number) }

  private var lastID: String {
    let known = remote.feed(named: feed.name).get(RemoteFeedPosition.self)?.lastID ?? ""
    return known.isFeedPosition ? known : ""
  }

  // MARK: Connecting

  private func listen(_ course: inout Course) async -> Ending {
    let lastID = lastID
    let stream: HTTPStream
    do throws(RemoteError) {
      stream = try await connect(after: lastID)
    } catch {
      return error.isPassing ? .passing(error, retryAfter: nil) : .failed(error)
    }
    if stream.status == 204 { return .over }
    guard stream.status == 200 else { return await refused(stream) }
    let type = stream.headers["Content-Type"] ?? ""
    let essence = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    guard feed.contentTypes.contains(essence) else {
      let wanted = feed.contentTypes.sorted().joined(separator: " or ")
      return .failed(.transport(.badResponse("its content is '\(type)', not \(wanted)")))
    }
    note(.connected)
    var body = stream.body
    (body.silence, body.clock) = (feed.silence, configuration.clock)
    do throws(RemoteError) {
      try await read(body, after: lastID, &course)
    } catch {
      return error.isPassing ? .passing(error, retryAfter: nil) : .failed(error)
    }
    return .passing(.transport(.interrupted("the server has ended the feed")), retryAfter: nil)
  }

  private func connect(after lastID: String) async throws(RemoteError) -> HTTPStream {
    let seen = remote.requests.authority.count
    let stream = try await connectOnce(after: lastID)
    guard stream.status == 401,
      try await remote.requests.authority.renewed(since: seen, within: configuration.deadline)
    else { return stream }
    return try await connectOnce(after: lastID)
  }

  private func connectOnce(after lastID: String) async throws(RemoteError) -> HTTPStream {
    if Task.isCancelled { throw .cancelled }
    var request = try await request(after: lastID)
    do {
      try await configuration.willSend(&request)
    } catch {
      throw RemoteError.thrown("before a request", error)
    }
    var stream: HTTPStream
    do throws(TransportError) {
      stream = try await remote.requests.transport.stream(request) { _ in }
    } catch {
      throw error == .cancelled ? .cancelled : .transport(error)
    }
    var head = HTTPResponse(stream.status, headers: stream.headers)
    do {
      try await configuration.didReceive(request, &head)
    } catch {
      throw RemoteError.thrown("after an answer", error)
    }
    (stream.status, stream.headers) = (head.status, head.headers)
    return stream
  }

  private func request(after lastID: String) async throws(RemoteError) -> HTTPRequest {
    var query = configuration.parameters()
    if case .parameter(let name) = feed.resumption, !lastID.isEmpty {
      query[name] = .string(lastID)
    }
    if let willEncode = configuration.willEncode {
      var parameters = RemoteParameters(method: .get, name: feed.name, query: query, body: nil)
      do {
        try await willEncode(&parameters)
      } catch {
        throw RemoteError.thrown("before parameters are encoded", error)
      }
      query = parameters.query
    }
    let base: URL
    do {
      base = try feed.url()
    } catch {
      throw .hook("the URL of the feed \(feed.name): \(error)")
    }
    var request = HTTPRequest(
      .get, try Resource.url(base, of: feed.name, then: [], query: query),
      timeout: configuration.timeout)
    request.headers["Accept"] = feed.contentTypes.sorted().joined(separator: ", ")
    request.headers["Cache-Control"] = "no-store"
    for field in configuration.headers.fields + feed.headers.fields {
      request.headers[field.name] = field.value
    }
    if case .header(let name) = feed.resumption, !lastID.isEmpty { request.headers[name] = lastID }
    return request
  }

  private func refused(_ stream: HTTPStream) async -> Ending {
    let whole = try? await withDeadline(configuration.timeout) {
      do throws(TransportError) {
        return .success(try await stream.collected(upTo: RemoteConfiguration.largestRefusal))
      } catch {
        return .failure(error)
      }
    }
    if Task.isCancelled { return .failed(.cancelled) }
    let response = whole ?? HTTPResponse(stream.status, headers: stream.headers)
    let error = configuration.refusal(response)
    return error.isPassing
      ? .passing(error, retryAfter: configuration.retryAfter(response)) : .failed(error)
  }

  // MARK: Reading

  private func read(
    _ body: HTTPBody, after lastID: String, _ course: inout Course
  ) async throws(RemoteError) {
    var parser = feed.parser(after: lastID)
    var parts = body.makeAsyncIterator()
    while true {
      var items: [PushItem] = []
      var isEnd = false
      do throws(TransportError) {
        if let part = try await parts.next() {
          items = try parser.read(part)
        } else {
          isEnd = true
          items = parser.finish()
        }
      } catch {
        throw error == .cancelled ? .cancelled : .transport(error)
      }
      if !isEnd { course.failures = 0 }
      for item in items {
        switch item {
        case .retry(let time): course.retry = time
        case .position(let id):
          remote.context.perform("remote feed \(feed.name)") { note(id) }
        case .event(let event): try apply(event)
        }
      }
      if isEnd { return }
    }
  }

  // MARK: Applying

  private func apply(_ event: PushEvent) throws(RemoteError) {
    do throws(RemoteError) {
      let changes = try changes(event)
      if changes.count < 2 {
        try remote.context.perform("remote feed \(feed.name)") { () throws(RemoteError) in
          guard goesOn else { throw .cancelled }
          try remote.take(changes)
          note(event.id)
        }
      } else {
        try remote.context.transaction("remote feed \(feed.name)") { () throws(RemoteError) in
          guard goesOn else { throw .cancelled }
          try remote.take(changes)
          note(event.id)
        }
      }
    } catch {
      guard goesOn else { throw .cancelled }
      guard feed.onBadEvent(event, error) == .skip else { throw error }
      remote.context.perform("remote feed \(feed.name)") { note(event.id) }
    }
  }

  private func changes(_ event: PushEvent) throws(RemoteError) -> [PushChange] {
    do {
      return try feed.changes(event)
    } catch let error as RemoteError {
      throw error
    } catch let error as JSONSyntaxError {
      throw .syntax(error)
    } catch {
      throw .hook("an event of the feed \(feed.name): \(error)")
    }
  }

  // In a section of the context.
  private func note(_ id: String) {
    guard goesOn else { return }
    let owner = remote.feed(named: feed.name)
    var position = owner.get(RemoteFeedPosition.self) ?? RemoteFeedPosition(feed: feed.name)
    position.lastID = id
    owner.setIfChanged(position)
  }
}
