public import ECS
public import ECSRecipes

/// Keeps entities of a context in step with a server.
///
/// ```swift
/// let remote = Remote(context)
/// let all = try await remote.list(posts)
/// try await remote.save(all[0], as: posts)
/// ```
///
/// - What a server says goes through the recipe of a ``Resource``: an answer changes the same
///   entity, in one section of the context; absent keeps, null clears; what does not fit is an
///   error, with the place in the answer, and changes nothing.
/// - Requests about one entity go one after the other, so that answers don't overtake each other.
///   Its fields can be edited meanwhile: what is edited while a request for it is under way stays.
/// - Changes can be noted, to be sent when that is possible: ``saveLater(_:as:)``.
/// - What happens to requests is data: ``RemoteState``.
///
/// It can be used from any thread, and never holds the context while it waits.
public final class Remote: Sendable {
  typealias Failure = RequestFailure

  /// The context.
  public let context: Context

  /// What applies the answers.
  public let mapper: Mapper

  let configuration: RemoteConfiguration
  let requests: RemoteRequests
  let turns = KeyedSemaphore<Entity>(capacity: 1)

  /// For mutations, by their subjects.
  ///
  /// A call that passes here and for an entity, passes here first.
  let subjects = KeyedSemaphore<String>(capacity: 1)
  let fetches = SharedTasks<FetchKey, FetchResult>()
  let outbox: Outbox
  let arrivals: Arrivals
  let followings = SharedTasks<String, Bool>()
  let feedRuns = FeedRuns()
  let feeds: Index<String>

  /// Makes a remote.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - mapper: A mapper of the context; a new one by default.
  ///   - transport: What sends requests. Redirects are followed as ``RedirectingTransport`` does.
  ///   - configuration: What all requests have in common.
  public init(
    _ context: Context, mapper: Mapper? = nil, transport: any HTTPTransport = PlatformTransport(),
    configuration: RemoteConfiguration = RemoteConfiguration()
  ) {
    self.context = context
    self.mapper = mapper ?? Mapper(context)
    self.configuration = configuration
    requests = RemoteRequests(context, transport, configuration)
    outbox = Outbox(context)
    arrivals = Arrivals(context)
    feeds = context.index { (position: RemoteFeedPosition) in position.feed }
  }

  /// How many wait for what another one fetches.
  package var followerCount: Int { fetches.waitingCount }
}

/// The identity of a fetch.
struct FetchKey: Hashable, Sendable {
  let resource: String

  /// The entity; nil if there is none yet.
  var entity: Entity?
  let key: JSONValue
  let parameters: JSONObject

  // PERFORMANCE: What seldom tells two of them apart takes long to hash (H2).
  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(key)
  }
}

/// The entity that was fetched, and what it came to.
struct FetchResult: Sendable {
  let entity: Entity
  let outcome: RecipeOutcome
}
