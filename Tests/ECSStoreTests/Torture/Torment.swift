#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// How much is done to stores: what `Scripts/store-torture` asks for, or what the normal run can afford.
  enum Torment {
    static let kills = number("ECS_STORE_KILLS") ?? Effort.full(20, debug: 6)

    /// How many processes are killed that do something else than save.
    static let otherKills = max(4, kills / 5)
    static let damages = number("ECS_STORE_DAMAGES") ?? 60

    /// For how long processes write; nil for a number of saves.
    static let seconds = number("ECS_STORE_SECONDS")
    static let saves = Effort.full(200, debug: 60)

    /// A small disk that is there to be filled.
    static let disk = ProcessInfo.processInfo.environment["ECS_STORE_DISK"]

    private static func number(_ variable: String) -> Int? {
      ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
    }
  }

  extension Store {
    /// What SQLite says of the file.
    func integrity() throws -> String? {
      try read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
    }
  }

  /// A session whose rows show whether saves are whole: as many lines as saves, all authors like the last
  /// one, and a book whose links go round.
  struct Generations {
    static let authors = 12
    let session: StoreSession

    init(_ store: Store) throws {
      session = try store.session()
      guard session.context.group(Author.matcher).isEmpty else { return }
      for id in 1...Self.authors {
        session.context.createEntity(with: Author(id: Int64(id), first: "0", last: "0"))
      }
      session.context.createEntity(with: Book(isbn: "1"))
      try session.save()
    }

    /// The number of saves; nil if what is there comes from several.
    var present: Int? {
      let context = session.context
      let authors = context.group(Author.matcher).compactMap { $0.get(Author.self) }
      let book = context.group(Book.matcher).first
      guard let text = authors.first?.first, let number = Int(text), authors.count == Self.authors,
        authors.allSatisfy({ $0.first == text && $0.last == text }),
        context.group(LogLine.matcher).count == number,
        book?.get(Book.self)?.pages == number,
        book?.targets(WrittenBy.self).compactMap({ $0.get(Author.self)?.id }) == links(number)
      else { return nil }
      return number
    }

    private func links(_ number: Int) -> [Int64] {
      number == 0 ? [] : [Int64(number % Self.authors + 1)]
    }

    /// Makes the next one, and saves it.
    func save(_ number: Int) throws {
      let context = session.context
      for author in context.group(Author.matcher) {
        author.update(Author.self) {
          $0.first = "\(number)"
          $0.last = "\(number)"
        }
      }
      let line = context.createEntity(with: LogLine(text: "\(number)"))
      if number % 5 == 0 {
        // Another one in its place, and one that comes again.
        line.destroy()
        context.createEntity(with: LogLine(text: "again"))
        let author = context.group(Author.matcher).first
        let value = author?.get(Author.self)
        author?.destroy()
        if let value { context.createEntity(with: value) }
      }
      let book = context.group(Book.matcher).first
      book?.update(Book.self) { $0.pages = number }
      let targets = links(number).compactMap { id in
        context.group(Author.matcher).first { $0.get(Author.self)?.id == id }
      }
      book?.targets(WrittenBy.self).replaceAll(with: targets)
      try session.save()
    }
  }
#endif
