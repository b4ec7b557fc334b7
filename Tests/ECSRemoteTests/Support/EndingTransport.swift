import ECSRemote

/// A transport between the remote and the closure of a test.
enum DeskTransport: CaseIterable, Sendable {
  /// The closure alone, which looks for no cancellation: fetches are tasks of their own.
  case stub

  /// One that ends when it is cancelled, as programs have it: the first caller fetches itself.
  case ending

  func over(_ stub: StubTransport) -> any HTTPTransport {
    switch self {
    case .stub: stub
    case .ending: EndingTransport(other: stub)
    }
  }
}

/// Sends through another transport, and ends when its task is cancelled, whatever the other one
/// does.
struct EndingTransport: StreamingTransport {
  let other: StubTransport

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await ending { () async throws(TransportError) in try await other.send(request) }
  }

  func stream(
    _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws(TransportError) -> HTTPStream {
    try await ending { () async throws(TransportError) in
      try await other.stream(request, sent: sent)
    }
  }

  private func ending<Answer: Sendable>(
    _ send: @escaping @Sendable () async throws(TransportError) -> Answer
  ) async throws(TransportError) -> Answer {
    let (answers, next) = AsyncStream.makeStream(of: Result<Answer, TransportError>.self)
    let task = Task {
      do throws(TransportError) {
        next.yield(.success(try await send()))
      } catch {
        next.yield(.failure(error))
      }
    }
    // A stream ends with the task that reads it.
    for await answer in answers { return try answer.get() }
    task.cancel()
    throw .cancelled
  }
}
