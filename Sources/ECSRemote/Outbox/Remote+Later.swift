public import ECS
import ECSRecipes
import Foundation

extension Remote {
  /// Notes that the server has to hear of a change, in the section of the change.
  ///
  /// A ``SendingSystem`` sends it when that is possible.
  ///
  /// ```swift
  /// context.perform {
  ///   post.update(Post.self) { $0.stars += 1 }
  ///   remote.saveLater(post, as: posts)
  /// }
  /// ```
  ///
  /// What is sent is what the entity is when it is sent. So several changes are one mutation, until
  /// the first attempt; those that come later are the next one. What the server is asked about the
  /// entity meanwhile does not overwrite what was changed here. An entity without a key gets a
  /// ``RemoteDraft``; others that refer to it by its key wait until it has one.
  ///
  /// The entity has ``RemoteState/Unsent`` until the server has heard of all changes.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - resource: Where it is, or is to be made.
  /// - Returns: The mutation; nil if the entity is dead or of another context.
  /// - Complexity: O(*f* + log *m*), where *f* is the number of fields, and *m* that of all
  ///   mutations.
  @discardableResult
  public func saveLater(_ entity: Entity, as resource: Resource) -> Entity? {
    outbox.register(resource)
    return context.perform("remote later") { () -> Entity? in
      guard entity.isHere(in: context) else { return nil }
      let earlier = changes(of: entity, resource)
      let open = earlier.last { mutation in
        mutation.get(RemoteMutation.self).map {
          $0.attempts == 0 && $0.resource == resource.name
        } ?? false
      }
      if let open {
        open.update(RemoteMutation.self) { note(&$0, of: entity, resource) }
        open.remove(RemoteState.Failed.cid)
        return open
      }
      let known = Outbox.Known(
        key: (try? keyIfAny(of: entity, resource)) ?? nil, copy: copy(of: entity, as: resource))
      var mutation = outbox.newMutation(
        .update, of: known, resource, after: earlier, named: newName)
      note(&mutation, of: entity, resource)
      if let last = earlier.last?.get(RemoteMutation.self), last.resource == resource.name {
        // It goes from what that one makes of the entity.
        (mutation.base, mutation.etag) = (last.data, nil)
      }
      if mutation.kind == .create { _ = entity.set(RemoteDraft(id: mutation.subject)) }
      let made = context.createEntity(with: mutation).relate(Mutates.self, to: entity)
      noteUnsent(entity)
      return made
    }
  }

  /// Destroys an entity, and notes that the server has to delete it.
  ///
  /// Both happen in the section in which it is called. A ``SendingSystem`` deletes it on the server
  /// when that is possible.
  ///
  /// Changes of it that were not tried yet are forgotten. If the server never heard of it, that is
  /// all. Until it is deleted there, what lists say of it is passed over.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - resource: Where it is.
  /// - Returns: The mutation; nil if there is nothing to delete on the server, or the entity is
  ///   dead or of another context.
  @discardableResult
  public func deleteLater(_ entity: Entity, as resource: Resource) -> Entity? {
    outbox.register(resource)
    return context.perform("remote later") { () -> Entity? in
      guard entity.isHere(in: context) else { return nil }
      let earlier = changes(of: entity, resource)
      let known = Outbox.Known(
        key: (try? keyIfAny(of: entity, resource)) ?? nil, copy: copy(of: entity, as: resource))
      entity.destroy()
      return outbox.newDeletion(of: known, resource, after: earlier, named: newName)
        .map { context.createEntity(with: $0) }
    }
  }

  /// Has a mutation that the server refused sent again.
  ///
  /// Others are sent anyway.
  /// It is the same request, and has the same name, only if the server may have done it already.
  public func retry(_ mutation: Entity) {
    context.perform("remote later") {
      guard mutation.isHere(in: context) else { return }
      mutation.update(RemoteMutation.self) { $0.refusal = nil }
      mutation.remove(RemoteState.Failed.cid)
      mutation.target(Mutates.self).map { _ = $0.remove(RemoteState.Failed.cid) }
    }
  }

  // MARK: Noting

  /// A name for a mutation.
  var newName: String { configuration.idempotencyKey?() ?? UUID().uuidString }

  // The mutations of an entity, oldest first. After a restart it may be known by its key or draft
  // only. In a section of the context.
  func changes(of entity: Entity, _ resource: Resource) -> [Entity] {
    if outbox.isEmpty || !entity.isHere(in: context) { return [] }
    let linked = outbox.mutations(of: entity)
    if !linked.isEmpty { return linked }
    let found = outbox.changes(
      of: entity.get(RemoteDraft.self), (try? keyIfAny(of: entity, resource)) ?? nil, resource)
    for mutation in found { _ = mutation.relate(Mutates.self, to: entity) }
    if !found.isEmpty { noteUnsent(entity) }
    return found
  }

  private func note(
    _ mutation: inout RemoteMutation, of entity: Entity, _ resource: Resource
  ) {
    mutation.refusal = nil
    mutation.key = (try? keyIfAny(of: entity, resource)) ?? .null
    mutation.kind = mutation.key == .null ? .create : .update
    mutation.data = (try? written(entity, resource)) ?? .null
  }

  // Tells how many changes of an entity wait. In a section of the context.
  func noteUnsent(_ entity: Entity) {
    guard entity.isHere(in: context) else { return }
    let count = entity.sources(Mutates.self).count
    if count > 0 {
      entity.setIfChanged(RemoteState.Unsent(count: count))
    } else {
      entity.remove(RemoteState.Unsent.cid)
      entity.remove(RemoteDraft.cid)
    }
  }
}
