import ECS

/// Finds or makes the files that commits touched and the directories they are in, and adds up what
/// happened to them.
final class FileSystem: ReactiveSystem {
  let name = "Files"
  let collector: Collector
  private let context: Context
  private let files: PrimaryIndex<FileKey, RawText>
  private let directories: PrimaryIndex<DirectoryKey, RawText>
  private var pathCount: UInt32 = 0

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, AuthoredBy.cid]))
    files = context.primaryIndex { (key: FileKey) in key.path }
    directories = context.primaryIndex { (key: DirectoryKey) in key.path }
  }

  func execute(entities events: EntitySet) {
    context.perform {
      events.withEach { (event, announced: CommitEvent) in
        event.set(TouchedFiles(files: touch(announced.commit)))
      }
    }
  }

  /// Counts changes, once for each file and directory that has any.
  private func touch(_ commit: ParsedCommit) -> [Entity] {
    var touched: [Entity] = []
    var seen: Set<Entity> = []
    for change in commit.changes {
      let file = file(change.path)
      if let path = change.formerPath { move(path, to: file, date: commit.date) }
      var tally = Tally(added: change.added, deleted: change.deleted)
      if seen.insert(file).inserted {
        tally.commits = 1
        touched.append(file)
      }
      file.add(tally)
      if let directory = file.target(InDirectory.self) {
        tally.commits = seen.insert(directory).inserted ? 1 : 0
        directory.add(tally)
      }
    }
    return touched
  }

  /// Remembers where a file went; commits come in any order, and what it did last counts.
  private func move(_ path: RawText, to file: Entity, date: Int) {
    let former = self.file(path)
    if former == file { return }
    if let known = former.get(MovedAway.self), known.date > date { return }
    former.set(MovedAway(date: date)).relate(MovedTo.self, to: file)
  }

  private func file(_ path: RawText) -> Entity {
    if let file = files[path] { return file }
    let file = files.getOrCreate(FileKey(path: path, number: pathCount))
    pathCount += 1
    let directory = directories.getOrCreate(DirectoryKey(path: path.directory))
    return file.relate(InDirectory.self, to: directory)
  }
}
