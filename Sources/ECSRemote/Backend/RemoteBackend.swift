public import ECS
public import ECSRecipes

/// The entities of a resource of a server, as a back end.
///
/// ```swift
/// let books = RemoteBackend(remote, resource)
/// try await books.save(book)   // as remote.save(book, as: resource)
/// ```
///
/// - What waits to be sent is merged with what is fetched, as ``Remote`` does. A `save` or `delete`
///   of an entity whose changes wait is `BackendError.Reason.unavailable`, and so is one that does
///   not reach the server.
/// - A `POST` whose answer is lost or can't be used, or of which the server says that it failed
///   while it worked (5xx), is `BackendError.Reason.uncertain`: doing it again might make the
///   entity twice. What ``RemoteConfiguration/didReceive`` throws is refused, whatever the server
///   has done.
/// - It can do things later: see <doc:WorkingOffline>.
public struct RemoteBackend: EntityBackend {
  /// The remote.
  public let remote: Remote

  /// Where the entities are.
  public let resource: Resource

  /// How many entities a page of a list has; nil if lists are fetched at once.
  public let pageSize: Int?

  /// Makes a back end.
  ///
  /// - Parameters:
  ///   - remote: The remote.
  ///   - resource: Where the entities are; its recipe has an identity.
  ///   - pageSize: How many entities to ask for at a time, if the resource has ``Paging``: `list`
  ///     then fetches all pages, each applied when it comes. By default it is one request.
  /// - Precondition: The recipe has an identity.
  public init(_ remote: Remote, _ resource: Resource, pageSize: Int? = nil) {
    require(
      resource.key != nil,
      "A back end was asked for the resource '\(resource.name)', whose recipe has no identity: give it one."
    )
    (self.remote, self.resource, self.pageSize) = (remote, resource, pageSize)
  }

  /// The mapper of the remote.
  public var mapper: Mapper { remote.mapper }

  /// The mapping of the resource.
  public var recipe: Recipe { resource.recipe }

  /// `remote` and the name of the resource.
  public var name: String { "remote \(resource.name)" }

  // MARK: Reading

  /// Makes an entity what the server says: `GET url/key`.
  @discardableResult
  public func fetch(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
    try await translating { () async throws(RemoteError) in
      try await remote.fetch(entity, as: resource)
    }
  }

  /// The entity of a key, made when the server has it: `GET url/key`.
  @discardableResult
  public func fetch(key: JSONValue) async throws(BackendError) -> Entity {
    try await translating { () async throws(RemoteError) in
      try await remote.fetch(key: key, as: resource)
    }
  }

  /// All entities, in the order of the server: `GET url`, or a request for each page.
  public func list() async throws(BackendError) -> [Entity] {
    try await translating { () async throws(RemoteError) in
      guard let pageSize else { return try await remote.list(resource) }
      var all: [Entity] = []
      for try await page in remote.pages(resource, size: pageSize) { all += page }
      if Task.isCancelled { throw RemoteError.cancelled }
      // The server may have moved one to a later page meanwhile.
      var seen: Set<Entity> = []
      return all.filter { seen.insert($0).inserted }
    }
  }

  // MARK: Writing

  /// Tells the server what an entity is, now.
  @discardableResult
  public func save(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
    // What has no key is a POST.
    let mayBeRepeated = try hasKey(entity)
    return try await translating(mayBeRepeated: mayBeRepeated) { () async throws(RemoteError) in
      try await remote.save(entity, as: resource)
    }
  }

  /// Deletes an entity on the server, now, and destroys it.
  public func delete(_ entity: Entity) async throws(BackendError) {
    try await translating { () async throws(RemoteError) in
      try await remote.delete(entity, as: resource, disposal: .destroy)
    }
  }

  /// Deletes what the server has under a key, and destroys the entity that has it.
  public func delete(key: JSONValue) async throws(BackendError) {
    let entity: Entity?
    do throws(RecipeError) {
      entity = try mapper.entity(withKey: key, of: recipe)
    } catch {
      throw BackendError(name, .missingKey, underlying: error)
    }
    if let entity { return try await delete(entity) }
    try await translating { () async throws(RemoteError) in
      try await remote.delete(key: key, as: resource)
    }
  }

  /// Notes that a deletion is to be sent; false if the entity is dead or of another context.
  public func saveLater(_ entity: Entity) -> Bool {
    remote.saveLater(entity, as: resource) != nil
  }

  /// Destroys an entity, and notes that the server has to delete it; false if it is dead or of
  /// another context.
  public func deleteLater(_ entity: Entity) -> Bool {
    context.perform {
      guard entity.isAlive, entity.belongs(to: context) else { return false }
      remote.deleteLater(entity, as: resource)
      return true
    }
  }

  /// Whether changes of what has a key wait to be sent, or its deletion does.
  ///
  /// Changes of an entity that the context does not have yet are not ahead of what is kept of it.
  public func hasUnsent(key: JSONValue) -> Bool {
    context.perform {
      let outbox = remote.outbox
      if outbox.isEmpty { return false }
      let address = Outbox.Address(key, of: resource)
      let last = address.map { outbox.mutations(at: $0) }?.last
      if last?.get(RemoteMutation.self)?.kind == .delete { return true }
      guard let entity = (try? mapper.entity(withKey: key, of: recipe)) ?? nil else { return false }
      return !remote.changes(of: entity, resource).isEmpty
    }
  }

  // MARK: Errors

  private func hasKey(_ entity: Entity) throws(BackendError) -> Bool {
    do throws(RecipeError) {
      return try mapper.key(of: entity, with: recipe) != nil
    } catch {
      throw BackendError(name, error)
    }
  }

  private func translating<Value: Sendable>(
    mayBeRepeated: Bool = true, _ body: () async throws(RemoteError) -> Value
  ) async throws(BackendError) -> Value {
    do throws(RemoteError) {
      return try await body()
    } catch {
      throw BackendError(name, error, mayBeRepeated: mayBeRepeated)
    }
  }
}

extension BackendError {
  /// Makes an error of what a remote throws about a request.
  init(_ backend: String, _ error: RemoteError, mayBeRepeated: Bool) {
    let reason: Reason
    switch error {
    case .transport(.notConnected), .http(425, _, _), .http(429, _, _), .unsent:
      reason = .unavailable
    case .transport(.interrupted), .transport(.timedOut), .http(408, _, _),
      .http where error.isOfServer:
      reason = mayBeRepeated ? .unavailable : .uncertain
    case .transport(.cancelled), .cancelled: reason = .cancelled
    case .transport(.badResponse), .syntax: reason = mayBeRepeated ? .unreadable : .uncertain
    case .transport: reason = .refused
    case .http(404, _, _), .http(410, _, _): reason = .notFound
    case .http, .hook, .unsettled: reason = .refused
    case .decoding(let error): reason = mayBeRepeated ? .doesNotFit(error) : .uncertain
    case .encoding(let error): reason = .doesNotFit(error)
    case .missingKey, .badKey: reason = .missingKey
    case .deadEntity: reason = .deadEntity
    }
    self.init(backend, reason, underlying: error)
  }
}
