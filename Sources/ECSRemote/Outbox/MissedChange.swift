import ECS
import ECSRecipes

/// A change of an entity that a feed has sent and that was passed over, because a change of the
/// entity was under way; until the server says what the entity is.
struct MissedChange: Component {
  /// The data of the change; nil if no answer can say that: the entity was deleted, or changed in
  /// an unknown way.
  let data: JSONValue?

  /// The tag of that.
  let etag: String?

  /// The change together with a later one.
  func followed(by next: MissedChange) -> MissedChange {
    let told = data.flatMap { data in next.data.map(data.applying) }
    return MissedChange(data: told, etag: next.etag)
  }
}

extension Remote {
  /// A feed has sent a change of an entity, which is left to the answer that is to come.
  func miss(_ change: MissedChange, of entity: Entity) {
    _ = entity.set(entity.get(MissedChange.self)?.followed(by: change) ?? change)
    entity.setIfChanged(RemoteState.Stale())
  }

  // What a feed has sent since a moment about something new, whose key was not known then. In a
  // section of the context.
  func missed(at address: Outbox.Address?, since moment: Int) -> MissedChange? {
    guard let address, outbox.wasWritten(address, after: moment), let told = outbox.told(address)
    else {
      return nil
    }
    return MissedChange(data: told == .null ? nil : told, etag: nil)
  }

  // After an answer was applied that may be older than what was missed: a server that is asked
  // again says the same again. Returns whether it is. In a section of the context.
  @discardableResult
  func recall(
    _ missed: MissedChange?, of entity: Entity, _ resource: Resource, after data: JSONValue?,
    _ response: HTTPResponse
  ) -> Bool {
    guard let missed, entity.isHere(in: context) else { return false }
    if let told = missed.data, let data {
      if let tag = missed.etag, let etag = response.etag {
        if tag == etag { return false }
      } else {
        let known = resource.recipe.rewritten(data)
        var told = resource.recipe.rewritten(told)
        if let path = resource.key?.path { told = told.removing(path) }
        if known.applying(told).changes(since: known) == nil { return false }
      }
    }
    entity.setIfChanged(RemoteState.Stale())
    return true
  }

  // Merges what the server had when it was asked into an entity that is still to be sent: what was
  // missed meanwhile and is not in it stays so, for the next answer. In a section of the context.
  func mergeMissing(
    _ data: JSONValue, into entity: Entity, _ resource: Resource, over base: JSONValue?,
    _ response: HTTPResponse
  ) throws(RemoteError) {
    let missed = entity.get(MissedChange.self)
    try merge(data, into: entity, resource, over: base, entry(nil, resource, response, nil))
    if let missed, recall(missed, of: entity, resource, after: data, response) {
      _ = entity.set(missed)
    }
  }
}
