#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// How links come into sessions together with the rows that they lead from.
  @Suite(.noHangs) struct MergingLinkTests {
    /// Two sessions, with authors 1 to 3 in the file: of one store, or of two stores of one file.
    struct Pair {
      let (here, there): (StoreSession, StoreSession)
      private let folder: Folder

      init(_ policy: MergePolicy, isOneStore: Bool) throws {
        folder = try Folder()
        let store = try Town.shared(folder, every: .seconds(3600))
        let other = isOneStore ? store : try Town.shared(folder, every: .seconds(3600))
        there = try store.session(merging: .manual)
        for id in 1...3 { there.context.createEntity(with: Author(id: Int64(id))) }
        try there.save()
        here = try other.session(merging: .manual, policy: policy)
      }

      /// Saves there, and merges here.
      @discardableResult
      func bringHere() throws -> MergeReport {
        try there.save()
        return try here.refresh()
      }

      /// Saves here, and merges there.
      func bringBack() throws {
        try here.save()
        try there.refresh()
      }
    }

    private func publish(_ isbn: String, by author: Int64?, in session: StoreSession) throws {
      let book = session.book(isbn) ?? session.context.createEntity(with: Book(isbn: isbn))
      if let author {
        book.relate(PublishedBy.self, to: try #require(session.author(author)))
      } else {
        book.unrelate(PublishedBy.self)
      }
    }

    private func publisher(_ isbn: String, in session: StoreSession) -> Int64? {
      session.book(isbn)?.target(PublishedBy.self)?.get(Author.self)?.id
    }

    @Test(arguments: [true, false])
    func `a link that gives way takes no target from another one`(isOneStore: Bool) throws {
      let pair = try Pair(.localWins, isOneStore: isOneStore)
      func next(_ id: Int, _ other: Int, in session: StoreSession) throws {
        try #require(session.place(id)).relate(Next.self, to: try #require(session.place(other)))
      }
      for id in 1...5 {
        pair.there.context.createEntity(with: Place(id: id, name: "\(id)", rank: id))
      }
      try next(1, 3, in: pair.there)
      try next(2, 5, in: pair.there)
      try pair.bringHere()
      // Here, 2 takes the place of 1, which goes elsewhere.
      try next(1, 4, in: pair.here)
      try next(2, 3, in: pair.here)
      pair.there.place(4)?.destroy()
      let report = try pair.bringHere()
      expectEqual(report.conflicts.map(\.entity), [pair.here.place(1)])
      try pair.bringBack()
      for session in [pair.here, pair.there] {
        expectNil(session.place(1)?.target(Next.self))
        expectEqual(session.place(2)?.target(Next.self), session.place(3))
      }
    }

    @Test(arguments: [true, false])
    func `who gets a row that was made alike there keeps the link that was made here`(
      isOneStore: Bool
    ) throws {
      for (policy, stored, expected) in [
        (MergePolicy.localWins, nil, 1), (.storeWins, nil, 1), (.error, nil, 1),
        (.localWins, 1, 1), (.error, 1, 1), (.localWins, 2, 1), (.storeWins, 2, 2),
      ] as [(MergePolicy, Int64?, Int64?)] {
        let pair = try Pair(policy, isOneStore: isOneStore)
        try publish("1", by: 1, in: pair.here)
        try publish("1", by: stored, in: pair.there)
        let conflicts = try pair.bringHere().conflicts
        expectEqual(conflicts.map(\.column), (stored == 2 ? ["publisher"] : []))
        expectEqual(publisher("1", in: pair.here), expected)
        try pair.bringBack()
        expectEqual(publisher("1", in: pair.there), expected)
      }
    }

    @Test func `a link of a row that was made on both sides can be an error`() throws {
      let pair = try Pair(.error, isOneStore: false)
      try publish("1", by: 1, in: pair.here)
      try publish("1", by: 2, in: pair.there)
      try pair.there.save()
      guard case .conflicts(let conflicts)? = storeError({ try pair.here.save() }) else {
        Issue.record("no conflict")
        return
      }
      expectEqual(conflicts.map(\.column), ["publisher"])
      expectEqual(publisher("1", in: pair.here), 1)
    }

    @Test(arguments: [true, false])
    func `a row that was made on both sides is that of the first one, with its link`(
      isOneStore: Bool
    ) throws {
      for (policy, stored) in [
        (MergePolicy.localWins, nil), (.storeWins, nil), (.error, nil), (.localWins, 1),
        (.error, 1), (.localWins, 2), (.storeWins, 2),
      ] as [(MergePolicy, Int64?)] {
        let pair = try Pair(policy, isOneStore: isOneStore)
        try publish("1", by: 1, in: pair.here)
        try publish("1", by: stored, in: pair.there)
        pair.there.book("1")?.update(Book.self) { $0.pages = 9 }
        let conflicts = try pair.bringHere().conflicts
        expectTrue(conflicts.map(\.column) == [nil] && conflicts.map(\.key) == ["1"])
        expectEqual(publisher("1", in: pair.here), 1)
        guard case .duplicateKey("book", "1")? = storeError({ try pair.here.save() }) else {
          Issue.record("not told")
          continue
        }
        pair.here.book("1")?.destroy()
        try pair.bringBack()
        expectEqual(publisher("1", in: pair.here), stored)
        expectEqual(publisher("1", in: pair.there), stored)
      }
    }

    @Test func `a link that was changed on both sides can be an error`() throws {
      let pair = try Pair(.error, isOneStore: false)
      try publish("1", by: nil, in: pair.there)
      try pair.bringHere()
      try publish("1", by: 1, in: pair.here)
      try publish("1", by: 2, in: pair.there)
      try pair.there.save()
      guard case .conflicts(let conflicts)? = storeError({ try pair.here.save() }) else {
        Issue.record("no conflict")
        return
      }
      expectEqual(conflicts.map(\.column), ["publisher"])
      expectEqual(publisher("1", in: pair.here), 1)
    }

    @Test(arguments: [true, false])
    func `links of rows whose keys change there are compared with those of the same entities`(
      isOneStore: Bool
    ) throws {
      let pair = try Pair(.localWins, isOneStore: isOneStore)
      try publish("1", by: 1, in: pair.there)
      try publish("2", by: 2, in: pair.there)
      try pair.bringHere()
      let books = try ["1", "2"].map { try #require(pair.here.book($0)) }
      try publish("1", by: 3, in: pair.here)
      try swapKeys(of: pair.there)
      try expectEqual(pair.bringHere().conflicts, [])
      expectEqual(books.map { $0.get(Book.self)?.isbn }, ["2", "1"])
      expectEqual(publisher("2", in: pair.here), 3)
      expectEqual(publisher("1", in: pair.here), 2)
      try pair.bringBack()
      expectEqual(publisher("2", in: pair.there), 3)
      expectEqual(publisher("1", in: pair.there), 2)
    }

    @Test(arguments: [true, false])
    func `links to rows whose keys change there are compared with those to the same entities`(
      isOneStore: Bool
    ) throws {
      let pair = try Pair(.localWins, isOneStore: isOneStore)
      try publish("1", by: 1, in: pair.there)
      let book = try #require(pair.there.book("1"))
      let others = try (1...3).map { try #require(pair.there.author(Int64($0))) }
      for author in others { book.relate(WrittenBy.self, to: author) }
      try pair.bringHere()
      let same = try #require(pair.here.book("1"))
      let authors = try (1...3).map { try #require(pair.here.author(Int64($0))) }
      // Here 2 follows 1, and 3 is none of the writers any more; there each has another key.
      same.relate(PublishedBy.self, to: authors[1])
      same.unrelate(WrittenBy.self, from: authors[2])
      pair.there.context.perform {
        for (author, id) in zip(others, [2, 9, 7] as [Int64]) {
          author.update(Author.self) { $0.id = id }
        }
      }
      try expectEqual(pair.bringHere().conflicts, [])
      expectEqual(authors.map { $0.get(Author.self)?.id }, [2, 9, 7])
      expectEqual(same.target(PublishedBy.self), authors[1])
      expectEqual(Array(same.targets(WrittenBy.self)), Array(authors.prefix(2)))
      try pair.bringBack()
      expectEqual(book.target(PublishedBy.self), others[1])
      expectEqual(Array(book.targets(WrittenBy.self)), Array(others.prefix(2)))
    }

    private func swapKeys(of session: StoreSession) throws {
      let books = try ["1", "2"].map { try #require(session.book($0)) }
      session.context.perform {
        for (book, isbn) in zip(books, ["2", "1"]) {
          var value = book.get(Book.self)
          value?.isbn = isbn
          if let value { book.set(value) }
        }
      }
    }

    @Test(arguments: [false, true])
    func `what the store wins back has its links, or is to be saved without them`(_ isSaved: Bool)
      throws
    {
      let store = try Town.store()
      let one = try store.session(merging: .manual, policy: .storeWins)
      let authors = (1...2).map { one.context.createEntity(with: Author(id: Int64($0))) }
      for isbn in ["1", "2"] {
        let book = one.context.createEntity(with: Book(isbn: isbn))
        for author in authors { book.relate(WrittenBy.self, to: author) }
        book.relate(PublishedBy.self, to: authors[0])
      }
      try one.save()
      let two = try store.session(merging: .manual)
      // Of the first book and its publisher, the book comes back; of the second, the other author.
      one.book("1")?.destroy()
      for author in authors { author.destroy() }
      two.book("1")?.update(Book.self) { $0.title = "two" }
      two.author(2)?.update(Author.self) { $0.first = "two" }
      try two.save()
      try expectEqual(one.refresh().made, 2)
      for isbn in ["1", "2"] {
        let book = try #require(one.book(isbn))
        expectEqual(Array(book.targets(WrittenBy.self)), [one.author(2)])
        expectNil(book.target(PublishedBy.self))
      }
      if !isSaved { one.rollback() }
      try one.save()
      for isbn in ["1", "2"] {
        let book = try #require(one.book(isbn))
        expectEqual(book.targets(WrittenBy.self).count, (isSaved ? 1 : 2))
        expectEqual(book.target(PublishedBy.self), (isSaved ? nil : one.author(1)))
        book.update(Book.self) { $0.pages = 7 }
      }
      try one.save()
      try expectEqual(
        store.rows("SELECT pages, publisher FROM book"),
        (isSaved ? ["7 NULL", "7 NULL"] : ["7 1", "7 1"]))
      try expectEqual(
        store.rows("SELECT count(*) FROM book_authors"), [isSaved ? "2" : "4"])
    }

    @Test(arguments: [false, true])
    func `a link that comes back with its target leaves the others in the order of here`(
      _ isRemovedBefore: Bool
    ) throws {
      let pair = try Pair(.storeWins, isOneStore: true)
      let there = pair.there.context.createEntity(with: Book(isbn: "1"))
      for id in 1...3 {
        there.relate(WrittenBy.self, to: try #require(pair.there.author(Int64(id))))
      }
      try pair.bringHere()
      let book = try #require(pair.here.book("1"))
      let authors = try (1...3).map { try #require(pair.here.author(Int64($0))) }
      book.targets(WrittenBy.self).replaceAll(with: [authors[1], authors[0], authors[2]])
      if isRemovedBefore { book.unrelate(WrittenBy.self, from: authors[2]) }
      authors[2].destroy()
      pair.there.author(3)?.update(Author.self) { $0.first = "there" }
      let report = try pair.bringHere()
      expectTrue(report.made == 1 && report.updated == 1)
      expectEqual(report.conflicts.map(\.column), [nil, "authors"])
      expectTrue(
        report.conflicts.last?.local == nil && report.conflicts.last?.stored == .string("3"))
      func written(_ book: Entity) -> [Int64?] {
        book.targets(WrittenBy.self).map { $0.get(Author.self)?.id }
      }
      expectEqual(written(book), [2, 1, 3])
      try pair.bringBack()
      expectTrue(written(there) == [2, 1, 3] && !pair.here.hasChanges)
    }

    @Test func `a link to what takes over a row is one to the row when that is put back`() throws {
      let pair = try Pair(.localWins, isOneStore: true)
      let there = pair.there.context.createEntity(with: Book(isbn: "1"))
      try pair.bringHere()
      pair.here.author(3)?.destroy()
      let new = pair.here.context.createEntity(with: Author(id: 3, first: "new"))
      let target = try #require(pair.there.author(3))
      there.relate(WrittenBy.self, to: target)
      there.relate(PublishedBy.self, to: target)
      try pair.bringHere()
      let book = try #require(pair.here.book("1"))
      expectEqual(Array(book.targets(WrittenBy.self).entities()), [new])
      pair.here.rollback()
      let again = try #require(pair.here.author(3))
      expectEqual(Array(book.targets(WrittenBy.self).entities()), [again])
      expectEqual(book.target(PublishedBy.self), again)
      try expectEqual(pair.here.save(), SaveReport())
    }

    @Test func `a link that was removed before its target is reported when it comes back`() throws {
      let pair = try Pair(.storeWins, isOneStore: true)
      let there = pair.there.context.createEntity(with: Book(isbn: "1"))
      there.relate(PublishedBy.self, to: try #require(pair.there.author(3)))
      try pair.bringHere()
      let book = try #require(pair.here.book("1"))
      book.unrelate(PublishedBy.self)
      pair.here.author(3)?.destroy()
      pair.there.author(3)?.update(Author.self) { $0.first = "there" }
      let report = try pair.bringHere()
      expectEqual(report.conflicts.map(\.column), [nil, "publisher"])
      expectTrue(
        report.conflicts.last?.local == nil && report.conflicts.last?.stored == .string("3"))
      expectEqual(book.target(PublishedBy.self), pair.here.author(3))
      try expectTrue(pair.here.save() == SaveReport() && !pair.here.hasChanges)
    }

    @Test(arguments: [false, true])
    func `a link to what comes back leaves what was decided about that of others`(
      _ isStored: Bool
    ) throws {
      let pair = try Pair(
        .resolve { $0.column == nil || isStored ? .stored : .local }, isOneStore: true)
      try publish("1", by: 3, in: pair.there)
      try pair.bringHere()
      pair.here.author(3)?.destroy()
      pair.there.author(3)?.update(Author.self) { $0.first = "there" }
      try publish("1", by: 2, in: pair.there)
      let report = try pair.bringHere()
      expectTrue(report.made == 1 && report.updated == (isStored ? 1 : 0))
      expectEqual(report.conflicts.map(\.column), [nil, "publisher"])
      expectEqual(report.conflicts.last?.base, .string("3"))
      expectEqual(report.conflicts.last?.stored, .string("2"))
      expectEqual(pair.here.author(3)?.get(Author.self)?.first, "there")
      expectEqual(publisher("1", in: pair.here), (isStored ? 2 : nil))
      try pair.bringBack()
      expectEqual(publisher("1", in: pair.there), (isStored ? 2 : nil))
    }

    @Test func `a link to what comes back does not, if others have removed it`() throws {
      let pair = try Pair(.storeWins, isOneStore: true)
      let there = pair.there.context.createEntity(with: Book(isbn: "1"))
      let author = try #require(pair.there.author(3))
      there.relate(WrittenBy.self, to: author)
      try pair.bringHere()
      pair.here.author(3)?.destroy()
      there.unrelate(WrittenBy.self, from: author)
      author.update(Author.self) { $0.first = "there" }
      try expectEqual(pair.bringHere().conflicts.map(\.column), [nil])
      expectEqual(pair.here.book("1")?.targets(WrittenBy.self).isEmpty, true)
      try expectTrue(pair.here.save() == SaveReport() && !pair.here.hasChanges)
    }

    @Test(arguments: [1, nil] as [Int64?], [false, true])
    func `a link that stays and then leads nowhere gives way to that of the others`(
      _ base: Int64?, _ isMergedBetween: Bool
    ) throws {
      let pair = try Pair(.localWins, isOneStore: true)
      try publish("1", by: base, in: pair.there)
      try pair.bringHere()
      try publish("1", by: 3, in: pair.here)
      try publish("1", by: 2, in: pair.there)
      var conflicts = isMergedBetween ? try pair.bringHere().conflicts : []
      pair.there.author(3)?.destroy()
      conflicts += try pair.bringHere().conflicts
      expectEqual(conflicts.map(\.column), ["publisher", "publisher"])
      expectTrue(conflicts.allSatisfy { $0.local == .string("3") && $0.stored == .string("2") })
      // What was decided first is what the second one starts from.
      expectEqual(conflicts.map(\.base), [base.map { .string("\($0)") }, .string("2")])
      expectEqual(publisher("1", in: pair.here), 2)
      try expectTrue(pair.here.save() == SaveReport() && !pair.here.hasChanges)
    }

    @Test(arguments: [1, nil] as [Int64?])
    func `a link that was made here and leads nowhere gives way to that of the file`(
      _ base: Int64?
    ) throws {
      let pair = try Pair(.localWins, isOneStore: true)
      try publish("1", by: base, in: pair.there)
      try pair.bringHere()
      try publish("1", by: 3, in: pair.here)
      pair.there.author(3)?.destroy()
      let conflicts = try pair.bringHere().conflicts
      expectEqual(conflicts.map(\.local), [.string("3")])
      expectEqual(conflicts.map(\.stored), [base.map { .string("\($0)") }])
      expectEqual(publisher("1", in: pair.here), base)
      try expectTrue(pair.here.save() == SaveReport() && !pair.here.hasChanges)
    }

    @Test func `a link of a row that goes as well gives way to none`() throws {
      let pair = try Pair(.localWins, isOneStore: true)
      try publish("1", by: 2, in: pair.there)
      try pair.bringHere()
      try publish("1", by: 3, in: pair.here)
      pair.there.author(3)?.destroy()
      pair.there.book("1")?.destroy()
      let conflicts = try pair.bringHere().conflicts
      expectEqual(conflicts.map(\.column), [nil, "publisher"])
      expectTrue(conflicts.allSatisfy { $0.stored == nil })
      expectTrue(pair.here.book("1") != nil && publisher("1", in: pair.here) == nil)
      try expectEqual(pair.here.save(), SaveReport(inserted: 1))
    }

    @Test func `a link that gives way to one whose target is destroyed here goes with that`() throws
    {
      let pair = try Pair(.localWins, isOneStore: true)
      try publish("1", by: 2, in: pair.there)
      try pair.bringHere()
      pair.here.author(2)?.destroy()
      try publish("1", by: 3, in: pair.here)
      pair.there.author(3)?.destroy()
      try expectEqual(pair.bringHere().conflicts.map(\.stored), [.string("2")])
      expectNil(publisher("1", in: pair.here))
      try pair.bringBack()
      expectTrue(publisher("1", in: pair.there) == nil && pair.there.author(2) == nil)
      expectFalse(pair.here.hasChanges)
    }
  }
#endif
