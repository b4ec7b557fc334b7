/// Why a back end has not done what it was asked for.
public struct BackendError: Error, Sendable {
  /// A reason for an error, in words that all back ends share.
  public enum Reason: Sendable, Hashable {
    /// Nothing is kept of the entity, or under the key.
    case notFound

    /// The entity has no key, or there can't be one like this.
    case missingKey

    /// The entity is dead, has died meanwhile, or belongs to another context.
    case deadEntity

    /// What is kept is not what the recipe expects, or the entity can't be written as it says.
    case doesNotFit(RecipeError)

    /// What is kept is damaged.
    case unreadable

    /// It was not done, or doing it again comes to the same, and it may be done another time: no
    /// connection, a full disk, a locked file, an answer that was lost.
    case unavailable

    /// It may have been done or not, and doing it again might do it twice: the answer was lost.
    case uncertain

    /// It was not done, and won't be if it is tried again as it is.
    case refused

    /// The task was cancelled.
    case cancelled
  }

  /// A part of a ``LocalFirstBackend``.
  public enum Half: Sendable, Hashable {
    /// The one that is asked first.
    case local

    /// The one that is asked then.
    case remote
  }

  /// The name of the back end.
  public let backend: String

  /// What is wrong.
  public let reason: Reason

  /// What the back end itself throws, such as a `StorageError`, a `StoreError` or a `RemoteError`;
  /// nil if it has no error for it.
  public let underlying: (any Error)?

  /// Which part of a combination failed; nil if there is none.
  public let half: Half?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - backend: The name of the back end.
  ///   - reason: What is wrong.
  ///   - underlying: The back end's own error.
  ///   - half: Which part of a combination failed.
  public init(
    _ backend: String, _ reason: Reason, underlying: (any Error)? = nil, half: Half? = nil
  ) {
    (self.backend, self.reason, self.underlying, self.half) = (backend, reason, underlying, half)
  }

  /// Makes an error of what a mapper throws.
  public init(_ backend: String, _ error: RecipeError, underlying: (any Error)? = nil) {
    self.init(
      backend, error.reason == .deadEntity ? .deadEntity : .doesNotFit(error),
      underlying: underlying ?? error)
  }

  /// The error, as one of a part of a combination.
  func of(_ half: Half) -> BackendError {
    BackendError(backend, reason, underlying: underlying, half: half)
  }
}

extension BackendError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let source = half.map { "\(backend), \($0)" } ?? backend
    return "\(source): \(underlying.map { "\(reason): \($0)" } ?? "\(reason)")"
  }
}

extension BackendError.Reason: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .notFound: "not found"
    case .missingKey: "no key"
    case .deadEntity: "the entity is dead or belongs to another context"
    case .doesNotFit: "does not fit"
    case .unreadable: "unreadable"
    case .unavailable: "unavailable"
    case .uncertain: "nobody knows whether it was done"
    case .refused: "refused"
    case .cancelled: "cancelled"
    }
  }
}
