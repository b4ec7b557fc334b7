public import ECS
public import JSONValues

/// Two back ends as one: what is here at once, and then what the server says.
///
/// ```swift
/// let books = LocalFirstBackend(stored, then: remote) { error in print(error) }
/// ```
///
/// The closure hears of each failure that a call survives, after the section in which something
/// changed, on the thread of the call; it must not wait for it.
///
/// **Reading** (`fetch`, `list`). What the local half has is applied, in a section of its own, so
/// that observers show it at once. Then the remote half is asked; its answer is applied in another
/// section, and kept locally.
/// - What was noted for later and waits is newer than what the local half has: those entities stay
///   as they are, and only the remote half merges what it hears of them. What was deleted so is not
///   made again.
/// - The remote half is ``BackendError/Reason/unavailable``: the answer is that of the local half,
///   if it has one, and the closure hears why.
/// - The remote half fails otherwise, such as with data that does not fit: that is thrown. What the
///   local half has is applied, and stays kept.
/// - The local half fails, or can't keep the answer: the answer counts, and the closure hears of
///   it.
///
/// **Saving.** The local half keeps the entity, then the remote half saves it; then the local half
/// keeps what that has answered. An entity whose key the remote half is to give is kept locally
/// when that has answered with one. If it can only be sent later, it is noted, the note is kept,
/// and ``BackendError/Reason/missingKey`` of the local half is thrown: the entity itself is not
/// kept here. It is up to the program to save it when it has its key; if the process ends before,
/// the next one makes it on the server of the note, but not here. So give entities that are made
/// offline a key that is made here, such as a UUID.
/// - The local half fails: nothing is sent, and the error is thrown. The edit is in the context, as
///   before.
/// - The remote half is unavailable: it is asked to do it later; if it can, that counts as success,
///   and the closure hears why. If it can't, the error is thrown.
/// - The remote half fails otherwise: that is thrown, and the edit stays kept locally. It is not
///   noted for later: what is refused once is refused again, and what is
///   ``BackendError/Reason/uncertain`` might be done twice.
/// - The local half can't keep the answer: the error is thrown, though the remote half has what was
///   saved, and the context has the answer. Saving again comes to the same as if it had been kept.
///
/// **Deleting.** The remote half first, now or later, so that an entity that it keeps is still
/// here; then the local half. If that one fails, the error is thrown, and the entity is gone from
/// the context and the server: delete its key again. A key of which the context has no entity is
/// deleted later if the local half has one.
///
/// Each error that is thrown, or passed to the closure, says in ``BackendError/half`` where it
/// comes from.
///
/// **Cancellation** ends the call at its next wait, with ``BackendError/Reason/cancelled``: what
/// the local half has applied or kept until then stays so, nothing is noted for later, and what the
/// remote half has answered is kept.
///
/// What is noted for later is entities of the context, which the local half has to keep as well: a
/// store does, if its schema has a table for them, and a storage, if it is given a list of them.
/// Otherwise they last as long as the process.
public struct LocalFirstBackend<Local: EntityBackend, Remote: EntityBackend>: EntityBackend {
  /// The one that is asked first.
  public let local: Local

  /// The one that is asked then.
  public let remote: Remote

  private let didFail: @Sendable (BackendError) -> Void

  /// Makes a combination.
  ///
  /// - Parameters:
  ///   - local: The one that is asked first.
  ///   - remote: The one that is asked then.
  ///   - didFail: Hears of what failed in a call that succeeds nevertheless.
  /// - Precondition: Both have the same context, and their recipes the same identity.
  public init(
    _ local: Local, then remote: Remote, didFail: @escaping @Sendable (BackendError) -> Void
  ) {
    require(
      local.context === remote.context,
      "\(local.name) and \(remote.name) have different contexts: combine back ends of one.")
    require(
      local.recipe.hasIdentity(of: remote.recipe),
      "The recipes of \(local.name) and \(remote.name) have different identities: combine back ends of one kind of entities."
    )
    (self.local, self.remote, self.didFail) = (local, remote, didFail)
  }

  /// The mapper of the local half.
  public var mapper: Mapper { local.mapper }

  /// The mapping of the local half.
  public var recipe: Recipe { local.recipe }

  /// Both names.
  public var name: String { "\(local.name) then \(remote.name)" }

  // MARK: Reading

  /// Makes an entity what is kept locally, and then what the remote half says.
  @discardableResult
  public func fetch(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
    let (first, then) = try await read { () async throws(BackendError) in
      try await local.fetch(entity) { remote.hasUnsent(key: $0) }
    } then: { () async throws(BackendError) in
      try await remote.fetch(entity)
    } keep: { _ async throws(BackendError) in
      try await local.save(entity)
    }
    return first == .updated ? .updated : then
  }

  /// The entity of a key: as it is kept locally, and then as the remote half says.
  @discardableResult
  public func fetch(key: JSONValue) async throws(BackendError) -> Entity {
    try await read { () async throws(BackendError) in
      try await local.fetch(key: key) { remote.hasUnsent(key: $0) }
    } then: { () async throws(BackendError) in
      try await remote.fetch(key: key)
    } keep: { entity async throws(BackendError) in
      try await local.save(entity)
    }.answer
  }

  /// What is kept locally is applied; the answer is that of the remote half, in its order.
  ///
  /// Entities that only the local half has stay there: a list may be a part of what there is.
  public func list() async throws(BackendError) -> [Entity] {
    try await read { () async throws(BackendError) in
      try await local.list { remote.hasUnsent(key: $0) }
    } then: { () async throws(BackendError) in
      try await remote.list()
    } keep: { entities async throws(BackendError) in
      try await local.save(entities)
    }.answer
  }

  private func read<Answer: Sendable>(
    _ readLocally: () async throws(BackendError) -> Answer,
    then ask: () async throws(BackendError) -> Answer,
    keep: (Answer) async throws(BackendError) -> Void
  ) async throws(BackendError) -> (first: Answer?, answer: Answer) {
    var first: Answer?
    do throws(BackendError) {
      first = try await readLocally()
    } catch {
      switch error.reason {
      case .notFound, .missingKey: break
      case .cancelled, .deadEntity: throw error.of(.local)
      default: didFail(error.of(.local))
      }
    }
    let answer: Answer
    do throws(BackendError) {
      if Task.isCancelled { throw BackendError(remote.name, .cancelled) }
      answer = try await ask()
    } catch {
      guard error.reason == .unavailable, let first else { throw error.of(.remote) }
      didFail(error.of(.remote))
      return (first, first)
    }
    do throws(BackendError) {
      try await keep(answer)
    } catch {
      didFail(error.of(.local))
    }
    return (first, answer)
  }

  // MARK: Writing

  /// Keeps an entity locally, tells the remote half, and keeps what that has answered.
  @discardableResult
  public func save(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
    try await keep(entity, needsKey: false)
    let outcome: RecipeOutcome
    do throws(BackendError) {
      if Task.isCancelled { throw BackendError(remote.name, .cancelled) }
      outcome = try await remote.save(entity)
    } catch {
      guard error.reason == .unavailable, remote.saveLater(entity) else { throw error.of(.remote) }
      // What was noted is kept in any case, but that the entity is not must not pass for success.
      try await keep(entity, needsKey: true)
      didFail(error.of(.remote))
      return .unchanged
    }
    try await keep(entity, needsKey: true)
    return outcome
  }

  private func keep(_ entity: Entity, needsKey: Bool) async throws(BackendError) {
    do throws(BackendError) {
      try await local.save(entity)
    } catch {
      if needsKey || error.reason != .missingKey { throw error.of(.local) }
    }
  }

  /// Deletes what the remote half has, now or later, and then what is kept locally; the entity is
  /// destroyed.
  public func delete(_ entity: Entity) async throws(BackendError) {
    let key: JSONValue
    do throws(BackendError) {
      key = try self.key(of: entity)
    } catch {
      // Only the remote half has it, which may be about to give it a key.
      guard error.reason == .missingKey, remote.deleteLater(entity) else { throw error.of(.local) }
      // What was noted before may be kept: it would be made after all.
      return try await keepNotes()
    }
    do throws(BackendError) {
      try await remote.delete(entity)
    } catch {
      guard error.reason == .unavailable, remote.deleteLater(entity) else {
        throw error.of(.remote)
      }
      didFail(error.of(.remote))
    }
    try await deleteLocally(key)
  }

  /// Deletes what both halves keep under a key, and destroys the entity that has it.
  public func delete(key: JSONValue) async throws(BackendError) {
    let known: Entity?
    do throws(BackendError) {
      known = try entity(withKey: key)
    } catch {
      throw error.of(.local)
    }
    if let known { return try await delete(known) }
    do throws(BackendError) {
      try await remote.delete(key: key)
    } catch {
      // It is noted of an entity, which has to be there for that.
      guard error.reason == .unavailable, let entity = try? await local.fetch(key: key),
        remote.deleteLater(entity)
      else { throw error.of(.remote) }
      didFail(error.of(.remote))
    }
    try await deleteLocally(key)
  }

  private func deleteLocally(_ key: JSONValue) async throws(BackendError) {
    do throws(BackendError) {
      try await local.delete(key: key)
    } catch {
      throw error.of(.local)
    }
  }

  /// Notes what the remote half is to do, when that is possible; false if it can't be.
  ///
  /// The local half keeps it when it is saved.
  public func saveLater(_ entity: Entity) -> Bool { remote.saveLater(entity) }

  /// Destroys an entity, and notes that the remote half is to delete it; false if that can't be.
  ///
  /// What the local half keeps stays until its key is deleted.
  public func deleteLater(_ entity: Entity) -> Bool { remote.deleteLater(entity) }

  /// Whether the remote half has something that waits.
  public func hasUnsent(key: JSONValue) -> Bool { remote.hasUnsent(key: key) }

  /// Has the local half keep what is noted for later.
  public func keepNotes() async throws(BackendError) {
    do throws(BackendError) {
      try await local.keepNotes()
    } catch {
      throw error.of(.local)
    }
  }
}

extension Recipe {
  /// Whether both have the same field as their identity.
  fileprivate func hasIdentity(of other: Recipe) -> Bool {
    guard let own = key, let others = other.key else { return false }
    return own.component == others.component && own.name == others.name
  }
}
