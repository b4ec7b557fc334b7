public import ECS
import ECSRecipes
import Foundation

extension Remote {
  /// Says that data may have changed on the server: an entity that was fetched gets
  /// ``RemoteState/Stale``, until it is fetched or saved again.
  public func invalidate(_ entity: Entity) {
    context.perform("remote") {
      if entity.belongs(to: context), entity.has(RemoteMemory.cid) {
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

  // The server has said what an entity is, and by `known`, what it is there, as the entity is
  // written. In a section of the context.
  func noteSuccess(
    of entity: Entity, _ resource: Resource, _ entry: RemoteMemory.Entry, known: JSONValue?,
    at date: Date? = nil
  ) {
    noteArrival(of: entity, etag: entry.etag, at: date)
    if entry.etag != nil, outbox.isMoreRead {
      outbox.noteTag(Outbox.Address((try? keyIfAny(of: entity, resource)) ?? nil, of: resource))
    }
    if let known, resource.keepsCopies {
      let etag = keep(known, entry, of: entity, resource.name)
      for mutation in outbox.mutations(of: entity) {
        guard let value = mutation.get(RemoteMutation.self), value.resource == resource.name,
          value.attempts == 0, value.base != known || value.etag != etag
        else { continue }
        mutation.update(RemoteMutation.self) { ($0.base, $0.etag) = (known, etag) }
      }
    }
    let memory = entity.get(RemoteMemory.self)
    _ = entity.set(memory?.noting(entry) ?? RemoteMemory(entry))
  }

  /// Keeps what the server has of an entity; returns the tag of that.
  private func keep(
    _ known: JSONValue, _ entry: RemoteMemory.Entry, of entity: Entity, _ name: String
  ) -> String? {
    // PERFORMANCE: Most have none (H1).
    guard var copies = entity.get(ServerCopy.self) else {
      _ = entity.set(ServerCopy(ServerCopy.Copy(data: known, etag: entry.etag), named: name))
      return entry.etag
    }
    let old = copies[name]
    let isSame = old?.data == known
    // INVARIANT: The data is never older than its tag, so that what matches the tag has been seen.
    // What a list says is not: a server that has something newer than the tag refuses. What else
    // says something new without a tag may be, as a feed that lags behind; or ends the tag, as a
    // change that was answered without one.
    let etag = entry.etag ?? (isSame || entry.isOfList ? old?.etag : nil)
    if !isSame || old?.etag != etag {
      copies[name] = ServerCopy.Copy(data: known, etag: etag)
      _ = entity.set(copies)
    }
    return etag
  }

  /// The state of an entity, or of the owner of a list, about which the server has just answered.
  func noteArrival(of entity: Entity, etag: String?, at date: Date? = nil) {
    // PERFORMANCE: Most have none of them, which is sooner asked than done (H1).
    if entity.has(RemoteState.Loading.self) { entity.remove(RemoteState.Loading.self) }
    if entity.has(RemoteState.Failed.self) { entity.remove(RemoteState.Failed.self) }
    if entity.has(RemoteState.Stale.self) { entity.remove(RemoteState.Stale.self) }
    if entity.has(MissedChange.self) { entity.remove(MissedChange.self) }
    _ = entity.set(RemoteState.Fetched(at: date ?? configuration.date(), etag: etag))
  }

  /// What is remembered of an entity.
  func memory(of entity: Entity, as resource: Resource) -> RemoteMemory.Entry? {
    entity.get(RemoteMemory.self)?[resource.name]
  }

  /// What the server was last known to have of an entity.
  func copy(of entity: Entity, as resource: Resource) -> ServerCopy.Copy? {
    entity.get(ServerCopy.self)?[resource.name]
  }
}
