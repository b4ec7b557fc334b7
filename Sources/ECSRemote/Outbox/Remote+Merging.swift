import ECS
import ECSRecipes
import Foundation

/// How what a server says of an entity meets what is known here.
enum Reception {
  /// Nothing waits to be sent: it is applied.
  case free

  /// Changes of the entity wait to be sent: it is merged with them.
  case merged(Entity)

  /// It is older than what was written since, or a change is under way: the entity, if there is one,
  /// stays as it is.
  case passedOver(Entity?)

  /// It was deleted here.
  case deleted
}

extension Remote {
  // What is to be done with what the server says of an entity, asked for at a moment. In a section of the
  // context.
  func reception(
    of data: JSONValue, _ resource: Resource, since moment: Int
  ) throws(RemoteError) -> Reception {
    guard !outbox.isEmpty || outbox.wasAnythingWritten(after: moment),
      let path = resource.recipe.key?.path,
      let place = Outbox.Place(data[path], of: resource)
    else { return .free }
    let pending = outbox.mutations(at: place)
    if pending.last?.get(RemoteMutation.self)?.kind == .delete { return .deleted }
    let entity: Entity?
    do throws(RecipeError) {
      entity = try mapper.entity(withKey: place.key, of: resource.recipe)
    } catch {
      throw resource.error(error, below: resource.path)
    }
    if outbox.wasWritten(place, after: moment) { return .passedOver(entity) }
    guard let entity else { return pending.isEmpty ? .free : .passedOver(nil) }
    let own = pending + changes(of: entity, resource)
    if own.isEmpty { return .free }
    // One that refers to one without a key can't be compared.
    if isUnderWay(own) || (try? written(entity, resource)) == nil { return .passedOver(entity) }
    return .merged(entity)
  }

  /// Whether the server may have heard of one of these, and has not answered.
  func isUnderWay(_ mutations: [Entity]) -> Bool {
    mutations.contains { $0.get(RemoteMutation.self).map { $0.attempts > 0 } ?? false }
  }

  // Changes an entity to what the server says, merged with what was changed here and not sent. In a section
  // of the context.
  @discardableResult
  func merge(
    _ data: JSONValue, into entity: Entity, _ resource: Resource, over base: JSONValue?,
    _ entry: RemoteMemory.Entry
  ) throws(RemoteError) -> RecipeOutcome {
    let recipe = resource.recipe
    let base = base == .null ? nil : base
    let local = try written(entity, resource)
    let edits = base.map { local.changes(since: $0) } ?? local
    let rewritten = recipe.rewritten(data)
    let merge = ConflictMerge { path, base, local, server in
      switch resource.conflicts.winner {
      case nil, .local: return .local
      case .server: return .server
      case .ask(let ask):
        let conflict = RemoteConflict(
          entity: entity, path: path, base: base, local: local, server: server)
        return .value(ask(conflict) ?? .null)
      }
    }
    let applied = merge.merged(data, written: rewritten, edits: edits, base: base)
    let work = unsentWork(besides: entity, resource)
    var outcome = RecipeOutcome.unchanged
    do throws(RecipeError) {
      outcome = try mapper.update(entity, with: recipe, from: applied)
      try restore(work)
    } catch {
      throw resource.error(error, below: resource.path)
    }
    let after = try written(entity, resource)
    noteSuccess(
      of: entity, resource, entry, known: rewritten.known(over: base, after: after, edits: edits))
    return outcome
  }

  // What changes of an entity that wait to be sent were based on; nil if that is not known. In a section of
  // the context.
  func base(of entity: Entity, _ resource: Resource) -> JSONValue? {
    let own = outbox.mutations(of: entity).lazy.compactMap { $0.get(RemoteMutation.self) }
    return own.first { $0.resource == resource.name }?.base
      ?? copy(of: entity, as: resource)?.data
  }

  // MARK: What data says by the way

  // What waits to be sent, and what data about an entity, or about anything, might overwrite: others that
  // are nested in it, and the entity as another resource knows it. In a section of the context.
  func unsentWork(besides entity: Entity?, _ resource: Resource) -> UnsentWork {
    var work = UnsentWork()
    if outbox.isEmpty { return work }
    let nests = resource.recipe.relations.contains { $0.form == .object }
    let mutations =
      nests
      ? Array(outbox.mutations(at: 0..<outbox.count))
      : entity.map(outbox.mutations(of:)) ?? []
    for mutation in mutations {
      guard let value = mutation.get(RemoteMutation.self),
        let other = outbox.resource(named: value.resource)
      else { continue }
      if value.kind == .delete {
        work.deleted.append((value.key, other))
      } else if let owner = mutation.target(Mutates.self),
        owner != entity || other.name != resource.name, let whole = try? written(owner, other)
      {
        let isOpen = value.attempts == 0 && value.base != .null
        let edits = isOpen ? whole.changes(since: value.base) ?? .object([:]) : whole
        work.changed.append((owner, other, whole: whole, edits: edits))
      }
    }
    return work
  }

  // Makes it what it was again, as far as that was overwritten. In the same section.
  func restoring(_ work: UnsentWork, _ resource: Resource) throws(RemoteError) {
    do throws(RecipeError) {
      try restore(work)
    } catch {
      throw resource.error(error, below: resource.path)
    }
  }

  private func restore(_ work: UnsentWork) throws(RecipeError) {
    for (entity, resource, whole, edits) in work.changed where isHere(entity) {
      let now = try mapper.decompose(entity, with: resource.recipe)
      if now != whole { _ = try mapper.update(entity, with: resource.recipe, from: edits) }
    }
    for (key, resource) in work.deleted where key != .null {
      try mapper.entity(withKey: key, of: resource.recipe)?.destroy()
    }
  }
}

/// Changes that were not sent, as data.
struct UnsentWork {
  var changed: [(entity: Entity, resource: Resource, whole: JSONValue, edits: JSONValue)] = []
  var deleted: [(key: JSONValue, resource: Resource)] = []
}
