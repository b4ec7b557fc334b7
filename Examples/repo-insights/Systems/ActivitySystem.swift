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
  }

  func execute(entities events: EntitySet) {
    context.perform {
      var current: (day: Day?, entity: Entity?, week: Entity?)
      var totals = context.uniqueComponent(Totals.self) ?? Totals()
      events.withEach { (_, announced: CommitEvent) in
        let commit = announced.commit
        let day = Day(seconds: commit.date)
        if day != current.day {
          // Most commits come on the day of the one before.
          current = (
            day, days.getOrCreate(DayKey(day: day.number)),
            weeks.getOrCreate(WeekKey(monday: day.monday.number))
          )
        }
        current.entity?.add(commit.tally)
        current.week?.add(commit.tally)
        totals.add(commit)
      }
      context.setUniqueComponent(totals)
    }
  }
}
