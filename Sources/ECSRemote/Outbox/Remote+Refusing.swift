import ECS
import ECSRecipes
import Foundation

// What becomes of a mutation that was not done.
extension Remote {
  /// Whether a mutation is to be tried again, to be changed, or to be given to the user.
  func judge(
    _ mutation: Entity, _ shipment: Shipment, _ failure: Failure
  ) async -> Transmission {
    let kind = shipment.mutation.kind
    var (failure, isCertain) = (failure, true)
    if case .transport(.badResponse) = failure.error { failure.isDone = true }
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
      if shipment.rounds >= Remote.patience {
        failure = Failure(
          error: .unsettled(rounds: shipment.rounds), attempts: 1, isFinal: true)
        break
      }
      return await reconcile(mutation, shipment, failure)
    case .http(404, _, _), .http(410, _, _):
      guard kind == .update, case .server? = shipment.resource.conflicts.winner else { break }
      context.perform("remote \(shipment.resource.name)") { giveWay(mutation, shipment) }
      return .done
    case .http(401, _, _), .http(407, _, _):
      return fail(mutation, shipment, failure)
    case .http, .badKey, .missingKey, .encoding, .deadEntity, .unsent, .unsettled:
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

  /// How often a server may say that it is still at what it was asked for, and how often it may
  /// have something newer than what was just merged: with the waits between, each is minutes of a
  /// server that never comes to an end, such as one whose tags differ from node to node.
  private static let patience = 10

  /// How often something may be made without an answer that can be used: a server that ignores
  /// names of requests makes it each time.
  private static let creations = 3

  func fail(
    _ mutation: Entity, _ shipment: Shipment, _ failure: Failure
  ) -> Transmission {
    // A list may have shown meanwhile that it was done.
    guard mutation.isHere(in: context) else { return .done }
    let attempts = shipment.mutation.attempts
    let isDone = failure.isDone && shipment.mutation.kind == .create
    if isDone, shipment.rounds + 1 >= Remote.creations {
      return context.perform("remote later") {
        refuse(mutation, shipment.entity, failure, isCertain: false)
      }
    }
    let failure = Failure(
      error: failure.error, attempts: attempts, isFinal: false, retryAfter: failure.retryAfter)
    context.perform("remote later") {
      // It may be about another entity by now, which was found to be the same.
      requests.note(failure, of: mutation.target(Mutates.self) ?? shipment.entity)
      requests.note(failure, of: mutation)
    }
    return .failed(
      failure.error, retryAfter: failure.retryAfter, attempts: attempts, isDone: isDone)
  }

  /// How many bytes are kept of what was said why something is refused: it is kept with each
  /// mutation.
  private static let longestReason = 1 << 10

  // The server won't do it, so that the next attempt is another request, if that is certain. In a
  // section of the context.
  func refuse(
    _ mutation: Entity, _ entity: Entity?, _ failure: Failure, isCertain: Bool = true
  ) -> Transmission {
    guard mutation.isHere(in: context), let value = mutation.get(RemoteMutation.self) else {
      return .done
    }
    if isCertain, isToBeDeleted(mutation) {
      // It is needed no longer; and what was not made need not be deleted.
      for other in outbox.mutations(of: value.subject) where value.key == .null { other.destroy() }
      if mutation.isHere(in: context) { mutation.destroy() }
      return .done
    }
    let failure = Failure(
      error: failure.error, attempts: value.attempts, isFinal: true, retryAfter: nil)
    mutation.update(RemoteMutation.self) {
      $0.refusal = failure.error.description.abridged(to: Remote.longestReason)
      if isCertain { reopen(&$0) }
    }
    requests.note(failure, of: mutation.target(Mutates.self) ?? entity)
    requests.note(failure, of: mutation)
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

extension String {
  /// The text, or its beginning with an ellipsis, if it has more bytes than some.
  fileprivate func abridged(to size: Int) -> String {
    if utf8.count <= size { return self }
    let mark = "…"
    var (end, count) = (startIndex, mark.utf8.count)
    while end < endIndex {
      count += self[end].utf8.count
      if count > size { break }
      end = index(after: end)
    }
    return String(self[..<end]) + mark
  }
}
