public import ECS
import ECSRecipes

extension Remote {
  /// Notes a change that an observer gets for the server, in its section: what
  /// ``saveLater(_:as:)`` and ``deleteLater(_:as:)`` note, by the kind of the change.
  ///
  /// ```swift
  /// let notes = history.observeSteps(of: context.group(Dish.self)) {
  ///   remote.changeLater($0, as: menu)
  /// }
  /// ```
  ///
  /// The group says what a resource is about. An entity that came to match is saved, and so is one
  /// that was updated. One that no longer matches is deleted on the server, whether it was
  /// destroyed or not. If it comes back, such as by undo:
  ///
  /// - while that deletion waits, or was refused, it is taken out, and the entity is again what the
  ///   server has, with its key; what differs from that is sent;
  /// - when the deletion was sent, answered or not, the server may have done it: the entity is made
  ///   anew there, and gets another key if the server gives them. If the server then refuses the
  ///   deletion, it has both.
  ///
  /// Observers of a group are not notified of links. What a history calls is, for relations that it
  /// lists and of which the entity is the source; elsewhere, also where a recipe maps the other
  /// end, call ``saveLater(_:as:)`` for what is linked.
  ///
  /// Call it for changes that the program makes, not for those that come from the server or from a
  /// file. Destroy an entity as a whole: of one that loses a component of the group and is
  /// destroyed in the same section, nothing says any more what it was for the server, so nothing is
  /// noted.
  ///
  /// If the program makes the keys, the deletion of an entity that was not sent yet is sent all the
  /// same: a key does not say whether the server has it.
  ///
  /// An entity that goes on without matching loses the component of its key, if that holds nothing
  /// else. Let a history list it only if the program makes the key: one that the server gave means
  /// nothing after the deletion.
  ///
  /// - Parameters:
  ///   - change: The change of a group. Its observer runs in the critical section: it has no queue.
  ///   - resource: Where the entities of the group are, or are to be made.
  /// - Returns: The mutation; nil if there is nothing to send.
  @discardableResult
  public func changeLater(_ change: Change, as resource: Resource) -> Entity? {
    outbox.register(resource)
    return context.perform("remote later") { () -> Entity? in
      switch change.kind {
      case .added:
        ChangeNote(remote: self, change: change, resource: resource).takeBackDeletion()
        return saveLater(change.entity, as: resource)
      case .updated: return saveLater(change.entity, as: resource)
      case .removed:
        return ChangeNote(remote: self, change: change, resource: resource).noteRemoval()
      // Only an entity's own observers get this.
      case .destroyed: return nil
      }
    }
  }
}

/// A change of a group that a resource is about, to be noted; in a section of the context.
private struct ChangeNote {
  let remote: Remote
  let change: Change
  let resource: Resource

  private var entity: Entity { change.entity }
  private var isHere: Bool { entity.isHere(in: remote.context) }

  // MARK: Gone

  /// Notes that the entity is nothing for the server any more.
  func noteRemoval() -> Entity? {
    let outbox = remote.outbox
    let (key, draft, copies) = (formerKey, last(RemoteDraft.self), last(ServerCopy.self))
    let linked = isHere ? outbox.mutations(of: entity).filter(isOfResource) : []
    let earlier =
      linked.isEmpty ? outbox.changes(of: draft, key, resource).filter(isOfResource) : linked
    if isHere { forgetServer(earlier) }
    let known = Outbox.Known(key: key, copy: copies?[resource.name])
    return outbox.newDeletion(of: known, resource, after: earlier, named: remote.newName).map {
      let former = FormerIdentity(entity: entity, copies: copies)
      return remote.context.createEntity(with: $0, former)
    }
  }

  /// A component that the entity has, or had when it was destroyed.
  private func last<C: Component>(_ type: C.Type) -> C? {
    change.old(type) ?? (isHere ? entity.get(type) : nil)
  }

  /// The key that the entity had, as data.
  private var formerKey: JSONValue? {
    guard let field = resource.recipe.key else { return nil }
    func value<C: Component>(_ type: C.Type) -> (any Component)? { last(type) }
    let type: any Component.Type = field.component.type
    guard let component = value(type),
      let key = (try? resource.recipe.data(of: [component]))?[field.path], key != .null
    else { return nil }
    return key
  }

  private func isOfResource(_ mutation: Entity) -> Bool {
    mutation.get(RemoteMutation.self)?.resource == resource.name
  }

  /// Takes the key and the states of the resource from an entity that goes on without matching;
  /// what other resources have of it stays.
  private func forgetServer(_ mutations: [Entity]) {
    for mutation in mutations { mutation.unrelate(Mutates.self) }
    let subjects = mutations.compactMap { $0.get(RemoteMutation.self)?.subject }
    if let draft = entity.get(RemoteDraft.self), subjects.contains(draft.id) {
      entity.remove(RemoteDraft.cid)
    }
    removeKey()
    remote.forgetServer(entity, resource)
    remote.noteUnsent(entity)
  }

  /// Removes the key from an entity if its component holds nothing else.
  private func removeKey() {
    guard let key = resource.key,
      let mapped = resource.recipe.components.first(where: { $0.component == key.component }),
      mapped.fields.count <= 1
    else { return }
    func value<C: Component>(_ type: C.Type) -> (any Component)? { entity.get(type) }
    let type: any Component.Type = key.component.type
    guard let component = value(type), Mirror(reflecting: component).children.count == 1 else {
      return
    }
    entity.remove(key.component)
  }

  // MARK: Back again

  /// Makes the entity what the server has, or is about to make, if its deletion was not sent.
  func takeBackDeletion() {
    guard isHere, let deletion = remote.outbox.deletion(of: entity, resource),
      let former = deletion.get(FormerIdentity.self),
      let value = deletion.get(RemoteMutation.self)
    else { return }
    deletion.destroy()
    if value.key == .null {
      // It is being made on the server, and gets its key from the answer.
      entity.setIfChanged(RemoteDraft(id: value.subject))
      for mutation in remote.outbox.mutations(of: value.subject) {
        mutation.relate(Mutates.self, to: entity)
      }
    } else if let keyPath = resource.key?.path {
      let data = value.key.wrapped(at: keyPath)
      let isBack = (try? remote.mapper.update(entity, with: resource.recipe, from: data)) != nil
      // Another one may have the key by now.
      if !isBack { return }
    }
    if let copy = former.copies?[resource.name] {
      var copies = entity.get(ServerCopy.self) ?? ServerCopy()
      copies[resource.name] = copy
      entity.setIfChanged(copies)
    }
  }
}
