#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Disks that are full at each of the writes of a save.
  @Suite(.noHangs) struct FullDiskTests {
    @Test
    func `a disk that is full at any write loses nothing, and the same save goes through later`()
      async throws
    {
      let disk = Torment.disk.map { URL(fileURLWithPath: $0) }
      let folder = try Folder()
      let path = (disk ?? folder.url).path
      // What a process writes is limited for all of it.
      await #expect(processExitsWith: .success) {
        [path = path as String, isDisk = (disk != nil) as Bool] in
        let filling = Filling(path, isDisk: isDisk)
        do {
          try filling.run()
        } catch {
          try filling.unlimit()
          try "\(error)".write(to: filling.failure, atomically: false, encoding: .utf8)
        }
      }
      let failure = Filling(path, isDisk: disk != nil).failure
      let text = try? String(contentsOf: failure, encoding: .utf8)
      #expect(text == nil)
    }
  }

  private struct Filling {
    let folder: URL
    let isDisk: Bool
    var ballast: URL { folder.appendingPathComponent("ballast") }

    /// What went wrong.
    var failure: URL { folder.appendingPathComponent("failure") }

    init(_ path: String, isDisk: Bool) {
      folder = URL(fileURLWithPath: path)
      self.isDisk = isDisk
    }

    func run() throws {
      signal(SIGXFSZ, SIG_IGN)
      var refused = 0
      // The frames of a write-ahead log are a page and its header.
      for frames in 0..<40 {
        for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
          try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        let store = try Store(
          at: .file(folder.appendingPathComponent("library.sqlite")), schema: Town.schema())
        let generations = try Generations(store)
        try generations.save(1)
        let log = folder.appendingPathComponent("library.sqlite-wal")
        let size = try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int ?? 0
        for number in 0..<40 {
          generations.session.context.createEntity(
            with: Book(isbn: "b\(number)", title: String(repeating: "x", count: 400)))
        }
        try limit(size: size, frames: frames)
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

    private func limit(size: Int, frames: Int) throws {
      let room = frames * (4096 + 24)
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
