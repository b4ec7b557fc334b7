#if SQLite
  import ECS
  import ECSHistory
  import ECSStore
  import ExampleSupport
  import Foundation

  /// What is typed, and what comes of it.
  struct Commands {
    let library: Library

    /// Something that was typed cannot be done.
    struct Refusal: Error {
      let reason: String

      init(_ reason: String) { self.reason = reason }
    }

    /// Carries out a line; gives what there is to say.
    func carryOut(_ line: String) throws -> [String] {
      let words = line.split(separator: " ").map(String.init)
      guard let verb = words.first else { return [] }
      let rest = words.dropFirst().joined(separator: " ")
      switch (verb, words.count) {
      case ("add", 2...): return try add(rest)
      case ("edit", 3...): return try edit(words[1], words[2], words.dropFirst(3))
      case ("remove", 2): return try remove(words[1])
      case ("put", 4...): return try put(words)
      case ("take", 4...) where words[2] == "from":
        return try take(words[1], words[3...].joined(separator: " "))
      case ("list", 1): return try library.books.fetch(sortedBy: Sort(\Book.title)).map(text)
      case ("find", 2...): return try library.search(rest).map(text)
      case ("shelves", 1): return try library.shelves.fetch(sortedBy: Sort(\Shelf.name)).map(name)
      case ("show", 2...): return try shelf(rest).targets(Holds.self).map(text)
      case ("import", 2...): return try load(rest)
      case ("undo", 1): return [try library.step(isUndo: true) ?? "nothing to undo"]
      case ("redo", 1): return [try library.step(isUndo: false) ?? "nothing to redo"]
      default: throw Refusal("there is no such command; try --help")
      }
    }

    // MARK: Words

    private func text(_ book: Entity) -> String {
      guard let root = book.get(Book.self) else { return "" }
      var text = "\(root.id): \(root.title)"
      let authors = book.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.name }
      if !authors.isEmpty { text += " by \(authors.joined(separator: ", "))" }
      if let year = root.year { text += ", \(year)" }
      if let pages = root.pages { text += ", \(pages) pages" }
      if let stars = book.get(Rating.self)?.stars {
        text += " " + String(repeating: "*", count: min(max(stars, 0), 5))
      }
      return text
    }

    private func name(_ shelf: Entity) -> String {
      "\(shelf.get(Shelf.self)?.name ?? ""): \(shelf.targets(Holds.self).count)"
    }

    private func book(_ id: String) throws -> Entity {
      guard let book = library.books.find(id) else { throw Refusal("there is no book \(id)") }
      return book
    }

    private func shelf(_ name: String) throws -> Entity {
      guard let shelf = library.shelves.find(name) else {
        throw Refusal("there is no shelf \(name)")
      }
      return shelf
    }

    // MARK: Changes

    private func add(_ rest: String) throws -> [String] {
      var (title, names) = (rest, [String]())
      if let range = rest.range(of: " by ", options: .backwards) {
        title = String(rest[..<range.lowerBound])
        names = rest[range.upperBound...].split(separator: ",", omittingEmptySubsequences: false)
          .map {
            $0.trimmingCharacters(in: .whitespaces)
          }
      }
      guard title.count <= 200, names.allSatisfy({ !$0.isEmpty && $0.count <= 200 }) else {
        throw Refusal("a title and names have 1 to 200 characters")
      }
      return [text(try library.add(title, by: names))]
    }

    private func edit(_ id: String, _ field: String, _ words: ArraySlice<String>) throws -> [String]
    {
      let (book, value) = (try book(id), words.joined(separator: " "))
      let number = value.isEmpty ? nil : Int(value)
      try library.change("edit \(id)") {
        switch field {
        case "title" where (1...200).contains(value.count):
          book.update(Book.self) { $0.title = value }
        case "year", "pages", "stars":
          guard value.isEmpty || number != nil else { throw Refusal("\(value) is no number") }
          try set(number, field, of: book)
        default: throw Refusal("\(field) can't be '\(value)'")
        }
      }
      return [text(book)]
    }

    private func set(_ number: Int?, _ field: String, of book: Entity) throws {
      switch (field, number) {
      case ("year", _): book.update(Book.self) { $0.year = number }
      case ("pages", _) where number ?? 1 > 0: book.update(Book.self) { $0.pages = number }
      case ("stars", nil): _ = book.remove(Rating.self)
      case ("stars", let stars?) where (0...5).contains(stars): book.set(Rating(stars: stars))
      default: throw Refusal("\(field) can't be \(number ?? 0)")
      }
    }

    private func remove(_ id: String) throws -> [String] {
      let book = try book(id)
      try library.change("remove \(id)") { book.destroy() }
      return []
    }

    /// `put BOOK on SHELF`, or `put BOOK at 2 on SHELF`, which may be there already.
    private func put(_ words: [String]) throws -> [String] {
      let book = try book(words[1])
      let place = words[2] == "at" ? Int(words[3]) : nil
      let rest = words[2] == "at" ? words.dropFirst(4) : words[2...]
      guard rest.first == "on", rest.count > 1, place ?? 1 > 0, words[2] == "on" || place != nil
      else { throw Refusal("where?") }
      let name = rest.dropFirst().joined(separator: " ")
      guard name.count <= 200 else { throw Refusal("the name is too long") }
      return try library.change("put \(words[1])") {
        let books = library.shelves.upsert(Shelf(name: name)).targets(Holds.self)
        if let place { books.insert(book, at: place - 1) } else { books.insert(book) }
        return books.map(text)
      }
    }

    private func take(_ id: String, _ name: String) throws -> [String] {
      let (book, shelf) = (try book(id), try shelf(name))
      try library.change("take \(id)") { shelf.targets(Holds.self).remove(book) }
      return shelf.targets(Holds.self).map(text)
    }

    private func load(_ path: String) throws -> [String] {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let counts = try library.load(try JSONValue(data: data))
      return ["\(counts.books) books, \(counts.shelves) shelves"]
    }
  }
#endif
