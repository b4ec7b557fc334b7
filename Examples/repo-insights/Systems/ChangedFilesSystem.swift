import ECS

/// Relates files to the authors who have changed them, for those who look at one author.
final class ChangedFilesSystem: ReactiveSystem {
  let name = "Changed files"
  let collector: Collector
  private let context: Context

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
  }

  func execute(entities events: EntitySet) {
    context.perform {
      for event in events {
        guard let author = event.get(AuthoredBy.self)?.author,
          let files = event.get(TouchedFiles.self)?.files
        else { continue }
        for file in files { file.relate(ChangedBy.self, to: author) }
      }
    }
  }
}
