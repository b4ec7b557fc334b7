public import ECS
public import ECSRecipes
import Foundation

extension Remote {
  /// The entities of a list, in its order: `GET url`.
  ///
  /// They are made or changed in one section, what was edited of them meanwhile included. What
  /// waits to be sent is merged with the answer, and what is deleted here is passed over; so is
  /// what was sent, or is under way, since the list was asked for.
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
    let call = RemoteCall(method: .get, resource: resource, query: configuration.query(parameters))
    let moment = outbox.beginReading()
    defer { outbox.endReading() }
    return try await requests.noting(nil) { () async throws(Failure) in
      let answer = try await requests.send(call)
      return try Failure.final { () throws(RemoteError) in
        try apply(
          try resource.list(in: try resource.parsed(answer.response.body)), resource,
          since: moment)
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
      method: .get, resource: parent, key: key, name: name, query: configuration.query(parameters))
    let moment = outbox.beginReading()
    defer { outbox.endReading() }
    return try await requests.noting(nil) { () async throws(Failure) in
      let answer = try await requests.send(call)
      return try Failure.final { () throws(RemoteError) in
        try apply(
          try child.list(in: try child.parsed(answer.response.body)), child, since: moment)
      }
    }
  }

  // A page of a list, with the position of the next one. The owner of the list, if it has one, has
  // its state, and `use` is called in the section in which the page is applied.
  func page(
    _ resource: Resource, _ position: PagePosition, size: Int, _ parameters: JSONObject,
    for owner: Entity? = nil, use: (RemotePage) -> Void = { _ in }
  ) async throws(RemoteError) -> RemotePage {
    if let owner, !owner.isHere(in: context) { throw .deadEntity }
    let asked = position.parameters(resource.paging, size: size)
    let call = RemoteCall(
      method: .get, resource: resource, url: position.url, entity: owner,
      query: configuration.query(parameters).overlaid(by: asked))
    let moment = outbox.beginReading()
    defer { outbox.endReading() }
    return try await requests.noting(owner) { () async throws(Failure) in
      let answer = try await requests.send(call)
      return try Failure.final { () throws(RemoteError) in
        let data = try resource.parsed(answer.response.body)
        let records = try resource.list(in: data)
        let next = try position.successor(
          resource.paging, size: size, count: records.count, data, answer)
        return try context.perform("remote \(resource.name)") { () throws(RemoteError) in
          if let owner, !owner.isHere(in: context) { throw .deadEntity }
          let page = RemotePage(
            entities: try apply(records, resource, since: moment), next: next)
          use(page)
          if let owner { noteArrival(of: owner, etag: nil) }
          return page
        }
      }
    }
  }

  private func apply(
    _ records: [JSONValue], _ resource: Resource, since moment: Int
  ) throws(RemoteError) -> [Entity] {
    try context.perform("remote \(resource.name)") { () throws(RemoteError) in
      var entities = [Entity?](repeating: nil, count: records.count)
      let isQuiet = isNothingToMeet(since: moment)
      var free = isQuiet ? Array(records.indices) : []
      var merged: [(position: Int, entity: Entity)] = []
      var united: [(position: Int, creation: Entity)] = []
      let new = isQuiet ? nil : NewEntities(self, resource)
      for position in records.indices where !isQuiet {
        switch try reception(of: records[position], resource, since: moment, new) {
        case .free: free.append(position)
        case .merged(let entity): merged.append((position, entity))
        case .united(let creation): united.append((position, creation))
        case .passedOver(let entity): entities[position] = entity
        case .deleted: break
        }
      }
      // All that can be wrong is found before anything is changed.
      for (position, entity) in merged {
        let path = resource.listPath.appending(index: position)
        try check(records[position], entity, resource, at: path)
      }
      for (position, creation) in united {
        guard let entity = subject(of: creation) else { continue }
        let path = resource.listPath.appending(index: position)
        try check(records[position], entity, resource, at: path)
      }
      let work = unsentWork(
        besides: nil, resource, about: isQuiet ? records : free.map { records[$0] })
      try importFree(free, of: records, resource, into: &entities)
      try restoring(work, resource)
      for (position, entity) in merged {
        try merge(
          records[position], into: entity, resource, over: base(of: entity, resource),
          RemoteMemory.Entry(ofListOf: resource, time: configuration.clock.now()))
        entities[position] = entity
      }
      for (position, creation) in united {
        entities[position] = try unite(
          creation, with: records[position], resource,
          RemoteMemory.Entry(ofListOf: resource, time: configuration.clock.now()))
      }
      return entities.compactMap(\.self)
    }
  }

  /// Whether an entity can become what data says.
  func check(
    _ data: JSONValue, _ entity: Entity, _ resource: Resource, at path: JSONPath
  ) throws(RemoteError) {
    do throws(RecipeError) {
      _ = try mapper.wouldChange(entity, with: resource.recipe, from: data)
    } catch {
      throw resource.error(error, below: path)
    }
  }

  private func importFree(
    _ positions: [Int], of records: [JSONValue], _ resource: Resource,
    into entities: inout [Entity?]
  ) throws(RemoteError) {
    let chosen = positions.count == records.count ? records : positions.map { records[$0] }
    let made: [Entity?]
    do throws(ImportError) {
      made = try mapper.importList(chosen, with: resource.recipe, policy: .allOrNothing).entities
    } catch {
      // There is one, or nothing would have been thrown.
      guard let first = error.failures.first else { return }
      throw resource.error(
        first.error, below: resource.listPath.appending(index: positions[first.position]))
    }
    let arrival = beginArrival(resource)
    for (index, position) in positions.enumerated() {
      entities[position] = made[index]
      if let entity = made[index] { note(entity, by: chosen[index], arrival) }
    }
    end(arrival)
  }
}

/// The entities of a page, and where the next one is.
struct RemotePage: Sendable {
  let entities: [Entity]
  let next: PagePosition?
}
