public import ECS
public import ECSRecipes
public import Foundation

/// Why a request had no effect.
///
/// Whenever it is thrown, no component has changed but the state.
public enum RemoteError: Error, Sendable, Hashable {
  /// The server was not reached, or did not answer.
  case transport(TransportError)

  /// The server refused; with what it said, and what that means, if it is known.
  case http(status: Int, problem: RemoteProblem?, body: Data)

  /// The answer is no JSON.
  case syntax(JSONSyntaxError)

  /// The answer is not what the recipe expects; the path is that in the answer.
  case decoding(RecipeError)

  /// The entity can't be written as data.
  case encoding(RecipeError)

  /// The entity has no key.
  case missingKey(Entity)

  /// The key can't be a part of a URL.
  case badKey(JSONValue)

  /// The entity is dead, has died meanwhile, or belongs to another context.
  case deadEntity

  /// Changes of the entity wait to be sent, so that it can't be saved or deleted now: save it later, too.
  case unsent(Entity)

  /// A closure of the configuration or the resource threw; with what.
  case hook(String)

  /// The task was cancelled.
  case cancelled
}

extension RemoteError: CustomStringConvertible {
  /// What happened.
  public var description: String {
    switch self {
    case .transport(let error): "\(error)"
    case .http(let status, let problem, _):
      problem.map { "the server refused (\(status)): \($0)" } ?? "the server refused (\(status))"
    case .syntax(let error): "the answer is no JSON: \(error)"
    case .decoding(let error): "the answer does not fit: \(error)"
    case .encoding(let error): "the entity can't be written: \(error)"
    case .missingKey(let entity): "\(entity) has no key"
    case .badKey(let key): "\(key.json()) can't be a part of a URL"
    case .deadEntity: "the entity is dead or belongs to another context"
    case .unsent(let entity): "changes of \(entity) wait to be sent"
    case .hook(let reason): reason
    case .cancelled: "cancelled"
    }
  }
}
