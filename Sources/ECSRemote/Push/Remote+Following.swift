public import ECS
import ECSRecipes
import Foundation

extension Remote {
  /// Follows a feed: connects, applies what it tells, and connects again when it breaks off,
  /// without an end.
  ///
  /// ```swift
  /// let following = Task { try await remote.follow(feed) }
  /// ```
  ///
  /// - Each event is applied in one section, through recipes, with its id as
  ///   ``RemoteFeedPosition/lastID``. The next connection asks to go on behind that. What waits to
  ///   be sent is merged with it as with what is fetched, and what is deleted here stays away. What
  ///   is under way to the server is left to its answer; if that says something else, or nothing,
  ///   the entity is ``RemoteState/Stale``. Lists and fetches that were asked for before an event,
  ///   and are answered after it, don't undo it.
  /// - After a broken connection, silence, an end, 408, 425, 429 and most of 5xx, it waits: a
  ///   random part of a time that doubles up to the limit of ``RemoteConfiguration/retry``, from
  ///   the start again when something has come; and before that as long as the server asks for
  ///   (`retry:`, `Retry-After`), an hour at most.
  /// - ``feed(named:)`` is an entity whose ``RemoteState/Following`` says how it is.
  ///
  /// Following a feed that is already being followed joins that run. It uses none of the
  /// ``RemoteConfiguration/maximumConcurrentRequests``.
  ///
  /// - Parameter feed: The feed.
  /// - Throws: ``RemoteError``, when trying again would not help: the server refuses, the content
  ///   has another type, an event is too large or can't be applied; ``RemoteError/cancelled`` when
  ///   the task is cancelled, after which no event is applied any more. It returns if the server
  ///   says that there is nothing to follow (204).
  public func follow(_ feed: RemoteFeed) async throws(RemoteError) {
    _ = try await followings.run(feed.name) { number async throws(RemoteError) in
      try await FeedFollower(remote: self, feed: feed, number: number).run()
      return true
    }
  }

  /// The entity that stands for a feed, with its ``RemoteFeedPosition`` and
  /// ``RemoteState/Following``; made if there is none.
  public func feed(named name: String) -> Entity {
    context.perform("remote feed \(name)") {
      if let known = feeds.first(for: name) { return known }
      return context.createEntity(with: RemoteFeedPosition(feed: name))
    }
  }

  // MARK: Applying

  // Does what an event means. In a section of the context.
  func take(_ changes: [PushChange]) throws(RemoteError) {
    for change in changes {
      switch change {
      case .save(let data, let resource, let etag): try takeSaved(data, resource, etag)
      case .delete(let key, let resource): try takeDeleted(key, resource)
      case .invalidate(let key, let resource): try takeInvalid(key, resource)
      }
    }
    guard outbox.isAnythingRead else { return }
    for change in changes { noteTelling(change) }
  }

  // Answers that are under way may be older. In a section of the context.
  private func noteTelling(_ change: PushChange) {
    switch change {
    case .save(let data, let resource, _):
      guard let path = resource.key?.path else { return }
      outbox.noteTelling(Outbox.Address(data[path], of: resource), data)
    case .delete(let key, let resource):
      outbox.noteTelling(Outbox.Address(key, of: resource), .null)
    case .invalidate(let key, let resource):
      guard (try? holder(of: key, resource)) ?? nil != nil else { return }
      outbox.noteTelling(Outbox.Address(key, of: resource), .object([:]))
    }
  }

  private func takeSaved(
    _ data: JSONValue, _ resource: Resource, _ etag: String?
  ) throws(RemoteError) {
    let etag = etag.flatMap { $0.isFieldValue ? $0 : nil }
    // Nothing is older than the feed itself.
    switch try reception(of: data, resource, since: .max) {
    case .deleted: return
    case .passedOver(let entity):
      if let entity { miss(MissedChange(data: data, etag: etag), of: entity) }
      return
    case .merged(let entity):
      try check(data, entity, resource, at: .root)
      try merge(
        data, into: entity, resource, over: base(of: entity, resource),
        entry(etag, of: data, about: entity, resource))
      return
    case .united(let creation):
      _ = try unite(
        creation, with: data, resource,
        RemoteMemory.Entry(of: resource, time: configuration.clock.now()))
      return
    case .free: break
    }
    let work = unsentWork(besides: nil, resource, about: [data])
    let entity: Entity
    do throws(RecipeError) {
      entity = try mapper.apply(data, with: resource.recipe).entity
    } catch {
      throw resource.error(error, below: .root)
    }
    try restoring(work, resource)
    noteSuccess(
      of: entity, resource, entry(etag, of: data, about: entity, resource),
      known: known(by: data, of: entity, resource))
  }

  // What to remember of an event. Its tag is that of all fields: one that tells some of them has
  // not shown the others.
  private func entry(
    _ etag: String?, of data: JSONValue, about entity: Entity, _ resource: Resource
  ) -> RemoteMemory.Entry {
    let isWhole =
      etag != nil
      && (resource.recipe.isWritten(as: data)
        || (try? written(entity, resource)).map(data.covers) ?? false)
    return RemoteMemory.Entry(
      of: resource, time: configuration.clock.now(), etag: isWhole ? etag : nil)
  }

  private func takeDeleted(_ key: JSONValue, _ resource: Resource) throws(RemoteError) {
    guard let entity = try holder(of: key, resource) else { return }
    let pending = changes(of: entity, resource)
    if outbox.isBeingSent(entity) || isUnderWay(pending) {
      return miss(MissedChange(data: nil, etag: nil), of: entity)
    }
    if pending.isEmpty { return entity.destroy() }
    // What was changed here is refused when it is sent, unless the server wins.
    guard case .server? = resource.conflicts.winner else { return }
    for mutation in pending { mutation.destroy() }
    entity.destroy()
  }

  private func takeInvalid(_ key: JSONValue, _ resource: Resource) throws(RemoteError) {
    guard let entity = try holder(of: key, resource) else { return }
    if outbox.isBeingSent(entity) || isUnderWay(changes(of: entity, resource)) {
      return miss(MissedChange(data: nil, etag: nil), of: entity)
    }
    invalidate(entity)
  }
}
