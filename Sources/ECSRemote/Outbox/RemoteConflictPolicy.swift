public import ECSRecipes

/// What happens if the server has something newer than what a change was based on.
public enum RemoteConflictPolicy: Sendable {
  /// The last one who writes wins: nothing is asked, nothing is compared.
  case lastWriteWins

  /// The tag that the server gave goes along as `If-Match`. If the server refuses that (412; or 409, to what
  /// was to be sent later), the entity is fetched, what both have changed is merged field by field, and
  /// the result is sent.
  ///
  /// What is fetched for other reasons is merged in the same way with what waits to be sent.
  case ifMatch(Winner)

  /// What becomes of a field that was changed here and on the server.
  public enum Winner: Sendable {
    /// It is as it was changed here.
    case local

    /// It is as it was changed on the server.
    case server

    /// It is what the closure returns: `conflict.local`, `conflict.server`, or something else.
    ///
    /// It runs in the context's critical section.
    case ask(@Sendable (RemoteConflict) -> JSONValue?)
  }

  var winner: Winner? { if case .ifMatch(let winner) = self { winner } else { nil } }
}
