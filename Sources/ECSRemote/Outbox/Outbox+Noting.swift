import ECS
import ECSRecipes

// Mutations to be noted; in a section of the context.
extension Outbox {
  /// The key and the copy of an entity that a mutation is about.
  struct Known {
    let key: JSONValue?
    let copy: ServerCopy.Copy?
  }

  /// A mutation of an entity, after those that are noted of it.
  func newMutation(
    _ kind: RemoteMutation.Kind, of known: Known, _ resource: Resource, after earlier: [Entity],
    named name: String
  ) -> RemoteMutation {
    var mutation = RemoteMutation()
    mutation.id = name
    mutation.number = nextNumber
    mutation.kind = kind
    mutation.resource = resource.name
    mutation.subject = mutation.id
    (mutation.base, mutation.etag) = (known.copy?.data ?? .null, known.copy?.etag)
    // One that was deleted may have had the same key.
    let last = earlier.last ?? Address(known.key, of: resource).flatMap { mutations(at: $0).last }
    if let subject = last?.get(RemoteMutation.self)?.subject { mutation.subject = subject }
    return mutation
  }

  /// The deletion of an entity that is no more here; nil if the server never heard of it.
  ///
  /// What was noted of it and not sent is forgotten.
  func newDeletion(
    of known: Known, _ resource: Resource, after earlier: [Entity], named name: String
  ) -> RemoteMutation? {
    var mutation = newMutation(.delete, of: known, resource, after: earlier, named: name)
    let sent = earlier.filter { other in
      // What was refused can't have made it, unless its key is not known.
      other.get(RemoteMutation.self).map {
        $0.attempts > 0 && ($0.refusal == nil || $0.key == .null)
      } ?? false
    }
    for other in earlier where !sent.contains(other) { other.destroy() }
    mutation.key = known.key ?? .null
    if !sent.isEmpty { return mutation }
    // What waits for the deletion of another one with the key deletes this one, too.
    return mutation.key == .null || isToBeDeleted(Address(known.key, of: resource)) ? nil : mutation
  }

  /// Whether the last that is noted of a key is its deletion, and the server has not refused it.
  private func isToBeDeleted(_ address: Address?) -> Bool {
    guard let last = address.flatMap({ mutations(at: $0).last })?.get(RemoteMutation.self) else {
      return false
    }
    return last.kind == .delete && last.refusal == nil
  }

  /// The mutations of what has a draft or a key, since it was deleted last, oldest first.
  func changes(of draft: RemoteDraft?, _ key: JSONValue?, _ resource: Resource) -> [Entity] {
    var found: [Entity] = []
    if let draft {
      found = mutations(of: draft.id)
    } else if let address = Address(key, of: resource) {
      found = mutations(at: address)
    }
    let deletion = found.lastIndex { $0.get(RemoteMutation.self)?.kind == .delete }
    found.removeSubrange(..<(deletion.map { $0 + 1 } ?? 0))
    return found
  }
}
