#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Files that were cut, scribbled on, or are noise.
  @Suite struct DamageTests {
    @Test func `damaged files are errors or databases, never crashes, and refused ones stay`()
      throws
    {
      let folder = try Folder()
      let whole = try Data(contentsOf: try folder.filled())
      var random = SplitMix64(seed: 7)
      let schema = try Library.schema()
      var (refused, failed) = (0, 0)
      for round in 0..<Torment.damages {
        let file = folder.file("broken-\(round)")
        let data = damaged(whole, round, &random)
        try data.write(to: file)
        defer {
          for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
          }
        }
        do throws(StoreError) {
          use(try Store(at: .file(file), schema: schema), &failed)
        } catch {
          refused += 1
          expectTrue(isOfFiles(error), "round \(round): \(error)")
          if case .sql = error { continue }
          try expectEqual(Data(contentsOf: file), data, "round \(round): \(error)")
        }
      }
      print(
        "Of \(Torment.damages) damaged files \(refused) were refused, \(failed) could not be used.")
    }

    private func damaged(_ whole: Data, _ round: Int, _ random: inout SplitMix64) -> Data {
      var data = whole
      switch round % 5 {
      case 0: data = data.prefix(Int.random(in: 1..<data.count, using: &random))
      case 1:
        // Noise behind a header, with the length of a database.
        for place in 100..<data.count { data[place] = .random(in: 0...255, using: &random) }
      case 2:
        for _ in 0..<20 {
          data[Int.random(in: 0..<data.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
      case 3:
        // A whole page, but not the first one.
        let page = Int.random(in: 1..<data.count / 4096, using: &random) * 4096
        for place in page..<page + 4096 { data[place] = .random(in: 0...255, using: &random) }
      default:
        for place in data.indices { data[place] = .random(in: 0...255, using: &random) }
      }
      return data
    }

    /// Loads, changes and saves, which may fail.
    private func use(_ store: Store, _ failed: inout Int) {
      do throws(StoreError) {
        let session = try store.session(unreadable: .skipAndReport)
        for author in session.context.group(Author.matcher) {
          author.update(Author.self) { $0.first += "y" }
        }
        session.context.createEntity(with: Author(id: -1))
        try session.save()
        try session.refresh()
      } catch {
        failed += 1
        expectTrue(isOfFiles(error) || isOfRows(error), "\(error)")
      }
      try? store.close(savesChanges: false)
    }

    private func isOfFiles(_ error: StoreError) -> Bool {
      switch error {
      case .corrupt, .notADatabase, .newerSchema, .schemaMismatch, .sql, .cannotOpen, .disk, .full:
        true
      default: false
      }
    }

    /// What a key or a column holds may be anything.
    private func isOfRows(_ error: StoreError) -> Bool {
      switch error {
      case .duplicateKey, .unreadable, .foreignKey, .validation, .unique, .notFound: true
      default: false
      }
    }
  }
#endif
