import ECS
import ECSRecipes

extension Remote {
  // Deletes what the server has under a key of which the context has no entity: `DELETE url/key`,
  // and what waits to be sent about it. What the server may have heard of is not deleted past: that
  // is `unsent`, as for an entity.
  func delete(key: JSONValue, as resource: Resource) async throws(RemoteError) {
    let address = Outbox.Address(key, of: resource)
    let pending = waiting(at: address)
    guard let subject = pending.first?.get(RemoteMutation.self)?.subject else {
      return try await deleteNow(key, address, resource)
    }
    try await subjects.pass(subject, within: configuration.deadline, configuration.clock) {
      () async throws(RemoteError) in
      let pending = waiting(at: address)
      if let tried = pending.first(where: wasTried) { throw .unsent(tried) }
      try await deleteNow(key, address, resource)
    }
  }

  private func deleteNow(
    _ key: JSONValue, _ address: Outbox.Address?, _ resource: Resource
  ) async throws(RemoteError) {
    try await requests.noting(nil) { () async throws(Failure) in
      _ = try await requests.send(
        RemoteCall(
          method: .delete, resource: resource, key: key, query: configuration.query([:]),
          accepted: [404, 410]))
      outbox.noteWriting(address)
    }
    // It would make it again.
    context.perform("remote \(resource.name)") {
      for mutation in waiting(at: address) where !wasTried(mutation) { mutation.destroy() }
    }
  }

  private func waiting(at address: Outbox.Address?) -> [Entity] {
    context.perform { address.map(outbox.mutations(at:)) ?? [] }
  }

  private func wasTried(_ mutation: Entity) -> Bool {
    mutation.get(RemoteMutation.self).map { $0.attempts > 0 } ?? false
  }
}
