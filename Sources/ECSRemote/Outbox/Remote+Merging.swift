import ECS
import ECSRecipes
import Foundation

/// The way in which what a server says of an entity meets what is known here.
enum Reception {
  /// Nothing waits to be sent: it is applied.
  case free

  /// Changes of the entity wait to be sent: it is merged with them.
  case merged(Entity)

  /// It is older than what was written since, or a change is under way: the entity, if there is
  /// one, stays as it is.
  case passedOver(Entity?)

  /// It is about one that is to be made there by this mutation.
  case united(Entity)

  /// It was deleted here.
  case deleted
}

extension Remote {
  // Whether what the server says of anything, asked for at a moment, can be applied as it is. In a
  // section of the context.
  func isNothingToMeet(since moment: Int) -> Bool {
    outbox.isEmpty && !outbox.isAnythingSent && !outbox.wasAnythingWritten(after: moment)
  }

  // What is to be done with what the server says of an entity, asked for at a moment. In a section
  // of the context.
  func reception(
    of data: JSONValue, _ resource: Resource, since moment: Int, _ new: NewEntities? = nil
  ) throws(RemoteError) -> Reception {
    guard !isNothingToMeet(since: moment), let path = resource.key?.path,
      let address = Outbox.Address(data[path], of: resource)
    else { return .free }
    let pending = outbox.mutations(at: address)
    if pending.last?.get(RemoteMutation.self)?.kind == .delete { return .deleted }
    let entity: Entity?
    do throws(RecipeError) {
      entity = try mapper.entity(withKey: address.key, of: resource.recipe)
    } catch {
      throw resource.error(error, below: resource.path)
    }
    if isOvertaken(data, address, entity, resource, since: moment) { return .passedOver(entity) }
    if let creation = (new ?? NewEntities(self, resource)).mutation(of: data), pending.isEmpty,
      entity.map({ !outbox.isBeingSent($0) && changes(of: $0, resource).isEmpty }) ?? true
    {
      return .united(creation)
    }
    guard let entity else { return pending.isEmpty ? .free : .passedOver(nil) }
    if outbox.isBeingSent(entity) { return .passedOver(entity) }
    let own = pending + changes(of: entity, resource)
    if own.isEmpty { return .free }
    // One that refers to one without a key can't be compared.
    if isUnderWay(own) || (try? written(entity, resource)) == nil { return .passedOver(entity) }
    return .merged(entity)
  }

  // Whether what the server says is older than what was written, or a feed has sent, since it was
  // asked for. What it says besides is to be fetched. In a section of the context.
  func isOvertaken(
    _ data: JSONValue, _ address: Outbox.Address, _ entity: Entity?, _ resource: Resource,
    since moment: Int
  ) -> Bool {
    guard outbox.wasWritten(address, after: moment) else { return false }
    if let entity, let told = outbox.told(address),
      (try? mapper.wouldChange(entity, with: resource.recipe, from: data.leavingOut(told))) ?? true
    {
      entity.setIfChanged(RemoteState.Stale())
    }
    return true
  }

  /// Whether the server may have heard of one of these, and has not answered.
  func isUnderWay(_ mutations: [Entity]) -> Bool {
    mutations.contains { $0.get(RemoteMutation.self).map { $0.attempts > 0 } ?? false }
  }

  // Changes an entity to what the server says, merged with what was changed here and not sent. In a
  // section of the context.
  @discardableResult
  func merge(
    _ data: JSONValue, into entity: Entity, _ resource: Resource, over base: JSONValue?,
    _ entry: RemoteMemory.Entry
  ) throws(RemoteError) -> RecipeOutcome {
    let recipe = resource.recipe
    let base = base == .null ? nil : base
    let local = try written(entity, resource)
    let edits = base.map { resource.edits(in: local, since: $0) } ?? local
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
    let work = unsentWork(besides: entity, resource, about: [applied])
    var outcome = RecipeOutcome.unchanged
    do throws(RecipeError) {
      outcome = try mapper.update(entity, with: recipe, from: applied)
    } catch {
      throw resource.error(error, below: resource.path)
    }
    try restoring(work, resource)
    let after = try written(entity, resource)
    noteSuccess(
      of: entity, resource, entry, known: rewritten.known(over: base, after: after, edits: edits))
    return outcome
  }

  // What changes of an entity that wait to be sent were based on; nil if that is not known. In a
  // section of the context.
  func base(of entity: Entity, _ resource: Resource) -> JSONValue? {
    let own = outbox.mutations(of: entity).lazy.compactMap { $0.get(RemoteMutation.self) }
    return own.first { $0.resource == resource.name }?.base
      ?? copy(of: entity, as: resource)?.data
  }
}
