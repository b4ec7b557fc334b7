import Dispatch
import ECS
import ECSObservation
import Foundation
import Observation

@main
enum ReadingListProgram {
  static func main() {
    // A reader that goes away, such as `head`, ends the program without a word.
    signal(SIGPIPE, SIG_DFL)
    let arguments = CommandLine.arguments.dropFirst()
    if let first = arguments.first { answer(first == "--help" && arguments.count == 1) }
    let library = Library()
    let (butler, lem) = (library.named("Octavia Butler"), library.named("Stanisław Lem"))
    let books = [
      library.add("Kindred", by: butler, "novel", pages: 264),
      library.add("Dawn", by: butler, "science fiction", pages: 248),
      library.add("Solaris", by: lem, "science fiction", pages: 204),
      library.add("The Invincible", by: lem, "science fiction", pages: 223),
    ]
    read(books, in: library)
    look(at: books[1])
    remove(from: library, books, lem)
    // What was printed may not have been written yet.
    if fflush(nil) != 0 {
      let error = unsafe String(cString: strerror(errno))
      let message = "reading-list: Writing to standard output failed: \(error).\n"
      try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
      exit(EX_IOERR)
    }
  }

  private static func answer(_ isHelp: Bool) -> Never {
    let usage = "usage: reading-list\nShows what follows from turning pages and from removals.\n"
    let output = isHelp ? FileHandle.standardOutput : .standardError
    try? output.write(contentsOf: Data(usage.utf8))
    exit(isHelp ? EXIT_SUCCESS : EX_USAGE)
  }

  /// What follows from turning pages: in a list, in a log, in a system, and in what is saved.
  private static func read(_ books: [Entity], in library: Library) {
    print("The list")
    let shelf = Shelf(library.current)
    shelf.draw()

    // Typed: the values before and after come with the change.
    let log = library.books.observeChanges(of: Bookmark.self, .updated) { book, old, new in
      guard let old, let new else { return }
      print("  log: \(book.label), \(new.page - old.page) pages")
    }

    // A closure is enough of a system.
    let bookmarks = Matcher(all: [Bookmark.cid], none: [IsRead.cid])
    let loop = ReactiveLoop(
      ctx: library.context, queue: DispatchQueue(label: "reading"), systems: [])
    loop.on(bookmarks, .updated, name: "Finish") { books in
      books.withEach { (book, bookmark: Bookmark) in
        if bookmark.isAtEnd { book.set(IsRead()) }
      }
    }

    // What is to be saved gathers here, each book once, until it is fetched.
    let unsaved = library.context.collector(for: Bookmark.matcher, type: .addedOrUpdated)

    print("Reading")
    books[0].update(Bookmark.self) { $0.page = 100 }
    library.context.perform {
      books[3].update(Bookmark.self) { $0.page = 200 }
      books[0].update(Bookmark.self) { $0.page += 20 }
    }
    books[3].update(Bookmark.self) { $0.page = 223 }
    loop.runUntilSettled()
    shelf.draw()

    print("Saving")
    print("  \(unsaved.drain().labels)")
    print("  \(unsaved.drain().labels)")
    withExtendedLifetime((shelf, log)) {}
  }

  /// Draws a book as user interfaces do: what is read in the course of it is tracked.
  private static func look(at book: Entity) {
    print("A page of its own")
    let shown = book.observed()
    func draw() {
      withObservationTracking {
        print("  \(book.label): \(shown[Bookmark.self]?.share ?? 0) %")
      } onChange: {
        print("  to be drawn again")
      }
    }
    draw()
    book.update(Bookmark.self) { $0.page = 62 }
    draw()
  }

  /// What becomes of the others when something goes.
  private static func remove(from library: Library, _ books: [Entity], _ author: Entity) {
    print("Removing")
    let (friend, tag) = (library.named("Mira"), library.named("summer"))
    books[0].relate(LentTo.self, to: friend).relate(TaggedWith.self, to: tag)
    do {
      try friend.destroyIfAllowed()
    } catch {
      print("  \(friend.label) has \(friend.sources(LentTo.self).entities().labels)")
    }
    tag.destroy()
    print("  \(books[0].label) has \(books[0].targets(TaggedWith.self).count) tags")
    print("  science fiction: \(library.byGenre["science fiction"].labels)")
    author.destroy()
    print("  science fiction: \(library.byGenre["science fiction"].labels)")
    books[0].unrelate(LentTo.self)
    friend.destroy()
    print("  \(library.books.count) books are left")
  }
}
