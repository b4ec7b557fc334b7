import ECS

/// Adds up what happened in each week, and in all of them.
final class ActivitySystem: ReactiveSystem {
  let name = "Activity"
  let collector: Collector
  private let context: Context
  private let weeks: PrimaryIndex<WeekKey, Int>

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
    weeks = context.primaryIndex { (key: WeekKey) in key.monday }
    context.setUniqueComponent(Totals())
  }

  func execute(entities events: EntitySet) {
    context.perform {
      for event in events {
        guard let commit = event.get(CommitEvent.self)?.commit else { continue }
        let monday = Day(seconds: commit.date).monday.number
        weeks.getOrCreate(WeekKey(monday: monday)).add(commit.tally)
        context.updateUniqueComponent(Totals.self) { $0.add(commit) }
      }
    }
  }
}

extension Totals {
  fileprivate mutating func add(_ commit: ParsedCommit) {
    tally += commit.tally
    cutOff += commit.isCutOff ? 1 : 0
    merges += commit.parents > 1 ? 1 : 0
    for change in commit.changes {
      renames += change.isRename ? 1 : 0
      binaryChanges += change.isBinary ? 1 : 0
    }
    firstDate = min(firstDate ?? commit.date, commit.date)
    lastDate = max(lastDate ?? commit.date, commit.date)
  }
}
