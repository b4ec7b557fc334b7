import ECS
import ECSRecipes
import Foundation

/// What became of an attempt to send a mutation.
enum Transmission: Sendable {
  /// The server has done it, or there was nothing to do.
  case done

  /// It became another request, to be sent at once.
  case changed

  /// It was not done, and may be another time.
  case failed(RemoteError, retryAfter: Duration?, attempts: Int)

  /// The server won't do it.
  case refused

  /// It has to wait for another one, or its entity.
  case waiting
}

extension Remote {
  /// Sends a mutation once, after what is in the context was kept.
  func transmit(
    _ mutation: Entity, keeping: @Sendable () async throws -> Void
  ) async -> Transmission {
    let entity = context.perform { subject(of: mutation) }
    do throws(RemoteError) {
      guard let entity else { return await transmitNow(mutation, keeping) }
      return try await pass(entity) { () async throws(RemoteError) in
        await transmitNow(mutation, keeping)
      }
    } catch {
      return .failed(error, retryAfter: nil, attempts: 1)
    }
  }

  private func transmitNow(
    _ mutation: Entity, _ keeping: @Sendable () async throws -> Void
  ) async -> Transmission {
    let shipment: Shipment
    switch context.perform("remote later", { prepare(mutation) }) {
    case .shipment(let ready): shipment = ready
    case .end(let end): return end
    }
    do {
      try await keeping()
    } catch {
      let error = Task.isCancelled ? .cancelled : RemoteError.hook("keeping changes: \(error)")
      return fail(mutation, shipment, Failure(error: error, attempts: 1, isFinal: false))
    }
    // It may have been given up meanwhile.
    guard mutation.get(RemoteMutation.self) == shipment.mutation else { return .waiting }
    let answer: RemoteAnswer
    do throws(Failure) {
      answer = try await send(shipment.call, attempts: 1)
    } catch {
      return await judge(mutation, shipment, error)
    }
    do throws(RemoteError) {
      return try context.perform("remote \(shipment.resource.name)") { () throws(RemoteError) in
        try finish(mutation, shipment, answer)
      }
    } catch {
      // The server has done it, and may say it better when it is asked again.
      return fail(mutation, shipment, Failure(error: error, attempts: 1, isFinal: false))
    }
  }

  // MARK: Before

  /// A mutation on its way.
  struct Shipment: Sendable {
    let mutation: RemoteMutation
    let resource: Resource
    let entity: Entity?
    let call: RemoteCall
  }

  private enum Preparation {
    case shipment(Shipment)
    case end(Transmission)
  }

  // The entity that a mutation is about, found again if that is not known. In a section of the context.
  func subject(of mutation: Entity) -> Entity? {
    if let entity = mutation.target(Mutates.self) { return entity }
    guard let value = mutation.get(RemoteMutation.self), value.kind != .delete,
      let resource = outbox.resource(named: value.resource)
    else { return nil }
    var found: Entity?
    if value.key != .null {
      found = (try? mapper.entity(withKey: value.key, of: resource.recipe)) ?? nil
    } else {
      found = outbox.draft(value.subject)
    }
    // Another one may have got the key of one that was deleted here.
    let pending = outbox.mutations(of: value.subject)
    let isDeleted = pending.contains { $0.get(RemoteMutation.self)?.kind == .delete }
    guard let found, !isDeleted else { return nil }
    mutation.relate(Mutates.self, to: found)
    noteUnsent(found)
    return found
  }

  // From here on the mutation stays as it is, until the server has answered. In a section of the context.
  private func prepare(_ mutation: Entity) -> Preparation {
    guard isHere(mutation), var value = mutation.get(RemoteMutation.self), value.refusal == nil,
      let resource = outbox.resource(named: value.resource)
    else { return .end(.waiting) }
    let entity = subject(of: mutation)
    do throws(RemoteError) {
      if value.attempts == 0, value.kind == .delete, isDoubtful(resource, value) {
        return .end(.waiting)
      }
      if value.attempts == 0, value.kind != .delete {
        if let entity {
          if isWaiting(entity, resource) { return .end(.waiting) }
          value.data = try written(entity, resource)
          value.key = try keyIfAny(of: entity, resource) ?? .null
          value.kind = value.key == .null ? .create : .update
        }
        // It can't be written, or its entity is to come.
        if value.data == .null { return .end(.waiting) }
        if value.kind == .update, value.base != .null,
          value.data.changes(since: value.base) == nil
        {
          complete(mutation)
          return .end(.done)
        }
      }
      let call = try call(for: value, resource, entity)
      value.attempts += 1
      _ = mutation.set(value)
      return .shipment(
        Shipment(mutation: value, resource: resource, entity: entity, call: call))
    } catch {
      return .end(refuse(mutation, entity, Failure(error: error, attempts: 0, isFinal: true)))
    }
  }

  // Whether what is to be deleted may be something that was made here, and whose key is not known: it may
  // have come by a list.
  private func isDoubtful(_ resource: Resource, _ value: RemoteMutation) -> Bool {
    outbox.doubtfulCreations.contains { other in
      guard let other = other.get(RemoteMutation.self), other.subject != value.subject,
        other.refusal == nil, other.number < value.number
      else { return false }
      return outbox.resource(named: other.resource)?.recipe.key?.component
        == resource.recipe.key?.component
    }
  }

  /// Whether an entity refers, by a key, to one that is to get it.
  private func isWaiting(_ entity: Entity, _ resource: Resource) -> Bool {
    for relation in resource.recipe.relations where relation.form == .key {
      guard let key = relation.recipe.key else { continue }
      for target in relation.targets(of: entity) where !target.has(key.component) {
        if !changes(of: target, resource).isEmpty { return true }
      }
    }
    return false
  }

  private func call(
    for value: RemoteMutation, _ resource: Resource, _ entity: Entity?
  ) throws(RemoteError) -> RemoteCall {
    var call: RemoteCall
    switch value.kind {
    case .delete:
      call = RemoteCall(
        method: .delete, resource: resource, key: value.key, query: query([:]),
        accepted: [404, 410])
      call.headers = resource.condition(ofDeleting: value.etag)
    case .create, .update:
      let isNew = value.kind == .create
      let isPatch = !isNew && resource.update == .patching
      var sent = value.data
      if isPatch, value.base != .null { sent = sent.changes(since: value.base) ?? .object([:]) }
      call = RemoteCall(
        method: isNew ? .post : isPatch ? .patch : .put, resource: resource, entity: entity,
        key: isNew ? nil : value.key,
        body: try resource.written(sent, [], over: configuration.parameters()))
      if !isNew { call.headers = resource.condition(ofChanging: value.etag) }
    }
    call.idempotencyKey = value.idempotencyKey
    call.earlierAttempts = value.attempts
    return call
  }

  // MARK: After

  // The server has done it. In a section of the context.
  private func finish(
    _ mutation: Entity, _ shipment: Shipment, _ answer: RemoteAnswer
  ) throws(RemoteError) -> Transmission {
    let (value, resource) = (shipment.mutation, shipment.resource)
    guard isHere(mutation) else { return .done }
    if value.kind == .delete {
      outbox.noteWriting(Outbox.Place(value.key, of: resource))
      mutation.destroy()
      return .done
    }
    let answered = try resource.content(of: answer.response)
    var key = value.key
    if key == .null, let place = resource.recipe.key?.path {
      guard let given = answered?[place], given != .null else {
        throw .decoding(RecipeError(recipe: resource.recipe.name, path: place, reason: .missing))
      }
      key = given
    }
    // What can't be a key is found here, whether or not there is an entity to have it.
    let holder = key == .null ? nil : try holder(of: key, resource)
    let place = Outbox.Place(key, of: resource)
    if let entity = subject(of: mutation) {
      let deleted = place.map(outbox.mutations(at:))?.contains {
        $0.get(RemoteMutation.self)?.kind == .delete
      }
      if value.kind == .create, deleted == true {
        // It was in a list, and was deleted there.
        for other in outbox.mutations(of: entity) where other != mutation { other.destroy() }
        entity.destroy()
      } else if value.kind == .create, let twin = holder, twin != entity {
        try adopt(twin, as: entity, shipment)
      } else {
        try applyAnswer(answered, key, to: entity, shipment, answer)
      }
    } else if value.kind == .create, let holder, isToBeDeleted(mutation) {
      // It was deleted here, and came by a list as another one.
      for other in changes(of: holder, resource) { other.destroy() }
      holder.destroy()
    }
    outbox.noteWriting(place)
    let subject = mutation.get(RemoteMutation.self)?.subject ?? value.subject
    for other in outbox.mutations(of: subject) where other != mutation {
      other.update(RemoteMutation.self) {
        if $0.key == .null { $0.key = key }
        if $0.kind == .create { $0.kind = .update }
        if $0.kind == .delete { $0.etag = answer.response.headers["ETag"] }
      }
    }
    complete(mutation)
    return .done
  }

  private func applyAnswer(
    _ data: JSONValue?, _ key: JSONValue, to entity: Entity, _ shipment: Shipment,
    _ answer: RemoteAnswer
  ) throws(RemoteError) {
    let (value, resource) = (shipment.mutation, shipment.resource)
    let url = value.kind == .create ? nil : answer.url.absoluteString
    if (try? written(entity, resource)) != nil {
      let work = unsentWork(besides: entity, resource)
      _ = try apply(
        data, to: entity, resource, value.data, over: value.data, answer.response, url)
      return try restoring(work, resource)
    }
    // It refers to one without a key by now. What was edited can't be told: only the key is taken.
    if value.kind == .create, let place = resource.recipe.key?.path {
      do throws(RecipeError) {
        _ = try mapper.update(entity, with: resource.recipe, from: key.placed(at: place))
      } catch {
        throw resource.error(error, below: resource.path)
      }
    }
    noteSuccess(
      of: entity, resource, entry(nil, answer.response, nil), known: value.data)
  }

  // A mutation is no longer needed. In a section of the context.
  private func complete(_ mutation: Entity) {
    let entity = mutation.target(Mutates.self)
    mutation.destroy()
    guard let entity else { return }
    entity.remove(RemoteState.Loading.cid)
    entity.remove(RemoteState.Failed.cid)
    noteUnsent(entity)
  }

  // MARK: Failing

  /// Whether a mutation is to be tried again, to be changed, or to be given to the user.
  private func judge(
    _ mutation: Entity, _ shipment: Shipment, _ failure: Failure
  ) async -> Transmission {
    let kind = shipment.mutation.kind
    var isCertain = true
    if failure.isDone { return fail(mutation, shipment, failure) }
    switch failure.error {
    case .http(412, _, _), .http(409, _, _):
      if case .http(409, _, _) = failure.error, shipment.mutation.attempts > 1 {
        // The server may still be at it.
        if shipment.mutation.attempts < Remote.patience {
          return fail(mutation, shipment, failure)
        }
        isCertain = false
      }
      if kind == .create || shipment.resource.conflicts.winner == nil { break }
      return await reconcile(mutation, shipment, failure)
    case .http(404, _, _), .http(410, _, _):
      guard kind == .update, case .server? = shipment.resource.conflicts.winner else { break }
      context.perform("remote \(shipment.resource.name)") { giveWay(mutation, shipment) }
      return .done
    case .http(401, _, _), .http(407, _, _):
      return fail(mutation, shipment, failure)
    case .http, .badKey, .missingKey, .encoding, .deadEntity, .unsent:
      if !failure.isFinal { return fail(mutation, shipment, failure) }
    case .transport(.badRequest):
      break
    case .transport, .syntax, .decoding, .hook, .cancelled:
      // The server may have done it, or will.
      return fail(mutation, shipment, failure)
    }
    return context.perform("remote later") {
      refuse(mutation, shipment.entity, failure, isCertain: isCertain)
    }
  }

  /// How often a server may say that it is still at what it was asked for.
  private static let patience = 10

  func fail(
    _ mutation: Entity, _ shipment: Shipment, _ failure: Failure
  ) -> Transmission {
    let attempts = shipment.mutation.attempts
    let failure = Failure(
      error: failure.error, attempts: attempts, isFinal: false, retryAfter: failure.retryAfter)
    context.perform("remote later") {
      // It may be about another entity by now, which was found to be the same.
      note(failure, of: mutation.target(Mutates.self) ?? shipment.entity)
      note(failure, of: mutation)
    }
    return .failed(failure.error, retryAfter: failure.retryAfter, attempts: attempts)
  }

  // The server won't do it, so that the next attempt is another request, if that is certain. In a section
  // of the context.
  func refuse(
    _ mutation: Entity, _ entity: Entity?, _ failure: Failure, isCertain: Bool = true
  ) -> Transmission {
    guard isHere(mutation), let value = mutation.get(RemoteMutation.self) else { return .done }
    if isCertain, isToBeDeleted(mutation) {
      // Nobody needs it any more; and what was not made need not be deleted.
      for other in outbox.mutations(of: value.subject) where value.key == .null { other.destroy() }
      if isHere(mutation) { mutation.destroy() }
      return .done
    }
    let failure = Failure(
      error: failure.error, attempts: value.attempts, isFinal: true, retryAfter: nil)
    mutation.update(RemoteMutation.self) {
      $0.refusal = failure.error.description
      if isCertain { reopen(&$0) }
    }
    note(failure, of: mutation.target(Mutates.self) ?? entity)
    note(failure, of: mutation)
    if isCertain { absorbLater(mutation) }
    return .refused
  }

  /// Whether what a mutation is about is to be deleted when it is done.
  func isToBeDeleted(_ mutation: Entity) -> Bool {
    guard let value = mutation.get(RemoteMutation.self) else { return false }
    return outbox.mutations(of: value.subject).contains { other in
      other.get(RemoteMutation.self).map { $0.kind == .delete && $0.number > value.number }
        ?? false
    }
  }

  /// The next attempt is another request.
  func reopen(_ value: inout RemoteMutation) {
    guard value.attempts > 0 else { return }
    value.attempts = 0
    value.revision += 1
  }

  /// Edits that were made while it was under way are a part of what is sent next.
  func absorbLater(_ mutation: Entity) {
    guard let value = mutation.get(RemoteMutation.self), let entity = subject(of: mutation),
      let resource = outbox.resource(named: value.resource)
    else { return }
    for other in outbox.mutations(of: value.subject) where other != mutation {
      guard let later = other.get(RemoteMutation.self), later.kind != .delete,
        later.resource == value.resource, later.attempts == 0
      else { continue }
      other.destroy()
      let data = (try? written(entity, resource)) ?? later.data
      mutation.update(RemoteMutation.self) { $0.data = data }
    }
    noteUnsent(entity)
  }
}
