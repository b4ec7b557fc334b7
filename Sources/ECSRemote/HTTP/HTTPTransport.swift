/// Sends a request and waits for the answer.
///
/// A transport neither retries nor follows redirects, neither caches nor keeps cookies, and gives
/// up at the deadline at the latest, whatever the platform does. The task's cancellation has to end
/// it at once: a call that is cancelled returns no sooner. ``RedirectingTransport`` follows
/// redirects with the help of another one.
///
/// ``PlatformTransport`` is the one to use; ``StubTransport`` is for tests.
public protocol HTTPTransport: Sendable {
  /// Sends a request and waits for the answer, whatever its status is.
  ///
  /// - Throws: ``TransportError``, if there is no answer.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
