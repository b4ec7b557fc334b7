import ECS

/// Adds up what happened on each day, in each week, and in all of them.
final class ActivitySystem: ReactiveSystem {
  let name = "Activity"
  let collector: Collector
  private let context: Context
  private let weeks: PrimaryIndex<WeekKey, Int>
  private let days: PrimaryIndex<DayKey, Int>

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
    weeks = context.primaryIndex { (key: WeekKey) in key.monday }
    days = context.primaryIndex { (key: DayKey) in key.day }
    context.setUniqueComponent(Totals())
  }

  func execute(entities events: EntitySet) {
    context.perform {
      events.withEach { (_, announced: CommitEvent) in
        let commit = announced.commit
        let day = Day(seconds: commit.date)
        days.getOrCreate(DayKey(day: day.number)).add(commit.tally)
        weeks.getOrCreate(WeekKey(monday: day.monday.number)).add(commit.tally)
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
      renames += change.formerPath != nil ? 1 : 0
      binaryChanges += change.isBinary ? 1 : 0
    }
    hours[commit.hourOfWeek] += 1
    firstDate = min(firstDate ?? commit.date, commit.date)
    lastDate = max(lastDate ?? commit.date, commit.date)
  }
}
