import ECS
import ECSRecipes
import Foundation

// An entity that was made here, and that came by a list before its key was known, is two here.
extension Remote {
  /// The entity that has a key; nil if there is none.
  func holder(of key: JSONValue, _ resource: Resource) throws(RemoteError) -> Entity? {
    do throws(RecipeError) {
      return try mapper.entity(withKey: key, of: resource.recipe)
    } catch {
      throw resource.error(error, below: resource.path)
    }
  }

  // The entity that was made here becomes what its twin is, with its place in lists and relations,
  // and its changes; the twin ends. What the server answered may be older than that. In a section
  // of the context.
  func adopt(
    _ twin: Entity, as entity: Entity, _ value: RemoteMutation, _ resource: Resource
  ) throws(RemoteError) {
    let state = try written(twin, resource)
    let edits = (try? written(entity, resource))?.changes(since: value.data)
    let changes = changes(of: twin, resource)
    let (copies, memory) = (twin.get(ServerCopy.self), twin.get(RemoteMemory.self))
    let fetched = twin.get(RemoteState.Fetched.self)
    let (stale, missed) = (twin.get(RemoteState.Stale.self), twin.get(MissedChange.self))
    for relation in knownRelations { Remote.move(relation, from: twin, to: entity) }
    twin.destroy()
    do throws(RecipeError) {
      _ = try mapper.update(entity, with: resource.recipe, from: state.leavingOut(edits))
    } catch {
      throw resource.error(error, below: resource.path)
    }
    noteArrival(of: entity, etag: fetched?.etag)
    if let copies { _ = entity.set(copies) }
    if let memory { _ = entity.set(memory) }
    if let stale { entity.setIfChanged(stale) }
    if let missed { _ = entity.set(missed) }
    let copy = copies?[resource.name]
    for other in outbox.mutations(of: entity) {
      guard let value = other.get(RemoteMutation.self), value.attempts == 0,
        value.resource == resource.name, let copy
      else { continue }
      other.update(RemoteMutation.self) { ($0.base, $0.etag) = (copy.data, copy.etag) }
    }
    for change in changes {
      change.update(RemoteMutation.self) { $0.subject = value.subject }
      _ = change.relate(Mutates.self, to: entity)
    }
    putTriedFirst(of: value.subject)
  }

  // What was tried, the server may have done. So what was not tried yet goes from that, and is sent
  // after it, even if it was noted before.
  private func putTriedFirst(of subject: String) {
    let all = outbox.mutations(of: subject).compactMap { mutation in
      mutation.get(RemoteMutation.self).map { (mutation, $0) }
    }
    let ordered = all.filter { $0.1.attempts > 0 } + all.filter { $0.1.attempts == 0 }
    for ((mutation, value), number) in zip(ordered, all.map(\.1.number))
    where value.number != number {
      mutation.update(RemoteMutation.self) { $0.number = number }
    }
  }

  /// The relations that answers can make.
  private var knownRelations: [any Relation.Type] {
    var relations: [any Relation.Type] = [ListMember.self]
    for resource in outbox.allResources {
      for relation in resource.hasRelations ? resource.recipe.relations : [] {
        switch relation.link.kind {
        case .targets(let type), .sources(let type):
          if !relations.contains(where: { $0 == type }) { relations.append(type) }
        case .field, .custom: break
        }
      }
    }
    return relations
  }

  private static func move<R: Relation>(_ relation: R.Type, from twin: Entity, to entity: Entity) {
    for source in twin.sources(R.self).entities() {
      let value = source.anyValue(of: relation, to: twin)
      if let hierarchy = relation as? any Hierarchy.Type {
        try? source.setParent(entity, in: hierarchy, anyValue: value)
        continue
      }
      // Where the twin is among the targets, with the value that its link has.
      if !source.isRelated(R.self, to: entity) {
        source.relate(R.self, to: entity, anyValue: value)
      }
      source.targets(R.self).move(entity, before: twin)
      source.unrelate(R.self, from: twin)
    }
    guard !(relation is any Hierarchy.Type), entity.targets(R.self).isEmpty else { return }
    for target in twin.targets(R.self).entities() where target != entity {
      entity.relate(R.self, to: target, anyValue: twin.anyValue(of: relation, to: target))
    }
  }
}
