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
    for event in events {
      guard let files = event.get(TouchedFiles.self)?.files, files.count <= most else { continue }
      counts.table.count(pairsOf: files.compactMap { $0.get(FileKey.self)?.number }.sorted())
    }
  }
}
