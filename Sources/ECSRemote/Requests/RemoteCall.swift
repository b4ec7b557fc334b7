import ECS
import ECSRecipes
import Foundation

/// A request before it has a URL.
struct RemoteCall: Sendable {
  let method: HTTPMethod
  let resource: Resource

  /// Where to send it, if not to the resource.
  var url: URL?

  /// Where that was when the resource was asked before.
  var knownURL: ResourceURL?

  /// The entity whose state tells of it.
  var entity: Entity?
  var key: JSONValue?
  var name: String?
  var query: JSONObject = [:]
  var headers: HTTPHeaders = [:]
  var body: JSONValue?

  /// What it is called for the server in all attempts; made if there is none.
  var idempotencyKey: String?

  /// How often it was tried before.
  var earlierAttempts = 0

  /// Statuses that count as success besides those from 200 to 299.
  var accepted: Set<Int> = []

  /// Where it is noted how far it has come, if another task may have to go on with it.
  var past: CallMemory?
}

/// An answer, and how it was got.
struct RemoteAnswer: Sendable {
  let response: HTTPResponse
  let url: URL
}
