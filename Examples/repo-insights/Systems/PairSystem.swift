import ECS

/// Counts how often two files changed together.
final class PairSystem: ReactiveSystem {
  let name = "Pairs"
  let collector: Collector
  private let context: Context
  private let pairs: PrimaryIndex<PairKey, PairKey>

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
    pairs = context.primaryIndex { (key: PairKey) in key }
  }

  func execute(entities events: EntitySet) {
    let most = context.uniqueComponent(Configuration.self)?.mostFilesForPairs ?? 0
    context.perform {
      for event in events {
        guard let files = event.get(TouchedFiles.self)?.files, files.count <= most else { continue }
        let numbered = files.compactMap { file in
          file.get(FileKey.self).map { (number: $0.number, file: file) }
        }.sorted { $0.number < $1.number }
        for (index, first) in numbered.enumerated() {
          for second in numbered[(index + 1)...] {
            count(PairKey(lower: first.number, higher: second.number), first.file, second.file)
          }
        }
      }
    }
  }

  private func count(_ key: PairKey, _ first: Entity, _ second: Entity) {
    let pair = pairs.getOrCreate(key)
    if pair.update(ChangedTogether.self, { $0.commits += 1 }) == nil {
      pair.set(ChangedTogether(first: first, second: second, commits: 1))
    }
  }
}
