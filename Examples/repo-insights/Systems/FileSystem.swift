import ECS

/// Finds or makes the files that commits touched and the directories they are in, and adds up what
/// happened to them.
final class FileSystem: ReactiveSystem {
  let name = "Files"
  let collector: Collector
  private let context: Context
  private let files: PrimaryIndex<FileKey, RawText>
  private let directories: PrimaryIndex<DirectoryKey, RawText>

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, AuthoredBy.cid]))
    files = context.primaryIndex { (key: FileKey) in key.path }
    directories = context.primaryIndex { (key: DirectoryKey) in key.path }
  }

  func execute(entities events: EntitySet) {
    context.perform {
      for event in events {
        guard let commit = event.get(CommitEvent.self)?.commit else { continue }
        event.set(TouchedFiles(files: touch(commit.changes)))
      }
    }
  }

  /// Counts changes, once for each file and directory that has any.
  private func touch(_ changes: [FileChange]) -> [Entity] {
    var touched: [Entity] = []
    var seen: Set<Entity> = []
    for change in changes {
      let file = file(change.path)
      let lines = Tally(added: change.added, deleted: change.deleted)
      for entity in [file, file.target(InDirectory.self)].compactMap(\.self) {
        var tally = lines
        if seen.insert(entity).inserted {
          tally.commits = 1
          if entity == file { touched.append(file) }
        }
        entity.add(tally)
      }
    }
    return touched
  }

  private func file(_ path: RawText) -> Entity {
    if let file = files[path] { return file }
    let file = files.getOrCreate(FileKey(path: path, number: UInt32(files.count)))
    let directory = directories.getOrCreate(DirectoryKey(path: path.directory))
    return file.relate(InDirectory.self, to: directory)
  }
}
