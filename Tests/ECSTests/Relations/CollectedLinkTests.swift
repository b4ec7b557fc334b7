import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct CollectedLinkTests {
  let context = Context()
  let collector: Collector
  let books: [Entity]
  let authors: [Entity]

  init() {
    books = context.createEntities(3, with: Health(points: 1))
    authors = context.createEntities(3, with: Tag())
    collector = context.collector(for: Health.matcher, type: .addedUpdatedOrRemoved)
    collector.collectLinks(of: TaggedWith.self)
    collector.collectLinks(of: WrittenBy.self)
  }

  func drained() -> [Entity] { Array(collector.drain()) }

  @Test func `Sources are collected whose links come or go, in order, each once`() {
    books[1].relate(TaggedWith.self, to: authors[0])
    authors[0].sources(TaggedWith.self).insert(books[0])
    books[2].set(Health(points: 2))
    books[1].relate(TaggedWith.self, to: authors[1])
    expectEqual(drained(), [books[1], books[0], books[2]])
    books[1].unrelate(TaggedWith.self, from: authors[0])
    books[2].unrelate(TaggedWith.self)
    expectEqual(drained(), [books[1]])
    books[1].relate(TaggedWith.self, to: authors[1])
    expectTrue(collector.isEmpty, "They were linked already.")
  }

  @Test func `A target that replaces another one counts`() {
    books[0].relate(WrittenBy.self, to: authors[0])
    _ = collector.drain()
    books[0].relate(WrittenBy.self, to: authors[1])
    expectEqual(drained(), [books[0]])
  }

  @Test func `Sources are collected whose target is destroyed`() {
    books[2].relate(TaggedWith.self, to: authors[0])
    books[0].relate(TaggedWith.self, to: authors[0])
    _ = collector.drain()
    authors[0].destroy()
    expectEqual(drained(), [books[2], books[0]])
  }

  @Test func `Sources that are destroyed are collected as any entity`() {
    let living = context.collector(for: Health.matcher, type: .updated)
    living.collectLinks(of: TaggedWith.self)
    books[0].relate(TaggedWith.self, to: authors[0])
    _ = (collector.drain(), living.drain())
    books[0].destroy()
    expectEqual(drained(), [books[0]])
    expectTrue(living.isEmpty)
  }

  @Test func `Sources that are destroyed with their target are collected once`() {
    collector.collectLinks(of: PartOf.self)
    books[0].relate(PartOf.self, to: authors[0])
    books[1].relate(PartOf.self, to: books[0])
    _ = collector.drain()
    authors[0].destroy()
    expectFalse(books[1].isAlive)
    expectEqual(Set(drained()), [books[0], books[1]])
  }

  @Test func `Nothing else is collected: targets, other relations, and what is not in the group`() {
    authors[0].relate(TaggedWith.self, to: books[0])
    books[0].relate(MarriedTo.self, to: books[1])
    expectTrue(collector.isEmpty)
  }

  @Test func `Each collector asks for itself, and as long as it lives`() {
    var other: Collector? = context.collector(for: Tag.matcher, type: .updated)
    other?.collectLinks(of: TaggedWith.self)
    other?.collectLinks(of: TaggedWith.self)
    authors[0].relate(TaggedWith.self, to: books[0])
    books[0].relate(TaggedWith.self, to: authors[0])
    expectEqual(other.map { Array($0.drain()) }, [authors[0]])
    other = nil
    authors[1].relate(TaggedWith.self, to: books[0])
    books[1].relate(TaggedWith.self, to: authors[0])
    expectEqual(drained(), [books[0], books[1]])
  }

  @Test func `Pauses and ignored sections are as for other changes`() {
    collector.pause()
    books[0].relate(TaggedWith.self, to: authors[0])
    collector.resume()
    collector.ignoring { books[1].relate(TaggedWith.self, to: authors[0]) }
    expectTrue(collector.isEmpty)
    context.group(Tag.matcher).withEach { (entity, _: Tag) in
      guard entity == authors[0] else { return }
      collector.ignoring { books[0].relate(TaggedWith.self, to: authors[1]) }
      books[2].relate(TaggedWith.self, to: authors[1])
    }
    expectTrue(books[0].isRelated(TaggedWith.self, to: authors[1]))
    expectEqual(drained(), [books[2]])
  }

  @Test func `Links that are taken back were never collected`() {
    struct Failure: Error {}
    books[0].relate(TaggedWith.self, to: authors[0])
    _ = collector.drain()
    #expect(throws: Failure.self) {
      try context.transaction {
        books[1].relate(TaggedWith.self, to: authors[0])
        books[0].unrelate(TaggedWith.self)
        throw Failure()
      }
    }
    expectTrue(collector.isEmpty)
    expectTrue(books[0].isRelated(TaggedWith.self, to: authors[0]))
    context.transaction { books[1].relate(TaggedWith.self, to: authors[0]) }
    expectEqual(drained(), [books[1]])
  }

  @Test func `A relation whose first use is taken back is still collected`() {
    struct Failure: Error {}
    let context = Context()
    let (book, author) = (context.createEntity(with: Health(points: 1)), context.createEntity())
    let collector = context.collector(for: Health.matcher)
    #expect(throws: Failure.self) {
      try context.transaction {
        collector.collectLinks(of: TaggedWith.self)
        book.relate(TaggedWith.self, to: author)
        throw Failure()
      }
    }
    expectTrue(collector.isEmpty)
    book.relate(TaggedWith.self, to: author)
    expectEqual(Array(collector.drain()), [book])
  }

  @Test func `Loops wake up`() {
    let ring = Tally()
    let log = context.collector(for: Health.matcher, type: .updated)
    log.collectLinks(of: TaggedWith.self)
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "links"), systems: [Counting(log) { ring.add($0) }])
    books[0].relate(TaggedWith.self, to: authors[0])
    loop.runUntilSettled()
    expectEqual(ring.value, 1)
  }

  @Test func `After the end of the context nothing is to be collected`() {
    let collector = Context().collector(for: Health.matcher)
    collector.collectLinks(of: TaggedWith.self)
    expectTrue(collector.isEmpty)
  }
}

private final class Counting: ReactiveSystem {
  let collector: Collector
  private let count: @Sendable (Int) -> Void

  init(_ collector: Collector, _ count: @escaping @Sendable (Int) -> Void) {
    self.collector = collector
    self.count = count
  }

  func execute(entities: EntitySet) { count(entities.count) }
}
