public import ECS
public import Foundation

/// What is going on between an entity and the server, as components: to match, to observe, to show.
///
/// They are written in the section that applies an answer, so that whoever is notified sees both.
/// No recipe maps them.
public enum RemoteState {
  /// A request for the entity is under way, or waits to be tried again.
  public struct Loading: Component, Hashable {
    /// The number of the attempt, from 1.
    public let attempt: Int
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

  /// Changes of it wait to be sent: mutations that ``Remote/saveLater(_:as:)`` has made.
  public struct Unsent: Component, Hashable {
    /// How many.
    public let count: Int
  }
}
