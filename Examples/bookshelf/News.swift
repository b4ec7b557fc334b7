#if SQLite
  import ECS
  import Synchronization

  /// Tells in words what merging has changed: what a journal says of the commits in the meantime.
  final class News: Sendable {
    private struct State {
      var isWanted = false
      var lines: [String] = []
    }

    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)

    init(_ context: Context) {
      let token = context.journal().observe { [weak self] commit in self?.note(commit) }
      subscription.withLock { $0 = token }
    }

    /// Notes what a body changes.
    func gather<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
      state.withLock { $0.isWanted = true }
      defer { state.withLock { $0.isWanted = false } }
      try body()
    }

    /// What was noted since this was asked, each line once.
    func take() -> [String] {
      let lines = state.withLock { state in
        defer { state.lines = [] }
        return state.lines
      }
      var seen: Set<String> = []
      return lines.filter { seen.insert($0).inserted }
    }

    private func note(_ commit: Commit) {
      state.withLock { state in
        guard state.isWanted else { return }
        for change in commit { if let line = News.line(about: change) { state.lines.append(line) } }
      }
    }

    private static func line(about change: CommittedChange) -> String? {
      switch change.kind {
      case .created: change.new(Book.self).map { "new: \($0.title)" }
      case .destroyed: change.old(Book.self).map { "gone: \($0.title)" }
      case .added, .replaced, .removed:
        if let old = change.old(Book.self), let new = change.new(Book.self), old.title != new.title
        {
          "\(old.title) is now \(new.title)"
        } else {
          change.entity.get(Book.self).map { "changed: \($0.title)" }
        }
      case .linked, .unlinked, .moved, .linkUpdated: link(change)
      }
    }

    private static func link(_ change: CommittedChange) -> String? {
      guard change.relation is Holds.Type, let shelf = change.entity.get(Shelf.self)?.name,
        let book = change.target?.get(Book.self)?.title
      else { return nil }
      switch change.kind {
      case .linked: return "\(book) is on \(shelf)"
      case .unlinked: return "\(book) is no longer on \(shelf)"
      default: return "\(shelf) has another order"
      }
    }
  }
#endif
