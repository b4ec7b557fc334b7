import ECS
import ECSRecipes

/// The new entities that wait to be sent, by the keys that the client has given them, such as that
/// of a store's table.
struct NewEntities {
  private let resource: Resource
  private let mapper: Mapper
  private var mutations: [KeptKey.Value: Entity] = [:]

  init(_ remote: Remote, _ resource: Resource) {
    (self.resource, mapper) = (resource, remote.mapper)
    for mutation in remote.outbox.creations {
      guard let value = mutation.get(RemoteMutation.self), value.resource == resource.name else {
        continue
      }
      for key in keys(in: value.data) { mutations[key] = mutation }
    }
  }

  /// The mutation of the entity that a record is about; nil if it is about none of them.
  func mutation(of record: JSONValue) -> Entity? {
    if mutations.isEmpty { return nil }
    return keys(in: record).lazy.compactMap { mutations[$0] }.first { $0.isAlive }
  }

  private func keys(in record: JSONValue) -> [KeptKey.Value] {
    guard let components = try? resource.recipe.components(from: record) else { return [] }
    return mapper.keptKeys(of: components, with: resource.recipe)
  }
}

extension Remote {
  // An entity that was made here, and that the server says to have: the key that the client has
  // given it tells. It gets the server's key, and is merged; what made it is done. Returns the
  // entity; nil if it was deleted here. In a section of the context.
  func unite(
    _ creation: Entity, with data: JSONValue, _ resource: Resource, _ entry: RemoteMemory.Entry
  ) throws(RemoteError) -> Entity? {
    guard let value = creation.get(RemoteMutation.self), let path = resource.key?.path,
      let key = data[path]
    else { return nil }
    let all = outbox.mutations(of: value.subject)
    let tried = all.first { other in
      other.get(RemoteMutation.self).map { $0.kind == .create && $0.attempts > 0 } ?? false
    }
    let sent = tried?.get(RemoteMutation.self)
    let entity = subject(of: creation)
    let twin = try holder(of: key, resource)
    if let entity {
      try check(data, entity, resource, at: resource.path)
      if let twin {
        try adopt(twin, as: entity, sent ?? value, resource)
      } else {
        do throws(RecipeError) {
          _ = try mapper.update(entity, with: resource.recipe, from: key.wrapped(at: path))
        } catch {
          throw resource.error(error, below: resource.path)
        }
      }
    } else if let twin {
      for other in changes(of: twin, resource) { other.destroy() }
      twin.destroy()
    }
    let written = (try? resource.recipe.writtenKey(key)) ?? key
    for other in all {
      other.update(RemoteMutation.self) {
        if $0.key == .null { $0.key = written }
        if $0.kind == .create { $0.kind = .update }
      }
    }
    // The server has done what was tried, whatever becomes of its answer.
    tried?.destroy()
    guard let entity else { return nil }
    noteUnsent(entity)
    try merge(data, into: entity, resource, over: sent?.data, entry)
    return entity
  }
}
