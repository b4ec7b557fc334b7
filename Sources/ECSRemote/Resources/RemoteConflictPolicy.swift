public import ECSRecipes

/// A rule for changes that meet something newer on the server than what they were based on.
public enum RemoteConflictPolicy: Sendable {
  /// The last one that writes wins: nothing is asked, nothing is compared. What others have changed
  /// since it was fetched is overwritten.
  ///
  /// It spares the requests of ``ifMatch(_:)`` where only one program writes, and where the server
  /// can't answer for one entity.
  case unprotected

  /// The tag that the server gave goes along as `If-Match`. If the server refuses that (412; or
  /// 409, to what was to be sent later), the entity is fetched, what both have changed is merged
  /// field by field, and the result is sent.
  ///
  /// Where no tag is known that the server can compare, the server is asked what it has before a
  /// change is sent (a `GET` of the entity), and that is merged in the same way: lists and most
  /// feeds have no tags, some servers have none at all, or none in the answers to changes. Only
  /// what is patched and kept as it is here needs no asking: fields that were not edited are not
  /// sent. If the answer has no tag either, the change is sent without a condition, and what others
  /// write between the two requests is overwritten.
  ///
  /// What is fetched for other reasons is merged in the same way with what waits to be sent.
  case ifMatch(Winner)

  /// The side that wins where a field was changed here and on the server.
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

  /// Another name of ``unprotected``.
  public static var lastWriteWins: RemoteConflictPolicy { .unprotected }

  var winner: Winner? { if case .ifMatch(let winner) = self { winner } else { nil } }
}
