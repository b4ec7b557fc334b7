#if ExampleServer
  import ECS
  import ECSRemote
  import Synchronization

  /// Tells in words what others change: what a journal says of the commits that the feed has caused.
  final class News: Sendable {
    struct Item: Sendable {
      let line: String

      /// What it is about; nil if that is gone.
      let issue: Entity?

      /// Whether it is still to be announced: the server may tell of an issue that was made here before it has
      /// answered, and the answer makes one of the two.
      var isCurrent: Bool { issue?.isAlive ?? true }
    }

    private let commands: Commands
    private let tell: @Sendable (Item) -> Void
    private let subscription = Mutex<Subscription?>(nil)

    // `tell` is called in the section in which something has changed.
    init(_ commands: Commands, tell: @escaping @Sendable (Item) -> Void) {
      (self.commands, self.tell) = (commands, tell)
      let token = commands.desk.context.journal().observe { [weak self] commit in
        self?.note(commit)
      }
      subscription.withLock { $0 = token }
    }

    private func note(_ commit: Commit) {
      guard commit.causes.contains(where: { $0.name == "remote feed issues" }) else { return }
      var told: Set<Entity> = []
      for change in commit {
        switch change.kind {
        case .destroyed:
          if let number = change.old(IssueID.self)?.value {
            tell(Item(line: "#\(number) gone", issue: nil))
          }
        case .created, .added, .replaced:
          // Only what users see of an issue.
          guard change.new(Issue.self) != change.old(Issue.self), change.entity.isAlive,
            told.insert(change.entity).inserted
          else { continue }
          tell(Item(line: commands.line(change.entity), issue: change.entity))
        default: continue
        }
      }
    }
  }
#endif
