import ECS

/// Counts how often two files changed together.
final class PairSystem: ReactiveSystem {
  let name = "Pairs"
  let collector: Collector
  private let context: Context
  private let counts = PairCounts()

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
    context.setUniqueComponent(counts)
  }

  func execute(entities events: EntitySet) {
    let most = context.uniqueComponent(Configuration.self)?.mostFilesForPairs ?? 0
    events.withEach { (_, announced: CommitEvent, touched: TouchedFiles) in
      guard 2...max(2, most) ~= touched.files.count else { return }
      counts.table.count(pairsOf: announced.commit.changes.map(\.path.number))
    }
  }
}
