import ECS

/// Finds or makes the files that commits touched and the directories they are in, and adds up what
/// happened to them.
final class FileSystem: ReactiveSystem {
  let name = "Files"
  let collector: Collector
  private let context: Context
  private let files: PrimaryIndex<FileKey, NameID>
  private let directories: PrimaryIndex<DirectoryKey, RawText>
  private let names: NameTable
  private var seen = SeenEntities()

  init(context: Context, names: NameTable) {
    self.context = context
    self.names = names
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, AuthoredBy.cid]))
    files = context.primaryIndex { (key: FileKey) in key.id }
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
    touched.reserveCapacity(commit.changes.count)
    seen.removeAll()
    for change in commit.changes {
      let file = file(change.path)
      if let path = change.formerPath { move(path, to: file, date: commit.date) }
      var tally = Tally(added: change.added, deleted: change.deleted)
      if seen.insert(file) {
        tally.commits = 1
        touched.append(file)
      }
      file.add(tally)
      if let directory = file.target(InDirectory.self) {
        tally.commits = seen.insert(directory) ? 1 : 0
        directory.add(tally)
      }
    }
    return touched
  }

  /// Remembers where a file went; commits come in any order, and what it did last counts.
  private func move(_ path: NameID, to file: Entity, date: Int) {
    let former = self.file(path)
    if former == file { return }
    if let known = former.get(MovedAway.self), known.date > date { return }
    former.set(MovedAway(date: date)).relate(MovedTo.self, to: file)
  }

  private func file(_ path: NameID) -> Entity {
    if let file = files[path] { return file }
    let file = files.getOrCreate(FileKey(id: path, path: names[path]))
    let directory = directories.getOrCreate(DirectoryKey(path: names[path].directory))
    return file.relate(InDirectory.self, to: directory)
  }
}

/// Tells which entities have come before.
///
/// PERFORMANCE: most commits touch few files, which are found without hashing.
private struct SeenEntities {
  private var few: [Entity] = []
  private var many: Set<Entity> = []

  mutating func removeAll() {
    few.removeAll(keepingCapacity: true)
    many = []
  }

  /// Whether an entity comes for the first time.
  mutating func insert(_ entity: Entity) -> Bool {
    guard many.isEmpty else { return many.insert(entity).inserted }
    if few.contains(entity) { return false }
    few.append(entity)
    if few.count > 16 { many = Set(few) }
    return true
  }
}
