package import ECS

/// A recorded commit that a replay has made, for tools.
package struct ReplayedCommit: Sendable {
  /// The number that it had; see `Commit.number`.
  package let number: Int

  /// When it ended, since January 1, 1970, UTC.
  package let time: Duration

  /// The causes of its changes, in their order.
  package let causes: [Cause]
}

extension Replay {
  /// Goes to the next commit; returns nil, at the end, if there is none.
  ///
  /// - Returns: The commit, as it was recorded.
  /// - Throws: ``ReplayError``, as ``seek(to:)`` does.
  /// - Complexity: O(*k*), where *k* is the number of its changes.
  package func stepForward() throws(ReplayError) -> ReplayedCommit? {
    while let item = try makeNext() {
      guard case .commit(let commit) = item else { continue }
      let changes = commit.direct.changes + commit.responses.changes
      return ReplayedCommit(
        number: commit.number, time: .nanoseconds(commit.time),
        causes: changes.filter { $0.kind != .with && $0.kind != .linkValue }
          .map { recording.causes[Int($0.cause)] })
    }
    return nil
  }
}
