#if SQLite
  /// What two sessions and a file are to have, in dictionaries: by keys alone, three-way, local
  /// wins; a key that two have given to different rows is that of the first one that saves.
  struct SessionModel {
    struct AuthorRow: Equatable {
      var first = ""
      var last: String?
    }

    struct BookRow: Equatable {
      var title = ""
      var pages = 0
      var publisher: Int?
      var writers: Set<Int> = []

      /// Without links.
      var fields: BookRow { BookRow(title: title, pages: pages) }
    }

    struct State: Equatable {
      var authors: [Int: AuthorRow] = [:]
      var books: [Int: BookRow] = [:]

      mutating func removeAuthor(_ id: Int) {
        authors[id] = nil
        for book in books.keys {
          if books[book]?.publisher == id { books[book]?.publisher = nil }
          books[book]?.writers.remove(id)
        }
      }
    }

    /// What a session has, and what it has seen of the file.
    struct Session {
      var local = State()
      var base = State()

      /// Rows that were made since the last save.
      var newAuthors: Set<Int> = []
      var newBooks: Set<Int> = []

      /// What others have saved and this one has not seen.
      var inbox: [State] = []

      /// Whether it sees what all of that has come to, and not one after the other.
      var coalesces = false

      /// Rows of others whose keys new ones have here.
      var contestedAuthors: Set<Int> = []
      var contestedBooks: Set<Int> = []
      var isContested: Bool { !contestedAuthors.isEmpty || !contestedBooks.isEmpty }

      mutating func rollback() {
        local = base
        (newAuthors, newBooks) = ([], [])
      }

      mutating func merge() {
        for stored in coalesces ? inbox.suffix(1) : inbox[...] { merge(stored) }
        inbox = []
      }

      /// Destroys new rows whose keys others have, and takes theirs.
      mutating func giveWay(to file: State) {
        for id in contestedBooks {
          local.books[id] = nil
          newBooks.remove(id)
        }
        for id in contestedAuthors {
          local.removeAuthor(id)
          newAuthors.remove(id)
        }
        merge(file)
      }

      /// What is taken of a file now: all but rows whose keys new ones have here, and links to
      /// these.
      private mutating func withoutContested(_ file: State) -> State {
        var stored = file
        contestedAuthors = Set(
          file.authors.keys.filter {
            base.authors[$0] == nil && newAuthors.contains($0)
              && local.authors[$0] != file.authors[$0]
          })
        contestedBooks = Set(
          file.books.keys.filter {
            base.books[$0] == nil && newBooks.contains($0)
              && local.books[$0]?.fields != file.books[$0]?.fields
          })
        for id in contestedAuthors { stored.authors[id] = nil }
        for id in contestedBooks { stored.books[id] = nil }
        for (id, book) in stored.books {
          if let publisher = book.publisher, contestedAuthors.contains(publisher) {
            if local.books[id]?.publisher == base.books[id]?.publisher {
              stored.books[id]?.publisher = base.books[id]?.publisher.flatMap {
                stored.authors[$0] == nil ? nil : $0
              }
            } else {
              // A link that was changed here stays, and is another one than that to the row.
              stored.books[id]?.publisher = -publisher
            }
          }
          stored.books[id]?.writers.subtract(contestedAuthors)
        }
        return stored
      }

      private static func merged<Value: Equatable>(_ base: Value, _ local: Value, _ stored: Value)
        -> Value
      {
        local == base ? stored : local
      }

      /// Whether links of a book came or went here, and not because their targets are gone.
      private func hasOtherLinks(_ before: BookRow?, _ here: BookRow) -> Bool {
        func isHere(_ author: Int) -> Bool {
          local.authors[author] != nil && !newAuthors.contains(author)
        }
        let publisher = before?.publisher.flatMap { isHere($0) ? $0 : nil }
        return here.publisher != publisher || here.writers != before?.writers.filter(isHere)
      }

      private mutating func merge(_ file: State) {
        let stored = withoutContested(file)
        let otherLinks = local.books.filter { hasOtherLinks(base.books[$0.key], $0.value) }
        var doomed: [Int] = []
        for id in Set(base.authors.keys).union(stored.authors.keys) {
          let (before, after, here) = (base.authors[id], stored.authors[id], local.authors[id])
          if before == after { continue }
          guard let after else {
            guard let here else { continue }
            if !newAuthors.contains(id), here == before {
              doomed.append(id)
            } else {
              newAuthors.insert(id)
            }
            continue
          }
          guard let before else {
            // What was made alike is the same.
            if here == nil { local.authors[id] = after } else { newAuthors.remove(id) }
            continue
          }
          guard let here, !newAuthors.contains(id) else { continue }
          local.authors[id] = AuthorRow(
            first: Session.merged(before.first, here.first, after.first),
            last: Session.merged(before.last, here.last, after.last))
        }
        var doomedBooks: [Int] = []
        for id in Set(base.books.keys).union(stored.books.keys) {
          let (before, after, here) = (base.books[id], stored.books[id], local.books[id])
          if before == after { continue }
          guard let after else {
            guard let here else { continue }
            if !newBooks.contains(id), here.fields == before?.fields, otherLinks[id] == nil {
              doomedBooks.append(id)
            } else {
              newBooks.insert(id)
            }
            continue
          }
          guard let before else {
            if here == nil {
              var made = after
              made.writers.formIntersection(local.authors.keys)
              made.publisher = made.publisher.flatMap { local.authors[$0] == nil ? nil : $0 }
              local.books[id] = made
            } else {
              newBooks.remove(id)
              mergeLinks(id, BookRow(), after)
            }
            continue
          }
          guard let here, !newBooks.contains(id) else { continue }
          local.books[id]?.title = Session.merged(before.title, here.title, after.title)
          local.books[id]?.pages = Session.merged(before.pages, here.pages, after.pages)
          mergeLinks(id, before, after)
        }
        for id in doomedBooks { local.books[id] = nil }
        // A link that can't be made gives way to that of the file.
        let lost = local.books.filter { doomed.contains($0.value.publisher ?? 0) }.keys
        for id in doomed { local.removeAuthor(id) }
        for id in lost where !newBooks.contains(id) {
          local.books[id]?.publisher = stored.books[id]?.publisher.flatMap {
            local.authors[$0] == nil || newAuthors.contains($0) ? nil : $0
          }
        }
        base = stored
      }

      private mutating func mergeLinks(_ id: Int, _ before: BookRow, _ after: BookRow) {
        guard let here = local.books[id] else { return }
        if before.publisher != after.publisher {
          let publisher = Session.merged(before.publisher, here.publisher, after.publisher)
          local.books[id]?.publisher = publisher.flatMap { local.authors[$0] == nil ? nil : $0 }
        }
        if before.writers != after.writers {
          let writers = after.writers.subtracting(before.writers.subtracting(here.writers))
            .union(here.writers.subtracting(before.writers))
          local.books[id]?.writers = writers.intersection(local.authors.keys)
        }
      }
    }

    var sessions: [Session]
    var file = State()

    /// Writes the file in SQL.
    mutating func write(automatic: [Bool], _ body: (inout State) -> Void) {
      body(&file)
      for number in sessions.indices {
        sessions[number].inbox.append(file)
        if automatic[number] { sessions[number].merge() }
      }
    }

    /// Saves a session, unless a key is taken; those that merge at once do so.
    mutating func save(_ number: Int, automatic: [Bool]) {
      sessions[number].merge()
      if sessions[number].isContested { return }
      guard sessions[number].local != file else {
        (sessions[number].newAuthors, sessions[number].newBooks) = ([], [])
        return
      }
      file = sessions[number].local
      sessions[number].base = file
      (sessions[number].newAuthors, sessions[number].newBooks) = ([], [])
      for other in sessions.indices where other != number {
        sessions[other].inbox.append(file)
        if automatic[other] { sessions[other].merge() }
      }
    }
  }
#endif
