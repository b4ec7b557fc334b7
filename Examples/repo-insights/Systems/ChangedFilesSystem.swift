import ECS

/// Relates files to the authors that have changed them, for views of one author.
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
      events.withEach { (_, authored: AuthoredBy, touched: TouchedFiles) in
        for file in touched.files { file.relate(ChangedBy.self, to: authored.author) }
      }
    }
  }
}
