import ECS
import ECSRecipes
import Foundation

// What becomes of a mutation if the server has something newer.
extension Remote {
  /// Fetches what the server has, and merges.
  func reconcile(
    _ mutation: Entity, _ shipment: Shipment, _ failure: Failure
  ) async -> Transmission {
    let (value, resource) = (shipment.mutation, shipment.resource)
    do throws(Failure) {
      let answer = try await requests.send(
        RemoteCall(
          method: .get, resource: resource, key: value.key, query: configuration.query([:]),
          accepted: [404, 410]), attempts: 1)
      return try Failure.final { () throws(RemoteError) in
        try context.perform("remote \(resource.name)") { () throws(RemoteError) in
          guard mutation.isHere(in: context) else { return .done }
          guard (200..<300).contains(answer.response.status) else {
            return gone(mutation, shipment, answer.response)
          }
          return try settle(mutation, shipment, answer, failure)
        }
      }
    } catch {
      return fail(mutation, shipment, error)
    }
  }

  /// The server does not have it any more.
  func gone(
    _ mutation: Entity, _ shipment: Shipment, _ response: HTTPResponse
  ) -> Transmission {
    if shipment.mutation.kind == .delete {
      mutation.destroy()
      return .done
    }
    if case .server? = shipment.resource.conflicts.winner {
      giveWay(mutation, shipment)
      return .done
    }
    let error = RemoteError.http(status: response.status, problem: nil, body: response.body)
    return refuse(mutation, shipment.entity, Failure(error: error, attempts: 1, isFinal: true))
  }

  /// It was deleted on the server, and so it is here.
  func giveWay(_ mutation: Entity, _ shipment: Shipment) {
    let entity = mutation.target(Mutates.self) ?? shipment.entity
    let subject = mutation.get(RemoteMutation.self)?.subject ?? shipment.mutation.subject
    for other in outbox.mutations(of: subject) { other.destroy() }
    if let entity, entity.isHere(in: context) { entity.destroy() }
  }

  // The server has refused, for something newer or for something else.
  private func settle(
    _ mutation: Entity, _ shipment: Shipment, _ answer: RemoteAnswer, _ failure: Failure
  ) throws(RemoteError) -> Transmission {
    let (value, resource) = (shipment.mutation, shipment.resource)
    let data = try resource.data(in: answer.response.body)
    let etag = answer.response.etag
    if value.kind == .delete {
      if case .local? = resource.conflicts.winner { return refuse(mutation, nil, failure) }
      // Without a tag, the data tells: that is the same as when it was asked about.
      let isKnown = etag == nil && resource.recipe.rewritten(data) == value.base
      if isKnown || etag != nil && etag == value.etag { return refuse(mutation, nil, failure) }
    }
    let entity = subject(of: mutation)
    if value.kind != .delete, entity == nil, etag == value.etag || isToBeDeleted(mutation) {
      return refuse(mutation, nil, failure)
    }
    let end = try meet(data, mutation, shipment, answer)
    let merged = mutation.get(RemoteMutation.self)
    if let entity, merged?.base == value.base, merged?.etag == value.etag {
      // There is nothing newer: it is something else that it does not like.
      return refuse(mutation, entity, failure)
    }
    return end
  }

  // Makes a mutation one that has seen what the server has. In a section of the context.
  func meet(
    _ data: JSONValue, _ mutation: Entity, _ shipment: Shipment, _ answer: RemoteAnswer
  ) throws(RemoteError) -> Transmission {
    let (value, resource) = (shipment.mutation, shipment.resource)
    if value.kind == .delete { return try settleDeletion(mutation, shipment, data, answer) }
    guard let entity = subject(of: mutation) else {
      if isToBeDeleted(mutation) {
        mutation.destroy()
        return .done
      }
      // It was destroyed here, but is not to be on the server.
      let base = value.base == .null ? nil : value.base
      let edits = base.map { resource.edits(in: value.data, since: $0) } ?? value.data
      let known = resource.recipe.rewritten(data)
        .known(over: base, after: value.data, edits: edits)
      mutation.update(RemoteMutation.self) {
        reopen(&$0)
        ($0.base, $0.etag) = (known, answer.response.etag)
        $0.data = edits.map(known.applying) ?? known
      }
      return .changed
    }
    try check(data, entity, resource, at: resource.path)
    mutation.update(RemoteMutation.self) { reopen(&$0) }
    absorbLater(mutation)
    try mergeMissing(data, into: entity, resource, over: value.base, answer.response)
    return .changed
  }

  /// It was deleted here, and changed on the server.
  private func settleDeletion(
    _ mutation: Entity, _ shipment: Shipment, _ data: JSONValue, _ answer: RemoteAnswer
  ) throws(RemoteError) -> Transmission {
    let (value, resource) = (shipment.mutation, shipment.resource)
    var isKept = true
    if case .ask(let ask)? = resource.conflicts.winner {
      let conflict = RemoteConflict(
        entity: nil, path: .root, base: value.base == .null ? nil : value.base, local: nil,
        server: data)
      isKept = ask(conflict) != nil
    }
    guard isKept else {
      mutation.update(RemoteMutation.self) {
        reopen(&$0)
        $0.base = resource.recipe.rewritten(data)
        $0.etag = answer.response.etag
      }
      return .changed
    }
    mutation.destroy()
    let restored: Entity
    do throws(RecipeError) {
      restored = try mapper.make(resource.recipe, from: data)
    } catch {
      throw resource.error(error, below: resource.path)
    }
    noteAgreement(restored, resource, data, answer)
    return .done
  }
}
