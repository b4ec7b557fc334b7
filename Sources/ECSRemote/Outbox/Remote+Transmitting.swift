import ECS
import ECSRecipes
import Foundation

/// The outcome of an attempt to send a mutation.
enum Transmission: Sendable {
  /// The server has done it, or there was nothing to do.
  case done

  /// It became another request, to be sent at once.
  case changed

  /// It was not done, and may be another time; or it was, but the answer can't be used.
  case failed(RemoteError, retryAfter: Duration?, attempts: Int, isDone: Bool)

  /// The server won't do it.
  case refused

  /// It has to wait for another one, or for its entity or an edit.
  case waiting(for: Entity?)

  /// It was changed before it was sent, and is looked at again at once.
  case overtaken

  /// Its turn did not come in time: what is busy is here, not the server.
  case busy
}

extension Remote {
  // Sends a mutation once, after what is in the context was kept. `rounds` says how often it was
  // merged with something newer, one time after the other.
  func transmit(
    _ mutation: Entity, rounds: Int, keeping: @Sendable () async throws -> Void
  ) async -> Transmission {
    guard let subject = mutation.get(RemoteMutation.self)?.subject else { return .done }
    do throws(RemoteError) {
      return try await pass(subject, mutation) { (_: Entity?) async throws(RemoteError) in
        await transmitNow(mutation, rounds, keeping)
      }
    } catch {
      return .busy
    }
  }

  /// Does something about a mutation when all that was asked before of its subject, and of the
  /// entity that it is about, is done.
  func pass<Value: Sendable>(
    _ subject: String, _ mutation: Entity,
    _ body: (Entity?) async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    try await subjects.pass(subject, within: configuration.deadline, configuration.clock) {
      () async throws(RemoteError) in
      guard let entity = context.perform({ self.subject(of: mutation) }) else {
        return try await body(nil)
      }
      return try await pass(entity) { () async throws(RemoteError) in try await body(entity) }
    }
  }

  private func transmitNow(
    _ mutation: Entity, _ rounds: Int, _ keeping: @Sendable () async throws -> Void
  ) async -> Transmission {
    var shipment: Shipment
    let moment = outbox.beginReading()
    defer { outbox.endReading() }
    switch context.perform("remote later", { prepare(mutation, rounds, moment) }) {
    case .shipment(let ready): shipment = ready
    case .end(let end): return end
    }
    // The tag is kept as well: what may have been done is tried again with the same one.
    if shipment.mustLook {
      switch await look(before: mutation, shipment) {
      case .nothingNew(let seen): shipment.mutation = seen
      case .end(let end): return end
      }
      shipment.call.headers = shipment.condition(shipment.mutation.etag)
    }
    do {
      try await keeping()
    } catch let error as any PartlyKept where !error.concerns(mutation, shipment.entity) {
      // It is others that are held up.
    } catch {
      let error = Task.isCancelled ? .cancelled : RemoteError.hook("keeping changes: \(error)")
      return fail(mutation, shipment, Failure(error: error, attempts: 1, isFinal: false))
    }
    // It may have been given up meanwhile, or its entity be another one.
    guard mutation.get(RemoteMutation.self) == shipment.mutation else { return .overtaken }
    let answer: RemoteAnswer
    do throws(Failure) {
      answer = try await requests.send(shipment.call, attempts: 1)
    } catch {
      return await judge(mutation, shipment, error)
    }
    do throws(RemoteError) {
      return try context.perform("remote \(shipment.resource.name)") { () throws(RemoteError) in
        try finish(mutation, shipment, answer)
      }
    } catch {
      // The server has done it, and may say it better when it is asked again.
      return fail(
        mutation, shipment, Failure(error: error, attempts: 1, isFinal: false, isDone: true))
    }
  }

  // MARK: Before

  /// A mutation on its way.
  struct Shipment: Sendable {
    var mutation: RemoteMutation
    let resource: Resource
    let entity: Entity?
    var call: RemoteCall

    /// How often it was merged with something newer before, or was done without an answer that can
    /// be used.
    let rounds: Int

    /// When it was begun.
    let moment: Int

    /// Whether the server has to be asked what it has before: not if it was just merged with that.
    var mustLook: Bool {
      if mutation.attempts == 1, rounds > 0 { return false }
      return switch mutation.kind {
      case .create: false
      case .update: resource.mustLook(etag: mutation.etag, over: mutation.base)
      case .delete: resource.mustLook(etag: mutation.etag, beforeDeleting: mutation.base)
      }
    }

    func condition(_ etag: String?) -> HTTPHeaders {
      mutation.kind == .delete
        ? resource.condition(ofDeleting: etag) : resource.condition(ofChanging: etag)
    }
  }

  private enum Preparation {
    case shipment(Shipment)
    case end(Transmission)
  }

  // The entity that a mutation is about, found again if that is not known. In a section of the
  // context.
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

  // From here on the mutation stays as it is, until the server has answered. In a section of the
  // context.
  private func prepare(_ mutation: Entity, _ rounds: Int, _ moment: Int) -> Preparation {
    guard mutation.isHere(in: context), var value = mutation.get(RemoteMutation.self),
      value.refusal == nil,
      let resource = outbox.resource(named: value.resource)
    else { return .end(.waiting(for: nil)) }
    let entity = subject(of: mutation)
    // It may have become about the same as an older one while it waited for its turn.
    if value.attempts == 0, let first = outbox.mutations(of: value.subject).first,
      first != mutation
    {
      return .end(.waiting(for: first))
    }
    do throws(RemoteError) {
      if value.attempts == 0, value.kind == .delete, let other = doubt(resource, value) {
        return .end(.waiting(for: other))
      }
      if value.attempts == 0, value.kind != .delete {
        if let entity {
          if let other = obstacle(to: entity, resource) { return .end(.waiting(for: other)) }
          value.data = try written(entity, resource)
          value.key = try keyIfAny(of: entity, resource) ?? .null
          value.kind = value.key == .null ? .create : .update
        }
        // It can't be written, or its entity is to come.
        if value.data == .null { return .end(.waiting(for: nil)) }
        if value.kind == .update, value.base != .null,
          resource.edits(in: value.data, since: value.base) == nil
        {
          complete(mutation)
          return .end(.done)
        }
      }
      let call = try call(for: value, resource, entity)
      value.attempts += 1
      _ = mutation.set(value)
      return .shipment(
        Shipment(
          mutation: value, resource: resource, entity: entity, call: call, rounds: rounds,
          moment: moment))
    } catch {
      return .end(refuse(mutation, entity, Failure(error: error, attempts: 0, isFinal: true)))
    }
  }

  // What is to be deleted may be something that was made here, and whose key is not known: it may
  // have come by a list. Returns the mutation that makes it.
  private func doubt(_ resource: Resource, _ value: RemoteMutation) -> Entity? {
    outbox.doubtfulCreations.first { other in
      guard let other = other.get(RemoteMutation.self), other.subject != value.subject,
        other.refusal == nil, other.number < value.number
      else { return false }
      return outbox.resource(named: other.resource)?.key?.component
        == resource.key?.component
    }
  }

  /// The mutation of one that an entity refers to by a key, and that is to get it; nil if there is
  /// none.
  private func obstacle(to entity: Entity, _ resource: Resource) -> Entity? {
    if !resource.hasRelations { return nil }
    for relation in resource.recipe.relations where relation.form == .key {
      guard let key = relation.recipe.key else { continue }
      for target in relation.targets(of: entity) where !target.has(key.component) {
        if let change = changes(of: target, resource).first { return change }
      }
    }
    return nil
  }

  private func call(
    for value: RemoteMutation, _ resource: Resource, _ entity: Entity?
  ) throws(RemoteError) -> RemoteCall {
    var call: RemoteCall
    switch value.kind {
    case .delete:
      call = RemoteCall(
        method: .delete, resource: resource, key: value.key, query: configuration.query([:]),
        accepted: [404, 410])
      call.headers = resource.condition(ofDeleting: value.etag)
    case .create, .update:
      let isNew = value.kind == .create
      let isPatch = !isNew && resource.update == .patching
      let method: HTTPMethod = isNew ? .post : isPatch ? .patch : .put
      var sent = value.data
      if isPatch, value.base != .null {
        sent = resource.edits(in: sent, since: value.base) ?? .object([:])
      }
      call = RemoteCall(
        method: method, resource: resource, entity: entity, key: isNew ? nil : value.key,
        body: try resource.written(sent, over: configuration.parameters(), by: method))
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
    guard mutation.isHere(in: context) else { return .done }
    if value.kind == .delete {
      outbox.noteWriting(Outbox.Address(value.key, of: resource))
      mutation.destroy()
      return .done
    }
    var answered = try resource.content(of: answer.response)
    if value.key == .null { answered = withKey(answered, from: answer, resource) }
    var key = value.key
    if key == .null, let keyPath = resource.key?.path {
      guard let given = answered?[keyPath], given != .null else {
        throw .decoding(RecipeError(recipe: resource.recipe.name, path: keyPath, reason: .missing))
      }
      key = given
    }
    // What can't be a key is found here, whether or not there is an entity to have it.
    let holder = key == .null ? nil : try holder(of: key, resource)
    let address = Outbox.Address(key, of: resource)
    if let entity = subject(of: mutation) {
      let deleted = address.map(outbox.mutations(at:))?.contains {
        $0.get(RemoteMutation.self)?.kind == .delete
      }
      if value.kind == .create, deleted == true {
        // It was in a list, and was deleted there.
        for other in outbox.mutations(of: entity) where other != mutation { other.destroy() }
        entity.destroy()
      } else if value.kind == .create, let twin = holder, twin != entity {
        try adopt(twin, as: entity, value, resource)
      } else {
        let missed = missed(of: entity, address, shipment)
        try applyAnswer(answered, key, to: entity, shipment, answer)
        recall(missed, of: entity, resource, after: answered, answer.response)
      }
    } else if value.kind == .create, let holder, isToBeDeleted(mutation) {
      // It was deleted here, and came by a list as another one.
      for other in changes(of: holder, resource) { other.destroy() }
      holder.destroy()
    }
    outbox.noteWriting(address)
    let subject = mutation.get(RemoteMutation.self)?.subject ?? value.subject
    for other in outbox.mutations(of: subject) where other != mutation {
      other.update(RemoteMutation.self) {
        if $0.key == .null { $0.key = address?.key ?? key }
        if $0.kind == .create { $0.kind = .update }
        if $0.kind == .delete { $0.etag = answer.response.etag }
      }
    }
    complete(mutation)
    return .done
  }

  // What a feed has sent since a request was first sent, as far as that is known. In a section of
  // the context.
  private func missed(
    of entity: Entity, _ address: Outbox.Address?, _ shipment: Shipment
  ) -> MissedChange? {
    let value = shipment.mutation
    // The answer may be as old as the first attempt, and what the feed sent since then was sent to
    // a process that is no more, or of one whose key was not known.
    if value.attempts > 1, !context.group(RemoteFeedPosition.matcher).isEmpty {
      return MissedChange(data: nil, etag: nil)
    }
    guard value.kind == .create else { return entity.get(MissedChange.self) }
    return missed(at: address, since: shipment.moment)
  }

  private func applyAnswer(
    _ data: JSONValue?, _ key: JSONValue, to entity: Entity, _ shipment: Shipment,
    _ answer: RemoteAnswer
  ) throws(RemoteError) {
    let (value, resource) = (shipment.mutation, shipment.resource)
    let url = value.kind == .create ? nil : answer.url.absoluteString
    if (try? written(entity, resource)) != nil {
      let work = unsentWork(besides: entity, resource, about: data.map { [$0] } ?? [])
      let isStale = entity.has(RemoteState.Stale.cid)
      _ = try apply(
        data, to: entity, resource, value.data, over: value.data, answer.response, url)
      // An answer without data does not say what has changed.
      if isStale, data == nil { entity.setIfChanged(RemoteState.Stale()) }
      return try restoring(work, resource)
    }
    // It refers to one without a key by now. What was edited is not known: only the key is taken.
    if value.kind == .create, let keyPath = resource.key?.path {
      do throws(RecipeError) {
        _ = try mapper.update(entity, with: resource.recipe, from: key.wrapped(at: keyPath))
      } catch {
        throw resource.error(error, below: resource.path)
      }
    }
    noteSuccess(
      of: entity, resource, entry(nil, resource, answer.response, nil), known: value.data)
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
}

extension PartlyKept {
  /// Whether a mutation, or the entity that it is about, was not kept.
  fileprivate func concerns(_ mutation: Entity, _ entity: Entity?) -> Bool {
    entitiesNotKept.contains { $0 == mutation || $0 == entity }
  }
}
