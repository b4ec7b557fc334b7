import ECS
import ECSRecipes
import Foundation

extension Remote {
  /// Does something about an entity when all that was asked of it before is done.
  nonisolated(nonsending) func pass<Value: Sendable>(
    _ entity: Entity, _ body: nonisolated(nonsending) () async throws(RemoteError) -> Value
  ) async throws(RemoteError) -> Value {
    try await turns.pass(
      entity, within: configuration.deadline, configuration.clock, body)
  }

  /// An entity as data.
  func written(_ entity: Entity, _ resource: Resource) throws(RemoteError) -> JSONValue {
    guard entity.isHere(in: context) else { throw .deadEntity }
    do throws(RecipeError) {
      return try mapper.decompose(entity, with: resource.recipe)
    } catch {
      throw .encoding(error)
    }
  }

  /// An entity as data, to which a record was just applied as a whole.
  func written(
    _ entity: Entity, after record: JSONValue?, _ resource: Resource
  ) throws(RemoteError) -> JSONValue {
    // PERFORMANCE: Most records are as the entity is written (H1).
    if let record, resource.recipe.isWritten(as: record) { return record }
    return try written(entity, resource)
  }

  // What the server has of an entity to which a record was just applied as a whole; nil if it is
  // not needed, or not known. In a section of the context.
  func known(by record: JSONValue, of entity: Entity, _ resource: Resource) -> JSONValue? {
    guard resource.keepsCopies else { return nil }
    return known(by: record, over: copy(of: entity, as: resource)?.data, of: entity, resource)
  }

  /// As ``known(by:of:_:)``, if the server was known to have something, or nothing.
  func known(
    by record: JSONValue, over base: JSONValue?, of entity: Entity, _ resource: Resource
  ) -> JSONValue? {
    // PERFORMANCE: Most records are as the entity is written, and most entities are new (H1).
    if base == nil, resource.recipe.isWritten(as: record) { return record }
    // It may refer to one without a key.
    guard let after = try? written(entity, after: record, resource) else { return nil }
    return record.known(over: base, after: after, edits: nil)
  }

  // An entity's key; nil if it has none. A key that a call has named is that of an entity that has
  // none.
  func keyIfAny(
    of entity: Entity, _ resource: Resource, _ given: JSONValue? = nil
  ) throws(RemoteError) -> JSONValue? {
    let key = try context.perform { () throws(RemoteError) in
      guard entity.isHere(in: context) else { throw .deadEntity }
      do throws(RecipeError) {
        return try mapper.writtenKey(of: entity, with: resource.recipe)
      } catch {
        throw .encoding(error)
      }
    }
    guard let given else { return key }
    do throws(RemoteError) {
      let holder = try holder(of: given, resource)
      if holder == entity || holder == nil && key == nil { return key ?? given }
    } catch {
      throw .badKey(given)
    }
    throw .badKey(given)
  }

  /// An entity's key.
  func key(
    of entity: Entity, _ resource: Resource, _ given: JSONValue? = nil
  ) throws(RemoteError) -> JSONValue {
    if let key = try keyIfAny(of: entity, resource, given) { return key }
    throw .missingKey(entity)
  }

  // Changes an entity to what an answer says, if it says anything, apart from what was edited since
  // the request was made: `before` is the entity as data then, `base` what the server knew.
  func apply(
    _ data: JSONValue?, to entity: Entity, _ resource: Resource, _ before: JSONValue,
    over base: JSONValue?, _ response: HTTPResponse, _ url: String?
  ) throws(RemoteError) -> RecipeOutcome {
    try context.perform("remote \(resource.name)") { () throws(RemoteError) in
      // PERFORMANCE: Mostly nothing was edited, and the entity need not be written again (H2).
      let isUnedited = mapper.isWritten(entity, with: resource.recipe, as: before)
      let now = if isUnedited { before } else { try written(entity, resource) }
      let edits = isUnedited ? nil : now.changes(since: before)
      // How the entity is written when the answer is applied, if that is known before.
      let plain = data.flatMap { edits == nil && resource.recipe.isWritten(as: $0) ? $0 : nil }
      var outcome = RecipeOutcome.unchanged
      // PERFORMANCE: Mostly an answer says nothing new (H2).
      if let data, plain == nil || plain != now {
        do throws(RecipeError) {
          outcome = try mapper.update(
            entity, with: resource.recipe, from: data.leavingOut(edits))
        } catch {
          throw resource.error(error, below: resource.path)
        }
      }
      let after = if let plain { plain } else { try written(entity, resource) }
      noteSuccess(
        of: entity, resource, entry(edits == nil ? after : nil, resource, response, url),
        known: (data ?? .object([:])).known(over: base, after: after, edits: edits))
      return outcome
    }
  }

  // An entity is what the server has said. In a section of the context.
  func noteAgreement(
    _ entity: Entity, _ resource: Resource, _ data: JSONValue, _ answer: RemoteAnswer
  ) {
    // It may refer to one without a key.
    let after = try? written(entity, after: data, resource)
    noteSuccess(
      of: entity, resource,
      entry(after, resource, answer.response, answer.url.absoluteString),
      known: after.map { data.known(over: nil, after: $0, edits: nil) })
  }

  /// What to remember of an answer, by which an entity is as some data, if nothing was edited.
  func entry(
    _ data: JSONValue?, _ resource: Resource, _ response: HTTPResponse, _ url: String?
  ) -> RemoteMemory.Entry {
    RemoteMemory.Entry(
      of: resource, time: configuration.clock.now(), url: url, etag: response.etag,
      lastModified: response.lastModified, data)
  }
}
