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
  ///
  /// Of what it said, the first 64 KiB are kept. What is larger is not looked at for its meaning.
  case http(status: Int, problem: RemoteProblem?, body: Data)

  /// The answer is no JSON.
  case syntax(JSONSyntaxError)

  /// The answer is not what the recipe expects; the path is that in the answer.
  case decoding(RecipeError)

  /// The entity can't be written as data.
  case encoding(RecipeError)

  /// The entity has no key.
  case missingKey(Entity)

  /// The key can't be a part of a URL, or was given for an entity that has another one, or of which
  /// another entity is.
  case badKey(JSONValue)

  /// The entity is dead, has died meanwhile, or belongs to another context.
  case deadEntity

  /// Changes of the entity wait to be sent, so that it can't be saved or deleted now: save it
  /// later, too.
  ///
  /// If what is to be deleted has no entity here, it is the one of a ``RemoteMutation`` that waits.
  case unsent(Entity)

  /// A change that was sent later met something newer on the server, each of so many times that it
  /// was merged.
  case unsettled(rounds: Int)

  /// A closure of the configuration or the resource threw; with what.
  case hook(String)

  /// The task was cancelled.
  case cancelled
}

extension RemoteError {
  /// Whether the server, or one on the way to it, has failed while it worked: what it was asked for
  /// may be done, now or another time.
  ///
  /// It is not what it can't do at all: 501 and 505.
  var isOfServer: Bool {
    guard case .http(let status, _, _) = self else { return false }
    return (500...599).contains(status) && status != 501 && status != 505
  }

  /// Whether it may be different another time.
  var isPassing: Bool {
    switch self {
    case .transport(.notConnected), .transport(.interrupted), .transport(.timedOut): true
    case .http(let status, _, _): [408, 425, 429].contains(status) || isOfServer
    default: false
    }
  }

  /// Whether the server has certainly done nothing, and may do it another time.
  var isHarmless: Bool {
    switch self {
    case .transport(.notConnected), .http(425, _, _), .http(429, _, _): true
    default: false
    }
  }

  /// A closure has thrown; at which place.
  static func thrown(_ source: String, _ error: any Error) -> RemoteError {
    error is CancellationError || Task.isCancelled ? .cancelled : .hook("\(source): \(error)")
  }
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
    case .badKey(let key): "\(key.json()) can't be a part of a URL, or is the key of another entity"
    case .deadEntity: "the entity is dead or belongs to another context"
    case .unsent(let entity): "changes of \(entity) wait to be sent"
    case .unsettled(let rounds): "the server had something newer \(rounds) times"
    case .hook(let reason): reason
    case .cancelled: "cancelled"
    }
  }
}
