public import ECS
public import ECSRecipes
import Foundation

extension Remote {
  /// The entities of a list, in its order: `GET url`.
  ///
  /// They are made or changed in one section, what was edited of them meanwhile included.
  ///
  /// - Parameters:
  ///   - resource: Where they are.
  ///   - parameters: As for ``fetch(_:as:parameters:policy:)``.
  /// - Returns: The entities.
  /// - Throws: ``RemoteError``; nothing has changed then.
  /// - Complexity: O(*n*), where *n* is the size of the answer.
  public func list(
    _ resource: Resource, parameters: JSONObject = [:]
  ) async throws(RemoteError) -> [Entity] {
    let call = RemoteCall(method: .get, resource: resource, query: query(parameters))
    return try await noting(nil) { () async throws(Failure) in
      let answer = try await send(call)
      return try final { () throws(RemoteError) in
        try apply(try resource.list(in: try resource.parsed(answer.response.body)), resource)
      }
    }
  }

  /// The entities of a list that belongs to one, in its order: `GET url/key/name`.
  ///
  /// - Parameters:
  ///   - name: The last part of the URL, such as `todos`.
  ///   - entity: The entity whose list it is.
  ///   - parent: Where that one is.
  ///   - child: What the elements are; its URL is not asked for.
  ///   - parameters: As for ``fetch(_:as:parameters:policy:)``.
  /// - Returns: The entities.
  /// - Throws: ``RemoteError``; nothing has changed then.
  public func related(
    _ name: String, of entity: Entity, as parent: Resource, to child: Resource,
    parameters: JSONObject = [:]
  ) async throws(RemoteError) -> [Entity] {
    let key = try self.key(of: entity, parent)
    let call = RemoteCall(
      method: .get, resource: parent, key: key, name: name, query: query(parameters))
    return try await noting(nil) { () async throws(Failure) in
      let answer = try await send(call)
      return try final { () throws(RemoteError) in
        try apply(try child.list(in: try child.parsed(answer.response.body)), child)
      }
    }
  }

  // A page of a list, with the position of the next one. The owner of the list, if it has one, has its
  // state, and `use` is called in the section in which the page is applied.
  func page(
    _ resource: Resource, _ position: PagePosition, size: Int, _ parameters: JSONObject,
    for owner: Entity? = nil, use: (RemotePage) -> Void = { _ in }
  ) async throws(RemoteError) -> RemotePage {
    if let owner, !isHere(owner) { throw .deadEntity }
    let asked = position.parameters(resource.paging, size: size)
    let call = RemoteCall(
      method: .get, resource: resource, url: position.url, entity: owner,
      query: query(parameters).overlaid(by: asked))
    return try await noting(owner) { () async throws(Failure) in
      let answer = try await send(call)
      return try final { () throws(RemoteError) in
        let data = try resource.parsed(answer.response.body)
        let records = try resource.list(in: data)
        let next = try position.successor(
          resource.paging, size: size, count: records.count, data, answer)
        return try context.perform("remote \(resource.name)") { () throws(RemoteError) in
          if let owner, !isHere(owner) { throw .deadEntity }
          let page = RemotePage(entities: try apply(records, resource), next: next)
          use(page)
          if let owner { noteArrival(of: owner, etag: nil) }
          return page
        }
      }
    }
  }

  private func apply(
    _ records: [JSONValue], _ resource: Resource
  ) throws(RemoteError) -> [Entity] {
    return try context.perform("remote \(resource.name)") { () throws(RemoteError) in
      let entities: [Entity]
      do throws(ImportError) {
        entities = try mapper.importList(records, with: resource.recipe, policy: .allOrNothing)
          .entities.compactMap(\.self)
      } catch {
        // There is one, or nothing would have been thrown.
        guard let first = error.failures.first else { return [] }
        throw resource.error(
          first.error, below: resource.listPath.appending(index: first.position))
      }
      for (entity, data) in zip(entities, records) {
        var known: JSONValue?
        if resource.update == .patching {
          known = data.known(
            over: memory(of: entity, as: resource)?.base, after: try written(entity, resource),
            edits: nil)
        }
        noteSuccess(
          of: entity, resource,
          RemoteMemory.Entry(time: configuration.clock.now(), base: known))
      }
      return entities
    }
  }
}

/// The entities of a page, and where the next one is.
struct RemotePage: Sendable {
  let entities: [Entity]
  let next: PagePosition?
}
