public import ECS
public import ECSRecipes
public import Foundation

/// The settings that all requests of a remote have in common.
public struct RemoteConfiguration: Sendable {
  /// Sent with each request: in the query, or in the body if there is one.
  ///
  /// An entity's fields go before them, and the parameters of a call before both.
  public var parameters: @Sendable () -> JSONObject = { [:] }

  /// Sent with each request.
  public var headers: HTTPHeaders = [:]

  /// Sees what each attempt asks with, before it is a URL and bytes, and may change that.
  ///
  /// For what is to be signed, or belongs to other parameters. Nil, the default, for nothing. What
  /// it waits for counts as in ``willSend``, which comes next.
  public var willEncode: (@Sendable (inout RemoteParameters) async throws -> Void)?

  /// Sees each attempt last, and may change everything: sign it, add a token.
  ///
  /// What it waits for counts, and keeps one of the ``maximumConcurrentRequests`` busy: give it an
  /// end, and fetch tokens in ``reauthorize``. A call that is cancelled returns no sooner than this
  /// does: end it when its task is cancelled.
  public var willSend: @Sendable (inout HTTPRequest) async throws -> Void = { _ in }

  /// Sees each answer first, and may change it.
  ///
  /// What it waits for counts as in ``willSend``; end it, too, when its task is cancelled.
  public var didReceive: @Sendable (HTTPRequest, inout HTTPResponse) async throws -> Void = {
    _, _ in
  }

  /// Asked if an answer is 401; true to try again.
  ///
  /// Once, however many requests wait for it; those that were sent before it was done are tried
  /// again without asking. A request that is refused again has failed. Requests of this `Remote`
  /// that it makes itself fail if they are refused; a request that waits for it does so until the
  /// ``deadline`` of the call.
  ///
  /// It goes on when all requests that waited are cancelled, so that what the server hands out once
  /// is not lost: the next request that is refused waits for it. It is cancelled when it has taken
  /// as long as the ``deadline``.
  public var reauthorize: (@Sendable () async throws -> Bool)?

  /// Makes of the data of a refusal what it means; as RFC 9457 has it, by default.
  public var problem: @Sendable (JSONValue) -> RemoteProblem? = RemoteProblem.standard

  /// How long an attempt may take.
  public var timeout: Duration = .seconds(60)

  /// How long a call may take with all its attempts and waits, but for those of hooks, and before
  /// that, how long it may wait for earlier calls about the same entity.
  public var deadline: Duration = .seconds(180)

  /// When a request is tried again.
  ///
  /// After ``TransportError/notConnected(_:)``, 425 and 429 any is; after other failures that may
  /// pass (a broken connection, a deadline, 408, 5xx but 501 and 505) only one that may be done
  /// twice: its method is idempotent, or it has an ``idempotencyKey``.
  public var retry = RemoteRetry.standard

  /// Makes a name for each `POST` and `PATCH`, the same for all attempts.
  ///
  /// It goes along as `Idempotency-Key`. Set it if the server does what has a name only once.
  public var idempotencyKey: (@Sendable () -> String)?

  /// How often ``RemoteState/Loading/progress`` is updated at most; nil, the default, for never.
  ///
  /// It needs a ``StreamingTransport``, as all of this module are.
  public var progress: Duration?

  /// How many bytes the body of an answer may have while ``progress`` is reported; otherwise, the
  /// transport has a limit.
  public var maximumBodySize = 64 << 20

  /// How many requests are under way at a time; the others wait.
  public var maximumConcurrentRequests = 6

  /// Time, for waits and for what counts as fresh.
  public var clock: LoopClock = .dispatch

  /// The date, for states and for `Retry-After`.
  public var date: @Sendable () -> Date = { Date() }

  /// A number from 0 to 1, for waits.
  public var random: @Sendable () -> Double = { .random(in: 0..<1) }

  /// Makes a configuration with the defaults.
  public init() {}
}
