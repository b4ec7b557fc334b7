public import ECS
import ECSRecipes
import Foundation

extension Remote {
  /// Says that data may have changed on the server: an entity that was fetched gets
  /// ``RemoteState/Stale``, until it is fetched or saved again.
  public func invalidate(_ entity: Entity) {
    context.perform("remote") {
      if entity.context === context, entity.has(RemoteMemory.cid) {
        entity.setIfChanged(RemoteState.Stale())
      }
    }
  }

  /// Says that data of all entities of a group may have changed on the server.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities.
  public func invalidate(_ group: Group) {
    context.perform("remote") {
      for entity in group { invalidate(entity) }
    }
  }

  /// Whether an entity is of this context and alive.
  func isHere(_ entity: Entity) -> Bool { entity.isAlive && entity.context === context }

  func note(attempt: Int, of entity: Entity?) {
    guard let entity, isHere(entity) else { return }
    context.perform("remote") { _ = entity.set(RemoteState.Loading(attempt: attempt)) }
  }

  /// A request for an entity has failed.
  func note(_ failure: Failure, of entity: Entity?) {
    guard let entity, isHere(entity) else { return }
    context.perform("remote") {
      entity.remove(RemoteState.Loading.cid)
      // Whoever cancels knows.
      if failure.error == .cancelled { return }
      _ = entity.set(
        RemoteState.Failed(
          error: failure.error, attempts: failure.attempts, isFinal: failure.isFinal))
    }
  }

  /// Does something about an entity, whose state says so when it fails.
  func noting<Value: Sendable>(
    _ entity: Entity?, _ body: () async throws(Failure) -> Value
  ) async throws(RemoteError) -> Value {
    do throws(Failure) {
      return try await body()
    } catch {
      let error = error.told
      note(error, of: entity)
      throw error.error
    }
  }

  // The server has said what an entity is, and by `known`, what it is there, as the entity is written. In a
  // section of the context.
  func noteSuccess(
    of entity: Entity, _ resource: Resource, _ entry: RemoteMemory.Entry, known: JSONValue?,
    at date: Date? = nil
  ) {
    noteArrival(of: entity, etag: entry.etag, at: date)
    if let known, resource.keepsCopies {
      var copies = entity.get(ServerCopy.self) ?? ServerCopy()
      // Lists have no tags: that of the same data still holds.
      let old = copies[resource]
      let etag = entry.etag ?? (old?.data == known ? old?.etag : nil)
      copies[resource] = ServerCopy.Copy(data: known, etag: etag)
      entity.setIfChanged(copies)
      for mutation in outbox.mutations(of: entity) {
        guard let value = mutation.get(RemoteMutation.self), value.resource == resource.name,
          value.attempts == 0, value.base != known || value.etag != etag
        else { continue }
        mutation.update(RemoteMutation.self) { ($0.base, $0.etag) = (known, etag) }
      }
    }
    var memory = entity.get(RemoteMemory.self) ?? RemoteMemory()
    memory.entries[resource.name] = entry
    _ = entity.set(memory)
  }

  /// The state of an entity, or of the owner of a list, about which the server has just answered.
  func noteArrival(of entity: Entity, etag: String?, at date: Date? = nil) {
    entity.remove(RemoteState.Loading.cid)
    entity.remove(RemoteState.Failed.cid)
    entity.remove(RemoteState.Stale.cid)
    entity.remove(MissedChange.cid)
    _ = entity.set(RemoteState.Fetched(at: configuration.date(), etag: etag))
  }

  /// What is remembered of an entity.
  func memory(of entity: Entity, as resource: Resource) -> RemoteMemory.Entry? {
    entity.get(RemoteMemory.self)?.entries[resource.name]
  }

  /// What the server was last known to have of an entity.
  func copy(of entity: Entity, as resource: Resource) -> ServerCopy.Copy? {
    entity.get(ServerCopy.self)?[resource]
  }
}
