public import ECS
public import ECSRecipes
import Foundation

extension Remote {
  /// What becomes of an entity that was deleted on the server.
  public enum Disposal: Sendable, Hashable {
    /// It stays, and the server is not known to have it.
    case keep

    /// It is destroyed, in the section that says so.
    case destroy
  }

  /// Tells the server what an entity is: `POST url` if it has no key, otherwise `PUT` or `PATCH url/key`,
  /// as the resource says.
  ///
  /// The key is not in the body; what is not mapped, or only read, is not sent. What the server answers is
  /// applied to the same entity, its key included; an empty answer is fine. If there is nothing to patch,
  /// nothing is sent.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - resource: Where it is.
  ///   - parameters: More fields of the body. They go before those of the entity, and these before those of
  ///     the configuration.
  /// - Returns: Whether the answer changed anything.
  /// - Throws: ``RemoteError``, which is then in the entity's ``RemoteState/Failed``.
  @discardableResult
  public func save(
    _ entity: Entity, as resource: Resource, parameters: JSONObject = [:]
  ) async throws(RemoteError) -> RecipeOutcome {
    try await pass(entity) { () async throws(RemoteError) in
      try await noting(entity) { () async throws(Failure) in
        try await saveNow(entity, resource, parameters)
      }
    }
  }

  /// Deletes an entity on the server: `DELETE url/key`.
  ///
  /// If the server does not have it (404, 410), that is as well.
  ///
  /// - Parameters:
  ///   - entity: The entity, which has a key.
  ///   - resource: Where it is.
  ///   - parameters: As for ``fetch(_:as:parameters:policy:)``.
  ///   - disposal: What becomes of the entity then.
  /// - Throws: ``RemoteError``, which is then in the entity's ``RemoteState/Failed``.
  public func delete(
    _ entity: Entity, as resource: Resource, parameters: JSONObject = [:],
    disposal: Disposal = .keep
  ) async throws(RemoteError) {
    try await pass(entity) { () async throws(RemoteError) in
      try await noting(entity) { () async throws(Failure) in
        try await deleteNow(entity, resource, parameters, disposal)
      }
    }
  }

  private func deleteNow(
    _ entity: Entity, _ resource: Resource, _ parameters: JSONObject, _ disposal: Disposal
  ) async throws(Failure) {
    let key = try final { () throws(RemoteError) in try self.key(of: entity, resource) }
    _ = try await send(
      RemoteCall(
        method: .delete, resource: resource, entity: entity, key: key,
        query: query(parameters), accepted: [404, 410]))
    context.perform("remote \(resource.name)") { noteDeletion(of: entity, resource, disposal) }
  }

  private func noteDeletion(of entity: Entity, _ resource: Resource, _ disposal: Disposal) {
    guard disposal == .keep else { return entity.destroy() }
    entity.remove(RemoteState.Loading.cid)
    entity.remove(RemoteState.Failed.cid)
    entity.remove(RemoteState.Stale.cid)
    entity.remove(RemoteState.Fetched.cid)
    var memory = entity.get(RemoteMemory.self) ?? RemoteMemory()
    memory.entries[resource.name] = nil
    if memory.entries.isEmpty {
      entity.remove(RemoteMemory.cid)
    } else {
      _ = entity.set(memory)
    }
  }

  private func saveNow(
    _ entity: Entity, _ resource: Resource, _ parameters: JSONObject
  ) async throws(Failure) -> RecipeOutcome {
    let (data, key, base) = try final { () throws(RemoteError) in
      try context.perform { () throws(RemoteError) in
        (
          try written(entity, resource), try keyIfAny(of: entity, resource),
          memory(of: entity, as: resource)?.base
        )
      }
    }
    var sent = data
    if key != nil, let base, resource.update == .patching {
      sent = data.changes(since: base) ?? .object([:])
      if sent == .object([:]), parameters.isEmpty { return unsent(entity) }
    }
    let body = try final { () throws(RemoteError) in
      try resource.written(sent, [parameters], over: configuration.parameters())
    }
    let method: HTTPMethod = key == nil ? .post : resource.update == .patching ? .patch : .put
    let answer = try await send(
      RemoteCall(method: method, resource: resource, entity: entity, key: key, body: body))
    return try final { () throws(RemoteError) in
      let url = try key.map { key throws(RemoteError) in
        try resource.url(key: key, then: nil, query: configuration.parameters()).absoluteString
      }
      let isEmpty = answer.response.status == 204 || answer.response.body.isEmpty
      let answered = isEmpty ? nil : try resource.data(in: answer.response.body)
      return try apply(answered, to: entity, resource, data, over: data, answer.response, url)
    }
  }

  /// There is nothing that the server does not know.
  private func unsent(_ entity: Entity) -> RecipeOutcome {
    context.perform("remote") { _ = entity.remove(RemoteState.Failed.cid) }
    return .unchanged
  }
}
