#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Processes that write the same file at once.
  @Suite(.noHangs) struct ProcessTests {
    @Test func `what several processes count up has the total, and who watches has it as well`()
      async throws
    {
      let folder = try Folder()
      let store = try Town.shared(folder)
      let watching = try store.session()
      for id in 0..<Counting.places {
        watching.context.createEntity(with: Book(isbn: "\(id)"))
        watching.context.createEntity(with: Author(id: Int64(id)))
      }
      try watching.save()
      async let first: Void = count(1, in: folder)
      async let second: Void = count(2, in: folder)
      _ = await (first, second)
      let counts = try [1, 2].map { try Counting.Result.read($0, in: folder.url.path) }
      try watching.refresh()
      expectFalse(watching.hasChanges)
      for session in [watching, try store.session()] {
        for id in 0..<Counting.places {
          let total = counts.reduce(0) { $0 + $1.counts[id] }
          expectEqual(session.book("\(id)")?.get(Book.self)?.pages, total)
        }
        let lines = session.context.group(LogLine.matcher)
        expectEqual(lines.count, counts.reduce(0) { $0 + $1.lines })
        let todos = session.context.group(Todo.matcher).compactMap { $0.get(TodoID.self)?.value }
        expectEqual(Set(todos).count, counts.reduce(0) { $0 + $1.todos })
        // Each process has a column of its own of all rows.
        for author in session.context.group(Author.matcher) {
          expectEqual(author.get(Author.self)?.first, "\(counts[0].saves)")
          expectEqual(author.get(Author.self)?.last, "\(counts[1].saves)")
        }
        let links = session.context.group(Book.matcher).reduce(0) {
          $0 + $1.targets(WrittenBy.self).count
        }
        expectEqual(links, Set(counts.flatMap(\.links)).count)
      }
      try expectEqual(store.integrity(), "ok")
      print(
        "Two processes saved \(counts[0].saves) and \(counts[1].saves) times, with \(counts.reduce(0) { $0 + $1.conflicts }) conflicts."
      )
    }

    private func count(_ process: Int, in folder: Folder) async {
      let path = folder.url.path
      await #expect(processExitsWith: .success) {
        [path = path as String, process = process as Int] in
        try Counting.run(process, in: path)
      }
    }
  }

  private enum Counting {
    static let places = 5

    struct Result: Codable {
      var counts = [Int](repeating: 0, count: Counting.places)
      var (lines, todos, saves, conflicts) = (0, 0, 0, 0)
      var links: Set<[Int]> = []

      static func read(_ process: Int, in folder: String) throws -> Result {
        try JSONDecoder().decode(Result.self, from: Data(contentsOf: file(process, folder)))
      }

      func write(_ process: Int, in folder: String) throws {
        try JSONEncoder().encode(self).write(to: Result.file(process, folder))
      }

      private static func file(_ process: Int, _ folder: String) -> URL {
        URL(fileURLWithPath: folder).appendingPathComponent("counted-\(process)")
      }
    }

    /// Changes, saves and merges, and writes what it has done.
    static func run(_ process: Int, in folder: String) throws {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("library.sqlite")
      let store = try Store(at: .file(file), schema: Town.schema(), options: .shared)
      let conflicts = Tally()
      let session = try store.session(
        policy: .resolve { conflict in
          conflicts.add()
          guard let base = conflict.base?.number?.int, let local = conflict.local?.number?.int,
            let stored = conflict.stored?.number?.int
          else { return .local }
          return .value(.number(JSONNumber(local + stored - base)))
        })
      let context = session.context
      let books = context.group(Book.matcher).sorted {
        $0.get(Book.self)?.isbn ?? "" < $1.get(Book.self)?.isbn ?? ""
      }
      var random = SplitMix64(seed: UInt64(process))
      var result = Result()
      var mine: [Entity] = []
      let end = Torment.seconds.map { ContinuousClock.now + .seconds($0) }
      while end.map({ ContinuousClock.now < $0 }) ?? (result.saves < Torment.saves) {
        for _ in 0..<3 {
          let place = Int.random(in: 0..<places, using: &random)
          // So that both never come to the same value, which would be no conflict.
          let step = process == 1 ? 1 : 1000
          books[place].update(Book.self) { $0.pages += step }
          result.counts[place] += step
        }
        result.saves += 1
        for author in context.group(Author.matcher) {
          author.update(Author.self) {
            if process == 1 { $0.first = "\(result.saves)" } else { $0.last = "\(result.saves)" }
          }
        }
        // Thirty lines at most, so that what is read stays small.
        mine.append(context.createEntity(with: LogLine(text: "\(process)")))
        result.lines += 1
        if mine.count > 30 {
          mine.remove(at: Int.random(in: 0..<30, using: &random)).destroy()
          result.lines -= 1
        }
        if result.saves % 10 == 0, result.todos < 100 {
          context.createEntity(with: Todo(text: "\(process)"))
          result.todos += 1
        }
        let (place, id) = (
          Int.random(in: 0..<places, using: &random),
          Int64.random(in: 0..<Int64(places), using: &random)
        )
        if let author = session.author(id) {
          books[place].relate(WrittenBy.self, to: author)
          result.links.insert([place, Int(id)])
        }
        try session.save()
      }
      result.conflicts = conflicts.value
      try store.close()
      try result.write(process, in: folder)
    }
  }
#endif
