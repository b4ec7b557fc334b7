import ECS
import ECSRecipes
import Foundation

/// A request before it has a URL.
struct RemoteCall: Sendable {
  let method: HTTPMethod
  let resource: Resource

  /// Where to send it, if not to the resource.
  var url: URL?

  /// Where that was when the resource was asked before.
  var knownURL: ResourceURL?

  /// The entity whose state tells of it.
  var entity: Entity?
  var key: JSONValue?
  var name: String?
  var query: JSONObject = [:]
  var headers: HTTPHeaders = [:]
  var body: JSONValue?

  /// What it is called for the server in all attempts; made if there is none.
  var idempotencyKey: String?

  /// How often it was tried before.
  var earlierAttempts = 0

  /// Statuses that count as success besides those from 200 to 299.
  var accepted: Set<Int> = []

  /// Where it is noted how far it has come, if another task may have to go on with it.
  var past: CallMemory?
}

/// An answer, and how it was got.
struct RemoteAnswer: Sendable {
  let response: HTTPResponse
  let url: URL
}

extension Remote {
  /// A call that failed, with the number of its attempts.
  struct Failure: Error {
    let error: RemoteError
    let attempts: Int
    let isFinal: Bool

    /// How long the server asks to wait.
    var retryAfter: Duration?

    /// Whether the server has done it nevertheless, and has refused what it led to.
    var isDone = false

    /// As callers are told: not that it was refused, if it was done.
    var told: Failure {
      guard isDone else { return self }
      return Failure(
        error: .transport(.interrupted("it was done, but not what that has led to: \(error)")),
        attempts: attempts, isFinal: isFinal, isDone: true)
    }
  }

  /// Sends a call, again if that may help and it may be tried so often, and returns an answer that
  /// tells of success.
  ///
  /// Goes on with one that another task has begun: no sooner than the server wants, and with no
  /// more attempts and no more time.
  nonisolated(nonsending) func send(
    _ call: RemoteCall, attempts: Int? = nil
  ) async throws(Failure) -> RemoteAnswer {
    let clock = configuration.clock
    let key =
      call.idempotencyKey ?? (call.method.isIdempotent ? nil : configuration.idempotencyKey?())
    let limit = attempts ?? configuration.retry.attempts
    var progress: CallProgress
    if let past = call.past?.progress {
      progress = past
      try await resume(past, call)
    } else {
      progress = CallProgress(end: clock.now() + configuration.deadline)
      call.past?.progress = progress
    }
    while true {
      let attempt = progress.attempts + 1
      note(attempt: call.earlierAttempts + attempt, of: call.entity)
      switch await step(call, key, until: progress.end, mayRenew: !progress.isRenewed) {
      case .done(let answer): return answer
      case .again:
        progress.isRenewed = true
        call.past?.progress = progress
      case .failed(let error, let response):
        // One that was broken off, as nobody waits for it here any more, does not count for who
        // goes on.
        let past = response == nil && Task.isCancelled ? nil : call.past
        let asked = response.flatMap(retryAfter)
        let wait = max(
          configuration.retry.wait(after: attempt, chance: configuration.random()), asked ?? .zero)
        let next = clock.now() + wait
        let mayBeRepeated =
          isHarmless(error) && response?.isOfOtherMethod != true
          || isPassing(error) && (call.method.isIdempotent || key != nil)
        guard mayBeRepeated, attempt < limit, next < progress.end else {
          let failure = Failure(
            error: error, attempts: attempt, isFinal: !isPassing(error), retryAfter: asked,
            isDone: response?.isOfOtherMethod == true)
          progress.failure = failure
          past?.progress = progress
          throw failure
        }
        (progress.attempts, progress.next) = (attempt, next)
        past?.progress = progress
        try await sleep(for: wait, after: attempt)
      }
    }
  }

  /// Waits until the next attempt at a call that has come so far may be made.
  private func resume(_ progress: CallProgress, _ call: RemoteCall) async throws(Failure) {
    if let failure = progress.failure { throw failure }
    let now = configuration.clock.now()
    if let next = progress.next, next > now {
      note(attempt: call.earlierAttempts + progress.attempts, of: call.entity)
      try await sleep(for: next - now, after: progress.attempts)
    }
  }

  /// Waits before the next attempt.
  private func sleep(for wait: Duration, after attempts: Int) async throws(Failure) {
    do throws(RemoteError) {
      try await configuration.clock.sleep(for: wait)
    } catch {
      throw Failure(error: error, attempts: attempts, isFinal: false)
    }
  }

  private enum Step {
    case done(RemoteAnswer)

    /// It is allowed now.
    case again
    case failed(RemoteError, HTTPResponse?)
  }

  private nonisolated(nonsending) func step(
    _ call: RemoteCall, _ idempotencyKey: String?, until end: Duration, mayRenew: Bool
  ) async -> Step {
    let seen = authority.count
    do throws(RemoteError) {
      let answer = try await attemptOnce(call, idempotencyKey, until: end)
      let response = answer.response
      if (200..<300).contains(response.status) || call.accepted.contains(response.status) {
        return .done(answer)
      }
      if response.status == 401, mayRenew, !response.isOfOtherMethod || call.method.isIdempotent,
        try await authority.renewed(since: seen, within: end - configuration.clock.now())
      {
        return .again
      }
      return .failed(refusal(response), response)
    } catch {
      return .failed(error, nil)
    }
  }

  private nonisolated(nonsending) func attemptOnce(
    _ call: RemoteCall, _ idempotencyKey: String?, until end: Duration
  ) async throws(RemoteError) -> RemoteAnswer {
    try await lines.pass(true, within: end - configuration.clock.now(), configuration.clock) {
      () async throws(RemoteError) in
      if Task.isCancelled { throw .cancelled }
      let call = try await seen(call)
      var request = try request(call, idempotencyKey)
      request.timeout = min(configuration.timeout, end - configuration.clock.now())
      if request.timeout <= .zero { throw .transport(.timedOut) }
      var response: HTTPResponse
      do {
        try await configuration.willSend(&request)
      } catch {
        throw hookFailure("before a request", error)
      }
      do throws(TransportError) {
        response = try await exchange(request, about: call.entity)
      } catch {
        throw error == .cancelled ? .cancelled : .transport(error)
      }
      do {
        try await configuration.didReceive(request, &response)
      } catch {
        throw hookFailure("after an answer", error)
      }
      return RemoteAnswer(response: response, url: request.url)
    }
  }

  /// The call as the configuration's hook makes it.
  private nonisolated(nonsending) func seen(
    _ call: RemoteCall
  ) async throws(RemoteError) -> RemoteCall {
    guard let willEncode = configuration.willEncode else { return call }
    var parameters = RemoteParameters(
      method: call.method, name: call.resource.name, query: call.url == nil ? call.query : [:],
      body: call.body)
    do {
      try await willEncode(&parameters)
    } catch {
      throw hookFailure("before parameters are encoded", error)
    }
    var seen = call
    if parameters.query != call.query { seen.knownURL = nil }
    (seen.query, seen.body) = (parameters.query, parameters.body)
    return seen
  }

  // Sends a request and waits for the whole answer, and tells how far it is if that is wanted.
  private nonisolated(nonsending) func exchange(
    _ request: HTTPRequest, about entity: Entity?
  ) async throws(TransportError) -> HTTPResponse {
    guard let interval = configuration.progress, let entity, transport.canStream else {
      return try await transport.send(request)
    }
    let meter = ProgressMeter(self, entity, every: interval, sending: request.body?.count ?? 0)
    defer { meter.end() }
    return try await withDeadline(request.timeout, configuration.clock) {
      [transport, configuration] in
      do throws(TransportError) {
        let stream = try await transport.stream(request) { meter.sent($0) }
        meter.expect(stream.expectedSize)
        let limit = configuration.maximumBodySize
        return .success(try await stream.collected(upTo: limit) { meter.received($0) })
      } catch {
        return .failure(error)
      }
    }
  }

  /// What each request has, unless it is said otherwise.
  private static let ownHeaders: HTTPHeaders = ["Accept": "application/json"]

  private func request(
    _ call: RemoteCall, _ idempotencyKey: String?
  ) throws(RemoteError) -> HTTPRequest {
    let url: URL
    if let known = call.url {
      url = known
    } else {
      url = try call.resource.url(
        key: call.key, then: call.name, query: call.query, known: call.knownURL
      ).url
    }
    var request = HTTPRequest(call.method, url, headers: Remote.ownHeaders)
    for field in configuration.headers.fields { request.headers[field.name] = field.value }
    if let body = call.body {
      request.headers["Content-Type"] = "application/json"
      request.body = body.data()
    }
    if let idempotencyKey { request.headers["Idempotency-Key"] = idempotencyKey }
    for field in call.headers.fields { request.headers[field.name] = field.value }
    return request
  }

  func hookFailure(_ place: String, _ error: any Error) -> RemoteError {
    error is CancellationError || Task.isCancelled ? .cancelled : .hook("\(place): \(error)")
  }

  // MARK: Judging

  /// How much is kept of what a server says why it refuses: entities have it as long as they have
  /// failed.
  static let largestRefusal = 64 << 10

  func refusal(_ response: HTTPResponse) -> RemoteError {
    let body = response.body.prefix(Remote.largestRefusal)
    let data = body.count < response.body.count ? nil : try? JSONValue(data: body)
    return .http(
      status: response.status, problem: data.flatMap(configuration.problem), body: Data(body))
  }

  /// Whether it may be different another time.
  func isPassing(_ error: RemoteError) -> Bool {
    switch error {
    case .transport(.notConnected), .transport(.interrupted), .transport(.timedOut): true
    case .http(let status, _, _): [408, 425, 429].contains(status) || error.isOfServer
    default: false
    }
  }

  /// Whether the server has certainly done nothing, and may do it another time.
  private func isHarmless(_ error: RemoteError) -> Bool {
    switch error {
    case .transport(.notConnected), .http(425, _, _), .http(429, _, _): true
    default: false
    }
  }

  /// The longest that a server may ask to wait.
  static let longestWait = Duration.seconds(3600)

  /// The forms of dates in fields: today's, and the two that HTTP had before.
  private static let dateFormats = [
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
  ]

  /// How long the server asks to wait, within bounds.
  func retryAfter(_ response: HTTPResponse) -> Duration? {
    guard let text = response.headers.values(of: "Retry-After").first else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // What does not fit is longer than any wait.
      return text.isEmpty ? nil : min(.seconds(Int(text) ?? .max), Remote.longestWait)
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    let date = Remote.dateFormats.lazy.compactMap { form in
      format.dateFormat = form
      return format.date(from: text)
    }.first
    guard let date else { return nil }
    let seconds = date.timeIntervalSince(configuration.date())
    let limit = Remote.longestWait / .seconds(1)
    return seconds < limit ? .seconds(max(0, seconds)) : Remote.longestWait
  }
}
