public import ECS
public import ECSRecipes
import Foundation

extension Remote {
  /// Asks the server what an entity is: `GET url/key`.
  ///
  /// Several calls for one entity at a time are one request; it ends when all callers that wait for
  /// it are cancelled. If the first of them is, the others have it sent anew: no sooner than the
  /// server wants, and with no more attempts and time than are left.
  ///
  /// The first does it itself. When it is cancelled, it returns as soon as its transport does,
  /// which is at once, and the hooks ``RemoteConfiguration/willSend`` and
  /// ``RemoteConfiguration/didReceive``, if one of them runs; the others return at once in any
  /// case.
  ///
  /// - Parameters:
  ///   - entity: The entity, which has a key.
  ///   - resource: Where it is.
  ///   - parameters: Sent in the query, after those of the configuration, which they replace; null
  ///     takes one away, a list is sent as several. The key among them is not sent: it says which
  ///     entity is meant, for one that has no key yet, and is ``RemoteError/badKey(_:)`` if the
  ///     entity has another one.
  ///   - policy: Whether what is there already will do.
  /// - Returns: Whether anything changed.
  /// - Throws: ``RemoteError``, which is then in the entity's ``RemoteState/Failed``.
  @discardableResult
  public func fetch(
    _ entity: Entity, as resource: Resource, parameters: JSONObject = [:],
    policy: FetchPolicy = .always
  ) async throws(RemoteError) -> RecipeOutcome {
    let (given, parameters) = resource.takingKey(from: parameters)
    let key = try self.key(of: entity, resource, given)
    if isEnough(entity, resource, policy) { return .unchanged }
    let name = FetchKey(
      resource: resource.name, entity: entity, key: key, parameters: parameters)
    return try await shared(name) { past async throws(RemoteError) in
      try await self.pass(entity) { () async throws(RemoteError) in
        try await self.requests.noting(entity) { () async throws(Failure) in
          try await self.fetchNow(entity, key, resource, parameters, past)
        }
      }
    }.outcome
  }

  /// The entity of a key, which is made when the server has it: `GET url/key`.
  ///
  /// One that the context has already is fetched as ``fetch(_:as:parameters:policy:)`` does: what
  /// is edited meanwhile stays.
  ///
  /// - Parameters:
  ///   - key: A text or a number. An answer without a key has this one.
  ///   - resource: Where it is.
  ///   - parameters: As for ``fetch(_:as:parameters:policy:)``.
  /// - Returns: The entity.
  /// - Throws: ``RemoteError``; ``RemoteError/deadEntity`` if it was deleted here, and the server
  ///   has not heard of that when it is asked.
  @discardableResult
  public func fetch(
    key: JSONValue, as resource: Resource, parameters: JSONObject = [:]
  ) async throws(RemoteError) -> Entity {
    let (given, parameters) = resource.takingKey(from: parameters)
    if let given, given != key { throw .badKey(given) }
    if let known = try? mapper.entity(withKey: key, of: resource.recipe) {
      try await fetch(known, as: resource, parameters: parameters)
      return known
    }
    let name = FetchKey(resource: resource.name, key: key, parameters: parameters)
    return try await shared(name) { past async throws(RemoteError) in
      let call = RemoteCall(
        method: .get, resource: resource, key: key, query: self.configuration.query(parameters),
        past: past)
      let moment = self.outbox.beginReading()
      defer { self.outbox.endReading() }
      return try await self.requests.noting(nil) { () async throws(Failure) in
        let answer = try await self.requests.send(call)
        return try Failure.final { () throws(RemoteError) in
          let data = resource.with(key, in: try resource.data(in: answer.response.body))
          return try self.make(data, resource, answer, since: moment)
        }
      }
    }.entity
  }

  // MARK: One entity

  /// Does a fetch, or waits for the same one that is under way.
  private nonisolated(nonsending) func shared(
    _ key: FetchKey,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (CallMemory?) async throws(RemoteError) ->
      FetchResult
  ) async throws(RemoteError) -> FetchResult {
    if requests.transport.endsWhenCancelled {
      let past = CallMemory()
      return try await fetches.lead(key) { () async throws(RemoteError) in try await body(past) }
    }
    return try await fetches.run(key) { _ async throws(RemoteError) in try await body(nil) }
  }

  private func isEnough(_ entity: Entity, _ resource: Resource, _ policy: FetchPolicy) -> Bool {
    if policy == .always { return false }
    return context.perform {
      guard let entry = memory(of: entity, as: resource) else { return false }
      if policy == .ifMissing { return true }
      return !entity.has(RemoteState.Stale.cid)
        && configuration.clock.now() - entry.time < resource.staleAfter
    }
  }

  private nonisolated(nonsending) func fetchNow(
    _ entity: Entity, _ key: JSONValue, _ resource: Resource, _ parameters: JSONObject,
    _ past: CallMemory?
  ) async throws(Failure) -> FetchResult {
    let query = configuration.query(parameters)
    let moment = outbox.beginReading()
    defer { outbox.endReading() }
    let (before, entry, copy, isNew) = try Failure.final { () throws(RemoteError) in
      try context.perform { () throws(RemoteError) in
        (
          try written(entity, resource), memory(of: entity, as: resource),
          self.copy(of: entity, as: resource), try keyIfAny(of: entity, resource) == nil
        )
      }
    }
    var call = RemoteCall(
      method: .get, resource: resource, entity: entity, key: key, query: query, past: past)
    let location = try Failure.final { () throws(RemoteError) in
      try resource.url(key: key, then: nil, query: query)
    }
    call.knownURL = location
    let url = location.url.absoluteString
    if let entry, entry.canBeChecked, entry.url == url, entry.digest == before.hashValue {
      if let etag = entry.etag { call.headers["If-None-Match"] = etag }
      if let date = entry.lastModified { call.headers["If-Modified-Since"] = date }
      if !call.headers.fields.isEmpty { call.accepted = [304] }
    }
    let answer = try await requests.send(call)
    return try Failure.final { () throws(RemoteError) in
      if answer.response.status == 304, let entry {
        return try context.perform("remote \(resource.name)") { () throws(RemoteError) in
          guard entity.isHere(in: context) else { throw .deadEntity }
          if isOvertaken(.object([:]), key, of: entity, resource, since: moment) {
            return FetchResult(entity: entity, outcome: .unchanged)
          }
          // What a list has said meanwhile is newer: it was asked for after the tag was seen.
          guard memory(of: entity, as: resource) === entry else {
            entity.remove(RemoteState.Loading.cid)
            entity.remove(RemoteState.Failed.cid)
            return FetchResult(entity: entity, outcome: .unchanged)
          }
          let entry = entry.again(at: configuration.clock.now())
          noteSuccess(of: entity, resource, entry, known: copy?.data)
          return FetchResult(entity: entity, outcome: .unchanged)
        }
      }
      var data = try resource.data(in: answer.response.body)
      if isNew { data = resource.with(key, in: data) }
      let outcome = try receive(
        data, of: entity, key, resource, before, over: copy?.data, answer.response, url,
        since: moment, after: entry)
      return FetchResult(entity: entity, outcome: outcome)
    }
  }

  // Whether an answer about an entity is passed over, because it is older than what is known. In a
  // section of the context.
  private func isOvertaken(
    _ data: JSONValue, _ key: JSONValue, of entity: Entity, _ resource: Resource,
    since moment: Int
  ) -> Bool {
    // PERFORMANCE: Mostly nothing was, and the key need not be looked at (H2).
    guard outbox.wasAnythingWritten(after: moment), let address = Outbox.Address(key, of: resource),
      isOvertaken(data, address, entity, resource, since: moment)
    else { return false }
    entity.remove(RemoteState.Loading.cid)
    entity.remove(RemoteState.Failed.cid)
    return true
  }

  // Applies what was fetched, if nothing waits to be sent; that merges it, or passes it over while
  // the server may have a change that it has not answered.
  private func receive(
    _ data: JSONValue, of entity: Entity, _ key: JSONValue, _ resource: Resource,
    _ before: JSONValue, over base: JSONValue?, _ response: HTTPResponse, _ url: String,
    since moment: Int, after entry: RemoteMemory.Entry?
  ) throws(RemoteError) -> RecipeOutcome {
    try context.perform("remote \(resource.name)") { () throws(RemoteError) in
      guard entity.isHere(in: context) else { throw .deadEntity }
      if isOvertaken(data, key, of: entity, resource, since: moment) { return .unchanged }
      let pending = changes(of: entity, resource)
      if pending.isEmpty {
        // What a list has said meanwhile is not an edit.
        if resource.keepsCopies, memory(of: entity, as: resource) !== entry {
          return try merge(
            data, into: entity, resource, over: self.base(of: entity, resource),
            self.entry(nil, resource, response, url))
        }
        let work = unsentWork(besides: entity, resource, about: [data])
        let outcome = try apply(data, to: entity, resource, before, over: base, response, url)
        try restoring(work, resource)
        return outcome
      }
      if isUnderWay(pending) {
        entity.remove(RemoteState.Loading.cid)
        return .unchanged
      }
      return try merge(
        data, into: entity, resource, over: self.base(of: entity, resource),
        self.entry(nil, resource, response, url))
    }
  }

  private func make(
    _ data: JSONValue, _ resource: Resource, _ answer: RemoteAnswer, since moment: Int
  ) throws(RemoteError) -> FetchResult {
    try context.perform("remote \(resource.name)") { () throws(RemoteError) in
      switch try reception(of: data, resource, since: moment) {
      case .deleted: throw .deadEntity
      case .passedOver(let entity):
        guard let entity else { throw .deadEntity }
        return FetchResult(entity: entity, outcome: .unchanged)
      case .merged(let entity):
        let outcome = try merge(
          data, into: entity, resource, over: base(of: entity, resource),
          entry(nil, resource, answer.response, answer.url.absoluteString))
        return FetchResult(entity: entity, outcome: outcome)
      case .united(let creation):
        let entry = entry(nil, resource, answer.response, answer.url.absoluteString)
        guard let entity = try unite(creation, with: data, resource, entry) else {
          throw .deadEntity
        }
        return FetchResult(entity: entity, outcome: .updated)
      case .free: break
      }
      let work = unsentWork(besides: nil, resource, about: [data])
      let result: RecipeResult
      do throws(RecipeError) {
        result = try mapper.apply(data, with: resource.recipe)
      } catch {
        throw resource.error(error, below: resource.path)
      }
      try restoring(work, resource)
      noteAgreement(result.entity, resource, data, answer)
      return FetchResult(entity: result.entity, outcome: result.outcome)
    }
  }
}
