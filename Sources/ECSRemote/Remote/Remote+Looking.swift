import ECS
import ECSRecipes
import Foundation

// What has not been seen is not overwritten: before a change goes out without a tag, the server is
// asked what it has.
extension Resource {
  /// Whether the server has to be asked what it has before a change of what it was known to have is
  /// sent: there is no tag by which it could refuse, and the change overwrites more than what was
  /// edited, or is not to overwrite that.
  func mustLook(etag: String?, over base: JSONValue?) -> Bool {
    guard let winner = conflicts.winner, let base, base != .null,
      condition(ofChanging: etag) == [:]
    else { return false }
    if case .local = winner { return update == .replacing }
    return true
  }

  /// Whether the server has to be asked what it has before that is deleted.
  func mustLook(etag: String?, beforeDeleting base: JSONValue?) -> Bool {
    if case .local? = conflicts.winner { return false }
    return mustLook(etag: etag, over: base)
  }

  /// Whether an answer says something else than what was known, of what is sent.
  func isNews(_ data: JSONValue, over base: JSONValue, of sent: JSONValue) -> Bool {
    recipe.rewritten(data).differs(from: base, in: sent)
  }
}

extension Remote {
  // MARK: Directly

  /// Merges an entity that is to be saved with what the server has, if that has to be asked for.
  func look(at entity: Entity, _ resource: Resource) async throws(Failure) {
    let key = try Failure.final { () throws(RemoteError) -> JSONValue? in
      try context.perform { () throws(RemoteError) in
        let copy = copy(of: entity, as: resource)
        guard resource.mustLook(etag: copy?.etag, over: copy?.data),
          let key = try keyIfAny(of: entity, resource)
        else { return nil }
        try checkNothingWaits(entity, resource)
        outbox.beginSending(entity)
        return key
      }
    }
    if let key { try await rebase(entity, key, resource) }
  }

  /// Merges an entity with what the server has.
  func rebase(
    _ entity: Entity, _ key: JSONValue, _ resource: Resource
  ) async throws(Failure) {
    _ = outbox.beginReading()
    defer { outbox.endReading() }
    let answer = try await requests.send(
      RemoteCall(method: .get, resource: resource, key: key, query: configuration.query([:])))
    try Failure.final { () throws(RemoteError) in
      guard let data = try resource.content(of: answer.response) else { return }
      try context.perform("remote \(resource.name)") { () throws(RemoteError) in
        guard entity.isHere(in: context) else { throw .deadEntity }
        try mergeMissing(
          data, into: entity, resource, over: copy(of: entity, as: resource)?.data, answer.response)
      }
    }
  }

  // The tag of what is to be deleted, if it is as it was known, or is not there: otherwise, it is
  // refused as the server would.
  func tag(
    beforeDeleting key: JSONValue, _ resource: Resource, _ copy: ServerCopy.Copy?
  ) async throws(Failure) -> String? {
    guard let copy, resource.mustLook(etag: copy.etag, beforeDeleting: copy.data) else {
      return copy?.etag
    }
    let answer = try await requests.send(
      RemoteCall(
        method: .get, resource: resource, key: key, query: configuration.query([:]),
        accepted: [404, 410]))
    return try Failure.final { () throws(RemoteError) in
      guard (200..<300).contains(answer.response.status) else { return nil }
      let data = try resource.content(of: answer.response)
      if let data, resource.isNews(data, over: copy.data, of: copy.data) {
        throw .http(status: 412, problem: nil, body: Data())
      }
      return answer.response.etag
    }
  }

  // MARK: Later

  /// The outcome of a look before a mutation is sent.
  enum Look {
    /// Nothing is new: it can be sent as it is now, with the tag of that.
    case nothingNew(RemoteMutation)

    /// It is not sent, or becomes another request.
    case end(Transmission)
  }

  /// Asks what the server has, and merges if that is new.
  func look(before mutation: Entity, _ shipment: Shipment) async -> Look {
    let (value, resource) = (shipment.mutation, shipment.resource)
    let answer: RemoteAnswer
    do throws(Failure) {
      answer = try await requests.send(
        RemoteCall(
          method: .get, resource: resource, key: value.key, query: configuration.query([:]),
          accepted: [404, 410]), attempts: 1)
    } catch {
      return .end(missed(mutation, shipment, error))
    }
    do throws(RemoteError) {
      return try context.perform("remote \(resource.name)") { () throws(RemoteError) in
        // It may have been given up meanwhile, or its entity be another one.
        guard mutation.get(RemoteMutation.self) == value else { return .end(.overtaken) }
        guard (200..<300).contains(answer.response.status) else {
          return .end(gone(mutation, shipment, answer.response))
        }
        guard let data = try resource.content(of: answer.response),
          resource.isNews(data, over: value.base, of: value.data)
        else {
          var seen = value
          seen.etag = answer.response.etag
          if seen != value { _ = mutation.set(seen) }
          return .nothingNew(seen)
        }
        return .end(try meet(data, mutation, shipment, answer))
      }
    } catch {
      return .end(
        fail(mutation, shipment, Failure(error: error, attempts: 1, isFinal: false)))
    }
  }

  // A server that can't be asked refuses what is not to be sent without asking.
  private func missed(
    _ mutation: Entity, _ shipment: Shipment, _ failure: Failure
  ) -> Transmission {
    switch failure.error {
    case .http(401, _, _), .http(407, _, _): break
    case .http where failure.isFinal:
      return context.perform("remote later") { refuse(mutation, shipment.entity, failure) }
    default: break
    }
    return fail(mutation, shipment, failure)
  }
}
