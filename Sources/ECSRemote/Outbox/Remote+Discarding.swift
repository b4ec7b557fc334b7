public import ECS
import ECSRecipes
import Foundation

extension Remote {
  /// Gives a mutation up, and those that come after it for the same entity and resource.
  ///
  /// The entity becomes what the server has: it is fetched, or destroyed if it is not there. But if
  /// an earlier change of it was tried and is not done, that is sent all the same, so that the
  /// entity becomes what that one says, without asking the server: it is as if the later ones had
  /// never been noted. To give that up, too, discard it instead. What waits to be sent by other
  /// resources stays, and so does what is edited but not noted of other entities.
  ///
  /// A mutation that is under way is waited for. A deletion that is given up makes the entity
  /// again.
  ///
  /// - Throws: ``RemoteError``. The mutation is as it was then. ``RemoteError/deadEntity``, if it
  ///   is done already.
  public func discard(_ mutation: Entity) async throws(RemoteError) {
    guard mutation.isHere(in: context), let value = mutation.get(RemoteMutation.self) else {
      throw .deadEntity
    }
    guard let resource = outbox.resource(named: value.resource) else {
      throw .hook("no resource is called \(value.resource)")
    }
    try await pass(value.subject, mutation) { (entity: Entity?) async throws(RemoteError) in
      // It may have been sent, and got a key, while others were waited for.
      let isBack = try context.perform("remote \(resource.name)") { () throws(RemoteError) in
        try stepBack(mutation, entity, resource)
      }
      if !isBack { try await takeBack(mutation, entity, resource) }
    }
  }

  // MARK: What was tried before

  // Makes the entity what the mutation before this one has made of it; false, and nothing done, if
  // there is none. In a section of the context.
  private func stepBack(
    _ mutation: Entity, _ entity: Entity?, _ resource: Resource
  ) throws(RemoteError) -> Bool {
    guard let value = mutation.get(RemoteMutation.self) else { throw .deadEntity }
    let all = outbox.mutations(of: value.subject)
    let earlier = all.compactMap { $0.get(RemoteMutation.self) }.last { other in
      other.number < value.number && other.resource == value.resource
        && (other.kind == .delete || other.data != .null)
    }
    guard let earlier else { return false }
    let given = discarded(value, of: all)
    if earlier.kind == .delete {
      // It is another one that got the key of one that is still to be deleted.
      for other in given { other.destroy() }
      if let entity, entity.isHere(in: context) { entity.destroy() }
      return true
    }
    let work = unsentWork(besides: entity, resource, about: [earlier.data], leavingOut: given)
    let restored = try restored(entity, to: earlier, resource)
    try restoring(work, resource)
    for other in given { other.destroy() }
    restored.remove(RemoteState.Failed.cid)
    for other in outbox.mutations(of: value.subject) { other.relate(Mutates.self, to: restored) }
    noteUnsent(restored)
    return true
  }

  /// What is given up with a mutation: what comes after it, but for other resources' changes.
  private func discarded(_ value: RemoteMutation, of all: [Entity]) -> [Entity] {
    all.filter { other in
      other.get(RemoteMutation.self).map {
        $0.number >= value.number && ($0.resource == value.resource || $0.kind == .delete)
      } ?? false
    }
  }

  /// An entity as it was sent; made if it is not here.
  private func restored(
    _ entity: Entity?, to earlier: RemoteMutation, _ resource: Resource
  ) throws(RemoteError) -> Entity {
    let known = earlier.key == .null ? nil : try holder(of: earlier.key, resource)
    let present = entity.flatMap { $0.isHere(in: context) ? $0 : nil } ?? known
    var data = earlier.data
    if earlier.key == .null, let keyPath = resource.key?.path { data = data.removing(keyPath) }
    let target = present ?? context.createEntity()
    do throws(RecipeError) {
      _ = try mapper.update(target, with: resource.recipe, from: data)
    } catch {
      if present == nil { target.destroy() }
      throw resource.error(error, below: resource.path)
    }
    if earlier.key == .null { target.setIfChanged(RemoteDraft(id: earlier.subject)) }
    return target
  }

  // MARK: What the server has

  private func takeBack(
    _ mutation: Entity, _ entity: Entity?, _ resource: Resource
  ) async throws(RemoteError) {
    guard let value = mutation.get(RemoteMutation.self) else { throw .deadEntity }
    let own = try entity.flatMap { entity throws(RemoteError) in
      entity.isHere(in: context) ? try keyIfAny(of: entity, resource) : nil
    }
    let key = own ?? value.key
    let address = Outbox.Address(key, of: resource)
    for attempt in 1...Remote.mostQuestions {
      let moment = outbox.beginReading()
      defer { outbox.endReading() }
      let answer = key == .null ? nil : try await current(key, resource)
      let isDone = try context.perform("remote \(resource.name)") { () throws(RemoteError) in
        // A feed has sent something that may be newer than the answer.
        let isOvertaken = address.map { outbox.wasWritten($0, after: moment) } ?? false
        if isOvertaken, attempt < Remote.mostQuestions { return false }
        if let answer {
          try become(answer, key, mutation, entity, resource, isStale: isOvertaken)
        } else {
          try vanish(mutation, entity)
        }
        return true
      }
      if isDone { return }
    }
  }

  /// How often the server is asked what it has, while feeds tell of changes meanwhile.
  private static let mostQuestions = 3

  // The server has nothing. In a section of the context.
  private func vanish(_ mutation: Entity, _ entity: Entity?) throws(RemoteError) {
    guard let value = mutation.get(RemoteMutation.self) else { throw .deadEntity }
    for other in outbox.mutations(of: value.subject) {
      let number = other.get(RemoteMutation.self)?.number ?? 0
      if number >= value.number { other.destroy() }
    }
    if let entity, entity.isHere(in: context) { entity.destroy() }
  }

  // The entity is what the server has. In a section of the context.
  private func become(
    _ answer: RemoteAnswer, _ key: JSONValue, _ mutation: Entity, _ entity: Entity?,
    _ resource: Resource, isStale: Bool
  ) throws(RemoteError) {
    guard let value = mutation.get(RemoteMutation.self) else { throw .deadEntity }
    let given = discarded(value, of: outbox.mutations(of: value.subject))
    let data = try resource.data(in: answer.response.body)
    let work = unsentWork(besides: entity, resource, about: [data], leavingOut: given)
    do throws(RecipeError) {
      if let entity, entity.isHere(in: context) {
        _ = try mapper.update(entity, with: resource.recipe, from: data)
      } else {
        _ = try mapper.make(resource.recipe, from: data)
      }
    } catch {
      throw resource.error(error, below: resource.path)
    }
    try restoring(work, resource)
    for other in given { other.destroy() }
    let found = try? mapper.entity(withKey: key, of: resource.recipe)
    guard let restored = entity.flatMap({ $0.isHere(in: context) ? $0 : nil }) ?? found else {
      return
    }
    noteAgreement(restored, resource, data, answer)
    if isStale { restored.setIfChanged(RemoteState.Stale()) }
    noteUnsent(restored)
  }

  /// What the server has; nil if it has not.
  private func current(
    _ key: JSONValue, _ resource: Resource
  ) async throws(RemoteError) -> RemoteAnswer? {
    try await requests.noting(nil) { () async throws(Failure) in
      let answer = try await requests.send(
        RemoteCall(
          method: .get, resource: resource, key: key, query: configuration.query([:]),
          accepted: [404, 410]))
      return (200..<300).contains(answer.response.status) ? answer : nil
    }
  }
}
