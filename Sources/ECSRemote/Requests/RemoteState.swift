public import ECS
public import Foundation

/// The state of an entity's requests, as components: to match, to observe, to show.
///
/// They are written in the section that applies an answer, so that observers see both. No recipe
/// maps them.
public enum RemoteState {
  /// A request for the entity is under way, or waits to be tried again.
  public struct Loading: Component, Hashable {
    /// The number of the attempt, from 1.
    public let attempt: Int

    /// How far the attempt has come; nil unless ``RemoteConfiguration/progress`` asks for it.
    public internal(set) var progress: Progress?
  }

  /// The progress of a request, in bytes of bodies.
  public struct Progress: Sendable, Hashable {
    /// How many were handed to the network.
    public internal(set) var sent: Int

    /// How many are to be sent.
    public let toSend: Int

    /// How many have come.
    public internal(set) var received: Int

    /// How many are to come; nil as long as that is not known, and if the server does not say.
    public internal(set) var toReceive: Int?
  }

  /// The server has last said what the entity is.
  public struct Fetched: Component, Hashable {
    /// When.
    public let at: Date

    /// The tag that the server gave to this state.
    public let etag: String?
  }

  /// It may have changed on the server; until it is fetched or saved.
  public struct Stale: Component, Hashable {}

  /// The last request failed; until one succeeds.
  public struct Failed: Component, Hashable {
    /// Why.
    public let error: RemoteError

    /// How often it was tried.
    public let attempts: Int

    /// Whether trying again won't help.
    public let isFinal: Bool
  }

  /// The state of a feed that is or was followed, on the entity of ``Remote/feed(named:)``.
  public struct Following: Component, Hashable {
    /// The phase of a connection.
    public enum Phase: Sendable, Hashable {
      /// It is being made.
      case connecting

      /// It is there, and tells what changes.
      case connected

      /// It broke off, for so many times without a word between: the next one is waited for.
      case waiting(attempt: Int, RemoteError)

      /// It failed, and trying again won't help.
      case failed(RemoteError)

      /// The server says that there is nothing to follow.
      case ended

      /// The task that follows was cancelled.
      case stopped
    }

    /// How it is.
    public let phase: Phase
  }

  /// Changes of it wait to be sent: mutations that ``Remote/saveLater(_:as:)`` has made.
  public struct Unsent: Component, Hashable {
    /// How many.
    public let count: Int
  }
}
