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
    events.withEach { (_, touched: TouchedFiles) in
      guard touched.files.count <= most else { return }
      let numbers = touched.files.compactMap { $0.get(FileKey.self)?.number }
      counts.table.count(pairsOf: numbers.sorted())
    }
  }
}
