#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Disks that are full at each of the writes of a save.
  @Suite(.serialized, .noHangs) struct FullDiskTests {
    @Test
    func `a disk that is full at any write loses nothing, and the same save goes through later`()
      async throws
    {
      try await fill(.saves)
    }

    @Test
    func `a disk that is full at any write of a migration leaves the file as it was`() async throws
    {
      try await fill(.migrations)
    }

    @Test
    func `a disk that is full at any write of a backup leaves the earlier copy`() async throws {
      try await fill(.backups)
    }

    private func fill(_ work: Filling.Work) async throws {
      let disk = Torment.disk.map { URL(fileURLWithPath: $0) }
      let folder = try Folder()
      let path = (disk ?? folder.url).path
      // What a process writes is limited for all of it.
      await #expect(processExitsWith: .success) {
        [path = path as String, isDisk = (disk != nil) as Bool, work = work.rawValue as String] in
        let filling = Filling(path, isDisk: isDisk)
        do {
          try filling.run(work)
        } catch {
          try filling.unlimit()
          try "\(error)".write(to: filling.failure, atomically: false, encoding: .utf8)
        }
      }
      let failure = Filling(path, isDisk: disk != nil).failure
      let text = try? String(contentsOf: failure, encoding: .utf8)
      expectNil(text)
    }
  }

  private struct Filling {
    enum Work: String { case saves, migrations, backups }

    let folder: URL
    let isDisk: Bool
    var ballast: URL { folder.appendingPathComponent("ballast") }

    /// What went wrong.
    var failure: URL { folder.appendingPathComponent("failure") }

    init(_ path: String, isDisk: Bool) {
      // Of its own, since all that is in it is removed.
      folder = URL(fileURLWithPath: path).appendingPathComponent("filling")
      self.isDisk = isDisk
    }

    private var file: URL { folder.appendingPathComponent("library.sqlite") }
    private var names: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
    }

    func run(_ work: String) throws {
      signal(SIGXFSZ, SIG_IGN)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      removeAll()
      switch Work(rawValue: work) {
      case .saves?: try save()
      case .migrations?: try migrate()
      case .backups?: try copy()
      case nil: break
      }
      removeAll()
    }

    private func removeAll() {
      for name in names {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      }
    }

    private func checkIsOfDisk(_ error: StoreError) throws {
      switch error {
      case .full, .disk, .cannotOpen: break
      default: throw error
      }
    }

    private func damage(_ detail: String) -> StoreError {
      .corrupt(path: folder.path, detail: detail)
    }

    private func size(_ file: URL) throws -> Int {
      try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    }

    private func migrate() throws {
      var refused = 0
      for step in 0..<20 {
        removeAll()
        try Migrating.prepare(file)
        try limit(size: 0, room: step * (try size(file)) / 4)
        let error = storeError { try Store(at: .file(file), schema: Migrating.schema(2)).close() }
        try unlimit()
        if let error {
          refused += 1
          try checkIsOfDisk(error)
          if names.contains(where: { $0.hasSuffix("migration") }) { throw damage("a copy is left") }
          try Migrating.check(file, 1)
        }
        try Migrating.check(file, 2)
        if names != ["library.sqlite"] { throw damage("\(names)") }
      }
      print("Of 20 migrations, \(refused) met a full disk.")
      if refused < 5 || refused == 20 { throw StoreError.full }
    }

    private func copy() throws {
      let (store, copy) = (
        try Town.store(at: .file(file)), folder.appendingPathComponent("copy.sqlite")
      )
      let generations = try Generations(store)
      try store.backup(to: copy)
      var (refused, copied) = (0, 0)
      for step in 1...20 {
        try generations.save(step)
        try limit(size: 0, room: step * (try size(copy)) / 16)
        let error = storeError { try store.backup(to: copy) }
        try unlimit()
        if let error {
          refused += 1
          try checkIsOfDisk(error)
        } else {
          copied = step
        }
        if names.contains("copy.sqlite.part") { throw damage("a part is left") }
        let other = try Town.store(at: .file(copy))
        guard try Generations(other).present == copied, try other.integrity() == "ok",
          generations.present == step
        else { throw damage("after \(step) backups") }
        try other.close()
      }
      try store.close()
      print("Of 20 backups, \(refused) met a full disk.")
      if refused < 5 || refused == 20 { throw StoreError.full }
    }

    private func save() throws {
      var refused = 0
      // The frames of a write-ahead log are a page and its header.
      for frames in 0..<40 {
        removeAll()
        let store = try Town.store(at: .file(file))
        let generations = try Generations(store)
        try generations.save(1)
        let log = folder.appendingPathComponent("library.sqlite-wal")
        for number in 0..<40 {
          generations.session.context.createEntity(
            with: Book(isbn: "b\(number)", title: String(repeating: "x", count: 400)))
        }
        try limit(size: try size(log), room: frames * (4096 + 24))
        let error = storeError { try generations.session.save() }
        try unlimit()
        guard let error else {
          try store.close()
          continue
        }
        refused += 1
        switch error {
        case .full, .disk: break
        default: throw error
        }
        let others = try store.session()
        guard generations.session.hasChanges, others.context.group(Book.matcher).count == 1,
          try store.integrity() == "ok"
        else { throw StoreError.corrupt(path: folder.path, detail: "after \(frames) frames") }
        try generations.session.save()
        guard others.context.group(Book.matcher).count == 41, try store.integrity() == "ok" else {
          throw StoreError.corrupt(path: folder.path, detail: "later, after \(frames) frames")
        }
        try store.close()
      }
      // Some have to be refused, and the last ones not.
      print("Of 40 saves, \(refused) met a full disk.")
      if refused < 10 || refused == 40 { throw StoreError.full }
    }

    private func limit(size: Int, room: Int) throws {
      if isDisk {
        _ = FileManager.default.createFile(atPath: ballast.path, contents: nil)
        let handle = try FileHandle(forWritingTo: ballast)
        let page = Data(repeating: 1, count: 4096)
        while (try? handle.write(contentsOf: page)) != nil {}
        let length = try handle.seekToEnd()
        try handle.truncate(atOffset: length > UInt64(room) ? length - UInt64(room) : 0)
        try handle.close()
      } else {
        try setLimit(rlim_t(size + room))
      }
    }

    func unlimit() throws {
      if isDisk {
        try? FileManager.default.removeItem(at: ballast)
      } else {
        try setLimit(rlim_t.max)
      }
    }

    private func setLimit(_ bytes: rlim_t) throws {
      var limits = rlimit()
      #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
      #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #endif
      // Only the soft one, which may be raised again.
      unsafe getrlimit(resource, &limits)
      limits.rlim_cur = min(bytes, limits.rlim_max)
      guard unsafe setrlimit(resource, &limits) == 0 else {
        throw StoreError.disk(detail: "no limit")
      }
    }
  }
#endif
