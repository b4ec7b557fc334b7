public import ECS
public import ECSRecipes
import Foundation

extension Remote {
  /// The fate of an entity that was deleted on the server.
  public enum Disposal: Sendable, Hashable {
    /// It stays, with its key, and the server is not known to have it.
    ///
    /// For what is still shown: not where the server gives a key again, which would then be that of
    /// two entities.
    case keep

    /// It is destroyed, in the section that says so.
    case destroy
  }

  /// Tells the server what an entity is: `POST url` if it has no key, otherwise `PUT` or `PATCH
  /// url/key`, as the resource says.
  ///
  /// The key is not in the body; what is not mapped, or only read, is not sent. What the server
  /// answers is applied to the same entity, its key included; an empty answer is fine. The key of a
  /// new entity may also be in `Location`, as what stands behind the resource's path. If there is
  /// nothing to patch, nothing is sent. If the server has something newer, that is merged as the
  /// resource's ``Resource/conflicts`` say, and the result is sent.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - resource: Where it is.
  ///   - parameters: More fields of the body. They go before those of the entity, and these before
  ///     those of the configuration. The key among them is that of the entity, as for
  ///     ``fetch(_:as:parameters:policy:)``: one that has none is then put there.
  /// - Returns: Whether the answer changed anything.
  /// - Throws: ``RemoteError``, which is then in the entity's ``RemoteState/Failed``;
  ///   ``RemoteError/unsent(_:)``, if changes of it wait to be sent.
  @discardableResult
  public func save(
    _ entity: Entity, as resource: Resource, parameters: JSONObject = [:]
  ) async throws(RemoteError) -> RecipeOutcome {
    let (given, parameters) = resource.takingKey(from: parameters)
    return try await pass(entity) { () async throws(RemoteError) in
      try await requests.noting(entity) { () async throws(Failure) in
        try await saveNow(entity, resource, given, parameters)
      }
    }
  }

  /// Deletes an entity on the server, and destroys it here: `DELETE url/key`.
  ///
  /// If the server does not have it (404, 410), that is as well. If it has something newer, that is
  /// deleted, too, unless the resource's ``Resource/conflicts`` let the server win or ask: it then
  /// refuses (412).
  ///
  /// - Parameters:
  ///   - entity: The entity, which has a key.
  ///   - resource: Where it is.
  ///   - parameters: As for ``fetch(_:as:parameters:policy:)``.
  ///   - disposal: What becomes of the entity then; by default, it is destroyed, as
  ///     ``deleteLater(_:as:)`` does.
  /// - Throws: ``RemoteError``, which is then in the entity's ``RemoteState/Failed``;
  ///   ``RemoteError/unsent(_:)``, if changes of it wait to be sent.
  public func delete(
    _ entity: Entity, as resource: Resource, parameters: JSONObject = [:],
    disposal: Disposal = .destroy
  ) async throws(RemoteError) {
    let (given, parameters) = resource.takingKey(from: parameters)
    try await pass(entity) { () async throws(RemoteError) in
      try await requests.noting(entity) { () async throws(Failure) in
        try await deleteNow(entity, resource, given, parameters, disposal)
      }
    }
  }

  private func deleteNow(
    _ entity: Entity, _ resource: Resource, _ given: JSONValue?, _ parameters: JSONObject,
    _ disposal: Disposal
  ) async throws(Failure) {
    let (key, copy) = try Failure.final { () throws(RemoteError) in
      try context.perform { () throws(RemoteError) in
        try checkNothingWaits(entity, resource)
        let key = try self.key(of: entity, resource, given)
        outbox.beginSending(entity)
        return (key, self.copy(of: entity, as: resource))
      }
    }
    defer { outbox.endSending(entity) }
    var call = RemoteCall(
      method: .delete, resource: resource, entity: entity, key: key,
      query: configuration.query(parameters), accepted: [404, 410])
    call.headers = resource.condition(
      ofDeleting: try await tag(beforeDeleting: key, resource, copy))
    _ = try await requests.send(call)
    outbox.noteWriting(Outbox.Address(key, of: resource))
    context.perform("remote \(resource.name)") {
      outbox.endSending(entity)
      noteDeletion(of: entity, resource, disposal)
    }
  }

  func checkNothingWaits(
    _ entity: Entity, _ resource: Resource
  ) throws(RemoteError) {
    if !changes(of: entity, resource).isEmpty { throw .unsent(entity) }
  }

  private func noteDeletion(of entity: Entity, _ resource: Resource, _ disposal: Disposal) {
    guard disposal == .keep else { return entity.destroy() }
    forgetServer(entity, resource)
  }

  /// The server is not known to have an entity.
  ///
  /// States that it has of another resource as well stay.
  func forgetServer(_ entity: Entity, _ resource: Resource) {
    if let rest = entity.get(RemoteMemory.self)?.without(resource.name) {
      _ = entity.set(rest)
    } else {
      for component in [
        RemoteMemory.cid, RemoteState.Loading.cid, RemoteState.Failed.cid, RemoteState.Stale.cid,
        RemoteState.Fetched.cid, MissedChange.cid,
      ] {
        entity.remove(component)
      }
    }
    guard var copies = entity.get(ServerCopy.self) else { return }
    copies[resource.name] = nil
    if copies.isEmpty {
      entity.remove(ServerCopy.cid)
    } else {
      entity.setIfChanged(copies)
    }
  }

  // Saves, and again with what another program has changed, if the server has something newer.
  private func saveNow(
    _ entity: Entity, _ resource: Resource, _ given: JSONValue?, _ parameters: JSONObject
  ) async throws(Failure) -> RecipeOutcome {
    // From the first attempt on.
    defer { outbox.endSending(entity) }
    try await look(at: entity, resource)
    for _ in 1..<max(2, configuration.retry.attempts) {
      do throws(Failure) {
        return try await saveOnce(entity, resource, given, parameters)
      } catch {
        let copy = copy(of: entity, as: resource)
        guard case .http(412, _, _) = error.error,
          resource.condition(ofChanging: copy?.etag) != [:],
          let key = try Failure.final({ () throws(RemoteError) in try keyIfAny(of: entity, resource)
          })
        else { throw error }
        try await rebase(entity, key, resource)
      }
    }
    return try await saveOnce(entity, resource, given, parameters)
  }

  private func saveOnce(
    _ entity: Entity, _ resource: Resource, _ given: JSONValue?, _ parameters: JSONObject
  ) async throws(Failure) -> RecipeOutcome {
    let moment = outbox.beginReading()
    defer { outbox.endReading() }
    let (data, key, copy) = try Failure.final { () throws(RemoteError) in
      try context.perform { () throws(RemoteError) in
        try checkNothingWaits(entity, resource)
        let data = try written(entity, resource)
        let key = try keyIfAny(of: entity, resource, given)
        outbox.beginSending(entity)
        return (data, key, self.copy(of: entity, as: resource))
      }
    }
    var sent = data
    if key != nil, let copy, resource.update == .patching {
      sent = resource.edits(in: data, since: copy.data) ?? .object([:])
      if sent == .object([:]), parameters.isEmpty { return unsent(entity) }
    }
    let method: HTTPMethod = key == nil ? .post : resource.update == .patching ? .patch : .put
    let body = try Failure.final { () throws(RemoteError) in
      try resource.written(sent, parameters, over: configuration.parameters(), by: method)
    }
    var call = RemoteCall(method: method, resource: resource, entity: entity, key: key, body: body)
    if key != nil { call.headers = resource.condition(ofChanging: copy?.etag) }
    let answer = try await requests.send(call)
    outbox.noteWriting(Outbox.Address(key, of: resource))
    return try Failure.final { () throws(RemoteError) in
      let url = try key.map { key throws(RemoteError) in
        try resource.url(key: key, then: nil, query: configuration.parameters()).url.absoluteString
      }
      var answered = try resource.content(of: answer.response)
      if key == nil { answered = withKey(answered, from: answer, resource) }
      if let given { answered = resource.with(given, in: answered ?? .object([:])) }
      return try context.perform("remote \(resource.name)") { () throws(RemoteError) in
        outbox.endSending(entity)
        var missed = entity.get(MissedChange.self)
        if key == nil, let path = resource.key?.path {
          missed = self.missed(at: Outbox.Address(answered?[path], of: resource), since: moment)
        }
        let outcome = try apply(
          answered, to: entity, resource, data, over: data, answer.response, url)
        recall(missed, of: entity, resource, after: answered, answer.response)
        return outcome
      }
    }
  }

  /// There is nothing that the server does not have.
  private func unsent(_ entity: Entity) -> RecipeOutcome {
    context.perform("remote") {
      _ = entity.remove(RemoteState.Failed.cid)
      _ = entity.remove(RemoteState.Loading.cid)
    }
    return .unchanged
  }
}
