#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// Random programs over two sessions: after each step these and the file have what a model says.
  @Suite(.longRunning) struct SessionModelTests {
    @Test(arguments: Effort.seeds())
    func `two sessions and the file agree with a model after every step`(seed: UInt64) throws {
      let store = try Town.store()
      let automatic = [true, seed % 2 == 0]
      let sessions = try automatic.map {
        try store.session(merging: $0 ? .automatic : .manual)
      }
      try run(seed, sessions, automatic, store)
    }

    /// As two processes have them; each reads what all saves of the other one have come to.
    @Test(arguments: Effort.seeds((Effort.modelSeeds + 3) / 4))
    func `sessions of two stores of one file agree with a model after every step`(
      seed: UInt64
    ) throws {
      let folder = try Folder()
      let stores = try (0..<3).map { _ in try Town.shared(folder, every: .seconds(3600)) }
      let sessions = try stores.prefix(2).map { try $0.session(merging: .manual) }
      try run(seed, sessions, [false, false], stores[2], coalesces: true)
    }

    private func run(
      _ seed: UInt64, _ sessions: [StoreSession], _ automatic: [Bool], _ reader: Store,
      coalesces: Bool = false
    ) throws {
      var random = SplitMix64(seed: seed)
      var model = SessionModel(
        sessions: automatic.map { _ in SessionModel.Session(coalesces: coalesces) })
      var program: [String] = []
      for step in 0..<120 {
        let number = Int.random(in: 0..<2, using: &random)
        let change = Change.random(&random)
        program.append("\(number): \(change)")
        change.make(in: &model, number, automatic)
        let mayBeRefused = if case .save = change { true } else { false }
        var isRefused = false
        do {
          do {
            try change.make(in: sessions[number], reader)
          } catch StoreError.duplicateKey {
            isRefused = true
          }
          expectEqual(
            isRefused, (mayBeRefused && model.sessions[number].isContested),
            "seed \(seed), step \(step), after\n\(program.joined(separator: "\n"))")
          for other in 0..<2 where model.sessions[other].isContested {
            program.append("\(other): gives way")
            let contested = model.sessions[other]
            for id in contested.contestedBooks { sessions[other].book("\(id)")?.destroy() }
            for id in contested.contestedAuthors { sessions[other].author(Int64(id))?.destroy() }
            try sessions[other].refresh()
            model.sessions[other].giveWay(to: model.file)
          }
        } catch {
          Issue.record(
            "seed \(seed), step \(step): \(error), after\n\(program.joined(separator: "\n"))")
          return
        }
        let found = sessions.map { $0.state() }
        let file = try reader.session().state()
        for number in 0..<2 where found[number] != model.sessions[number].local {
          Issue.record(
            "seed \(seed), step \(step): session \(number) has \(found[number]), not \(model.sessions[number].local), after\n\(program.joined(separator: "\n"))"
          )
          return
        }
        if file != model.file {
          Issue.record(
            "seed \(seed), step \(step): the file has \(file), not \(model.file), after\n\(program.joined(separator: "\n"))"
          )
          return
        }
      }
    }
  }

  private enum Change {
    case makeAuthor(Int)
    case makeBook(Int)
    case setFirst(Int, String)
    case setLast(Int, String?)
    case setTitle(Int, String)
    case setPages(Int, Int)
    case publish(book: Int, author: Int?)
    case toggleWriter(book: Int, author: Int)
    case removeAuthor(Int)
    case removeBook(Int)
    case replaceBook(Int)
    case save
    case rollback
    case refresh

    /// In SQL, which bypasses sessions.
    case writeAuthor(Int, String?)
    case writeBook(Int, String?)
    case writePublisher(book: Int, author: Int?)

    static func random(_ random: inout SplitMix64) -> Change {
      func id() -> Int { Int.random(in: 1...2, using: &random) }
      func text() -> String { ["a", "b", "c"][Int.random(in: 0..<3, using: &random)] }
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<10: return .makeAuthor(id())
      case 10..<20: return .makeBook(id())
      case 20..<27: return .setFirst(id(), text())
      case 27..<34: return .setLast(id(), Bool.random(using: &random) ? text() : nil)
      case 34..<40: return .setTitle(id(), text())
      case 40..<46: return .setPages(id(), Int.random(in: 0..<3, using: &random))
      case 46..<54: return .publish(book: id(), author: Bool.random(using: &random) ? id() : nil)
      case 54..<64: return .toggleWriter(book: id(), author: id())
      case 64..<69: return .removeAuthor(id())
      case 69..<74: return .removeBook(id())
      case 74..<77: return .replaceBook(id())
      case 77..<89: return .save
      case 89..<91: return .writeAuthor(id(), Bool.random(using: &random) ? text() : nil)
      case 91..<93: return .writeBook(id(), Bool.random(using: &random) ? text() : nil)
      case 93..<94:
        return .writePublisher(book: id(), author: Bool.random(using: &random) ? id() : nil)
      case 94..<96: return .rollback
      default: return .refresh
      }
    }

    func make(in session: StoreSession, _ store: Store) throws {
      let context = session.context
      func author(_ id: Int) -> Entity? { session.author(Int64(id)) }
      func book(_ id: Int) -> Entity? { session.book("\(id)") }
      switch self {
      case .makeAuthor(let id):
        if author(id) == nil { context.createEntity(with: Author(id: Int64(id))) }
      case .makeBook(let id): if book(id) == nil { context.createEntity(with: Book(isbn: "\(id)")) }
      case .setFirst(let id, let text): author(id)?.update(Author.self) { $0.first = text }
      case .setLast(let id, let text): author(id)?.update(Author.self) { $0.last = text }
      case .setTitle(let id, let text): book(id)?.update(Book.self) { $0.title = text }
      case .setPages(let id, let pages): book(id)?.update(Book.self) { $0.pages = pages }
      case .publish(let id, let other):
        guard let book = book(id) else { return }
        if let other {
          if let author = author(other) { book.relate(PublishedBy.self, to: author) }
        } else {
          book.unrelate(PublishedBy.self)
        }
      case .toggleWriter(let id, let other):
        guard let book = book(id), let author = author(other) else { return }
        if book.isRelated(WrittenBy.self, to: author) {
          book.unrelate(WrittenBy.self, from: author)
        } else {
          book.relate(WrittenBy.self, to: author)
        }
      case .removeAuthor(let id): author(id)?.destroy()
      case .removeBook(let id): book(id)?.destroy()
      case .replaceBook(let id):
        guard let old = book(id) else { return }
        old.destroy()
        context.createEntity(with: Book(isbn: "\(id)"))
      case .save: try session.save()
      case .rollback: session.rollback()
      case .refresh: try session.refresh()
      case .writeAuthor, .writeBook, .writePublisher: try store.write { try write($0) }
      }
    }

    private func write(_ database: Database) throws {
      switch self {
      case .writeAuthor(let id, let text?):
        try database.execute(
          sql: """
            INSERT INTO author VALUES (?1, ?2, NULL) ON CONFLICT (id) DO UPDATE SET first = ?2
            """, arguments: [id, text])
      case .writeAuthor(let id, nil):
        for sql in [
          "DELETE FROM book_authors WHERE author_id = ?",
          "UPDATE book SET publisher = NULL WHERE publisher = ?", "DELETE FROM author WHERE id = ?",
        ] { try database.execute(sql: sql, arguments: [id]) }
      case .writeBook(let id, let text?):
        try database.execute(
          sql: """
            INSERT INTO book (isbn, info_title, pages, format, tags)
            VALUES (?1, ?2, 0, 'paper', '[]') ON CONFLICT (isbn) DO UPDATE SET info_title = ?2
            """, arguments: ["\(id)", text])
      case .writeBook(let id, nil):
        for sql in [
          "DELETE FROM book_authors WHERE book_isbn = ?", "DELETE FROM book WHERE isbn = ?",
        ] {
          try database.execute(sql: sql, arguments: ["\(id)"])
        }
      case .writePublisher(let id, let author):
        try database.execute(
          sql: """
            UPDATE book SET publisher = ?2
            WHERE isbn = ?1 AND (?2 IS NULL OR EXISTS (SELECT 1 FROM author WHERE id = ?2))
            """, arguments: ["\(id)", author])
      default: break
      }
    }

    private func write(_ file: inout SessionModel.State) {
      switch self {
      case .writeAuthor(let id, let text?):
        file.authors[id, default: SessionModel.AuthorRow()].first = text
      case .writeAuthor(let id, nil): file.removeAuthor(id)
      case .writeBook(let id, let text?):
        file.books[id, default: SessionModel.BookRow()].title = text
      case .writeBook(let id, nil): file.books[id] = nil
      case .writePublisher(let id, let author):
        if author.map({ file.authors[$0] != nil }) ?? true { file.books[id]?.publisher = author }
      default: break
      }
    }

    func make(in model: inout SessionModel, _ number: Int, _ automatic: [Bool]) {
      var session: SessionModel.Session {
        get { model.sessions[number] }
        set { model.sessions[number] = newValue }
      }
      switch self {
      case .makeAuthor(let id):
        guard session.local.authors[id] == nil else { return }
        session.local.authors[id] = SessionModel.AuthorRow()
        session.newAuthors.insert(id)
      case .makeBook(let id):
        guard session.local.books[id] == nil else { return }
        session.local.books[id] = SessionModel.BookRow()
        session.newBooks.insert(id)
      case .setFirst(let id, let text): session.local.authors[id]?.first = text
      case .setLast(let id, let text): session.local.authors[id]?.last = text
      case .setTitle(let id, let text): session.local.books[id]?.title = text
      case .setPages(let id, let pages): session.local.books[id]?.pages = pages
      case .publish(let id, let other):
        if let other, session.local.authors[other] == nil { return }
        session.local.books[id]?.publisher = other
      case .toggleWriter(let id, let other):
        guard session.local.authors[other] != nil, let book = session.local.books[id] else {
          return
        }
        if book.writers.contains(other) {
          session.local.books[id]?.writers.remove(other)
        } else {
          session.local.books[id]?.writers.insert(other)
        }
      case .removeAuthor(let id):
        session.local.removeAuthor(id)
        session.newAuthors.remove(id)
      case .removeBook(let id):
        session.local.books[id] = nil
        session.newBooks.remove(id)
      case .replaceBook(let id):
        guard session.local.books[id] != nil else { return }
        session.local.books[id] = SessionModel.BookRow()
        session.newBooks.insert(id)
      case .save: model.save(number, automatic: automatic)
      case .rollback: session.rollback()
      case .refresh: session.merge()
      case .writeAuthor, .writeBook, .writePublisher:
        model.write(automatic: automatic) { write(&$0) }
      }
    }
  }

  extension StoreSession {
    fileprivate func state() -> SessionModel.State {
      var state = SessionModel.State()
      for entity in context.group(Author.matcher) {
        guard let author = entity.get(Author.self) else { continue }
        state.authors[Int(author.id)] = SessionModel.AuthorRow(
          first: author.first, last: author.last)
      }
      for entity in context.group(Book.matcher) {
        guard let book = entity.get(Book.self), let id = Int(book.isbn) else { continue }
        state.books[id] = SessionModel.BookRow(
          title: book.title, pages: book.pages,
          publisher: entity.target(PublishedBy.self)?.get(Author.self).map { Int($0.id) },
          writers: Set(
            entity.targets(WrittenBy.self).compactMap { $0.get(Author.self).map { Int($0.id) } }))
      }
      return state
    }
  }
#endif
