import ECS
import ECSRecipes
import Foundation

/// The requests of a remote: attempts at calls, and what the states of entities say of them.
struct RemoteRequests: Sendable {
  let context: Context
  let configuration: RemoteConfiguration
  let transport: RedirectingTransport
  let authority: RemoteAuthority
  private let lines: KeyedSemaphore<Bool>

  init(
    _ context: Context, _ transport: any HTTPTransport, _ configuration: RemoteConfiguration
  ) {
    (self.context, self.configuration) = (context, configuration)
    self.transport = RedirectingTransport(
      transport, limit: 10, carrying: [], now: configuration.clock.now)
    lines = KeyedSemaphore(capacity: configuration.maximumConcurrentRequests)
    authority = RemoteAuthority(configuration)
  }

  /// Sends a call, again if that may help and it may be tried so often, and returns an answer that
  /// tells of success.
  ///
  /// Goes on with one that another task has begun: no sooner than the server wants, and with no
  /// more attempts and no more time.
  nonisolated(nonsending) func send(
    _ call: RemoteCall, attempts: Int? = nil
  ) async throws(RequestFailure) -> RemoteAnswer {
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
        // One that was broken off, as no caller waits for it here any more, does not count for the
        // task that goes on.
        let past = response == nil && Task.isCancelled ? nil : call.past
        let asked = response.flatMap(configuration.retryAfter)
        let wait = max(
          configuration.retry.wait(after: attempt, chance: configuration.random()), asked ?? .zero)
        let next = clock.now() + wait
        let mayBeRepeated =
          error.isHarmless && response?.isOfOtherMethod != true
          || error.isPassing && (call.method.isIdempotent || key != nil)
        guard mayBeRepeated, attempt < limit, next < progress.end else {
          let failure = RequestFailure(
            error: error, attempts: attempt, isFinal: !error.isPassing, retryAfter: asked,
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
  private func resume(_ progress: CallProgress, _ call: RemoteCall) async throws(RequestFailure) {
    if let failure = progress.failure { throw failure }
    let now = configuration.clock.now()
    if let next = progress.next, next > now {
      note(attempt: call.earlierAttempts + progress.attempts, of: call.entity)
      try await sleep(for: next - now, after: progress.attempts)
    }
  }

  /// Waits before the next attempt.
  private func sleep(for wait: Duration, after attempts: Int) async throws(RequestFailure) {
    do throws(RemoteError) {
      try await configuration.clock.sleep(for: wait)
    } catch {
      throw RequestFailure(error: error, attempts: attempts, isFinal: false)
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
      return .failed(configuration.refusal(response), response)
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
        throw .thrown("before a request", error)
      }
      do throws(TransportError) {
        response = try await exchange(request, about: call.entity)
      } catch {
        throw error == .cancelled ? .cancelled : .transport(error)
      }
      do {
        try await configuration.didReceive(request, &response)
      } catch {
        throw .thrown("after an answer", error)
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
      throw .thrown("before parameters are encoded", error)
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
    var request = HTTPRequest(call.method, url, headers: RemoteRequests.ownHeaders)
    for field in configuration.headers.fields { request.headers[field.name] = field.value }
    if let body = call.body {
      request.headers["Content-Type"] = "application/json"
      request.body = body.data()
    }
    if let idempotencyKey { request.headers["Idempotency-Key"] = idempotencyKey }
    for field in call.headers.fields { request.headers[field.name] = field.value }
    return request
  }

  // MARK: States

  private func note(attempt: Int, of entity: Entity?) {
    guard let entity, entity.isHere(in: context) else { return }
    context.perform("remote") { _ = entity.set(RemoteState.Loading(attempt: attempt)) }
  }

  /// A request for an entity has failed.
  func note(_ failure: RequestFailure, of entity: Entity?) {
    guard let entity, entity.isHere(in: context) else { return }
    context.perform("remote") {
      entity.remove(RemoteState.Loading.cid)
      // A cancellation is no failure of the server.
      if failure.error == .cancelled { return }
      _ = entity.set(
        RemoteState.Failed(
          error: failure.error, attempts: failure.attempts, isFinal: failure.isFinal))
    }
  }

  /// Does something about an entity, whose state says so when it fails.
  nonisolated(nonsending) func noting<Value: Sendable>(
    _ entity: Entity?, _ body: nonisolated(nonsending) () async throws(RequestFailure) -> Value
  ) async throws(RemoteError) -> Value {
    do throws(RequestFailure) {
      return try await body()
    } catch {
      let failure = error.reported
      note(failure, of: entity)
      throw failure.error
    }
  }
}
