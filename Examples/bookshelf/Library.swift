#if SQLite
  import ECS
  import ECSHistory
  import ECSStore
  import Foundation

  /// The books of a file, and what has been done to them here.
  struct Library {
    let session: StoreSession
    let history: UndoHistory
    let authors: Repository<Author, String>
    let books: Repository<Book, String>
    let shelves: Repository<Shelf, String>
    let news: News
    private let tables: Tables

    init(file: URL) throws {
      tables = try Tables()
      // What others save comes when it is asked for: between commands, and while nothing is typed.
      var options = Store.Options()
      options.sharing = .processes(checkingEvery: .milliseconds(200))
      session = try Store(at: .file(file), schema: tables.schema(), options: options)
        .session(merging: .manual)
      authors = session.repository(tables.authors)
      books = session.repository(tables.books)
      shelves = session.repository(tables.shelves)
      // What is there already can't be taken back.
      history = UndoHistory(
        session.context, of: Author.self, Book.self, Rating.self, Shelf.self,
        relations: [WrittenBy.self, Holds.self])
      news = News(session.context)
    }

    // MARK: Changing

    /// Makes a step that can be taken back, and saves it.
    ///
    /// When this returns, it survives whatever happens to the program. If it can't be saved, nothing has
    /// changed.
    func change<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
      let result = try history.group(name) {
        try session.context.transaction { () throws -> Result in try body() }
      }
      try save()
      return result
    }

    /// What can't be saved does not stay: what is shown is what is in the file.
    private func save() throws(StoreError) {
      do throws(StoreError) {
        // What others have saved by now is merged before.
        try news.gather { () throws(StoreError) in _ = try session.save() }
      } catch {
        session.rollback()
        // The steps are about entities that rolling back may have made anew.
        history.removeAll()
        throw error
      }
    }

    /// Takes a step back, or makes it again; gives its name.
    func step(isUndo: Bool) throws -> String? {
      let name = isUndo ? try history.undo() : try history.redo()
      try save()
      return name
    }

    /// Fetches what others have saved; gives a line about each thing that it changed here.
    func refresh() throws(StoreError) -> [String] {
      try news.gather { () throws(StoreError) in _ = try session.refresh() }
      return news.take()
    }

    func add(_ title: String, by names: [String]) throws -> Entity {
      try change("add \(title)") {
        try books.create(Book(id: freeID(for: title), title: title)) { book in
          for name in names { book.relate(WrittenBy.self, to: authors.upsert(Author(name: name))) }
        }
      }
    }

    /// The title in small letters and digits, and a number behind it if that is taken.
    private func freeID(for title: String) -> String {
      let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
      let id = words.isEmpty ? "book" : words.joined(separator: "-")
      if books.find(id) == nil { return id }
      var number = 2
      while books.find("\(id)-\(number)") != nil { number += 1 }
      return "\(id)-\(number)"
    }

    // MARK: Finding

    /// Books with words in their titles or in the names of their authors.
    func search(_ words: String) throws -> [Entity] {
      let pattern = "%\(words)%"
      let writers = try authors.fetch(where: { $0.name.like(pattern) })
      return try books.fetch(
        where: { book in
          writers.reduce(book.title.like(pattern)) { $0 || book.isRelated(WrittenBy.self, to: $1) }
        }, sortedBy: Sort(\Book.title))
    }

    // MARK: Importing

    /// Takes books and shelves from JSON, all or nothing.
    func load(_ data: JSONValue) throws -> (books: Int, shelves: Int) {
      let mapper = Mapper(session.context)
      return try change("import") {
        var counts = (books: 0, shelves: 0)
        // Books first: shelves name them.
        if let list = data.array ?? data["books"]?.array {
          counts.books = try mapper.importList(
            list, with: tables.books.recipe, policy: .allOrNothing
          ).count
        }
        if let list = data["shelves"]?.array {
          counts.shelves = try mapper.importList(
            list, with: tables.shelves.recipe, policy: .allOrNothing
          ).count
        }
        guard data.array ?? data["books"]?.array ?? data["shelves"]?.array != nil else {
          throw Commands.Refusal("there are neither books nor shelves in it")
        }
        // A book that is named, and described nowhere.
        if let nameless = try books.first(where: { $0.title == "" })?.get(Book.self) {
          throw Commands.Refusal("the book \(nameless.id) has no title")
        }
        return counts
      }
    }
  }
#endif
