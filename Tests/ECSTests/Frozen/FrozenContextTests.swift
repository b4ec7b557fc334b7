import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct FrozenContextTests {
  private struct Price: Component { var cents: Int }
  private struct Name: Component { var text: String }
  private struct Sold: Component {}

  private let context = Context()
  private let entities: [Entity]

  init() {
    entities = [30, 10, 20].map { [context] in
      context.createEntity(with: Price(cents: $0), Name(text: "n\($0)"))
    }
    context.createEntity(with: Sold())
  }

  @Test func `A picture has what there was, and not what comes`() {
    let frozen = context.frozen(of: Price.self, Name.self)
    entities[0].set(Price(cents: 5))
    entities[1].destroy()
    entities[2].remove(Name.self).set(Sold())
    context.createEntity(with: Price(cents: 1))
    expectEqual(frozen.count, 3)
    expectEqual(Array(frozen.entities()), entities)
    expectEqual(frozen.get(Price.self, of: entities[0])?.cents, 30)
    expectEqual(frozen.get(Name.self, of: entities[1])?.text, "n10")
    expectEqual(frozen.get(Name.self, of: entities[2])?.text, "n20")
    expectEqual(Array(frozen.sorted(by: \Price.cents)), [entities[1], entities[2], entities[0]])
    expectEqual(frozen.count(matching: Matcher(all: [Sold.cid])), 0)
    expectEqual(frozen.entities(matching: Matcher(all: [Price.cid], none: [Sold.cid])).count, 3)
  }

  @Test func `It has entities with one of its components, and their values`() {
    let nameless = context.createEntity(with: Price(cents: 7), Sold())
    let frozen = context.frozen(of: Price.self, Name.self)
    var texts: [String?] = []
    frozen.withEach(matching: Sold.matcher) { (_, price: Price, name: Name?) in
      texts.append(name?.text)
      expectEqual(price.cents, 7)
    }
    expectEqual(texts, [nil])
    expectNil(frozen.get(Name.self, of: nameless))
    expectTrue(frozen.contains(nameless))
    expectFalse(frozen.contains(context.group(Matcher(all: [Sold.cid], none: [Price.cid])).first!))
    expectFalse(frozen.contains(Context().createEntity(with: Price(cents: 1))))
  }

  @Test func `The context can be changed while it is read`() {
    let frozen = context.frozen(of: Price.self)
    var sum = 0
    frozen.withEach { (entity, price: Price) in
      entity.set(Price(cents: 0))
      entity.destroy()
      sum += price.cents
    }
    expectEqual(sum, 60)
    expectTrue(context.group(Price.matcher).isEmpty)
  }

  @Test func `It is asked for inside of an iteration, whose changes wait`() {
    let frozen = context.frozen(of: Price.self, Name.self)
    var seen: [Int?] = []
    context.group(Price.matcher).withEach { (entity, price: inout Price) in
      price.cents += 1
      entity.set(Name(text: "later"))
      entity.destroy()
      seen.append(frozen.get(Price.self, of: entity)?.cents)
      expectEqual(
        frozen.get(Name.self, of: entity)?.text, seen.last.flatMap { $0 }.map { "n\($0)" })
      expectTrue(frozen.contains(entity))
    }
    expectEqual(seen, [30, 10, 20])
  }

  @Test func `It is asked for while closures change the values`() {
    let other = context.createEntity(with: Name(text: "s"), Sold())
    let frozen = context.frozen(of: Name.self)
    entities[0].update(Name.self) { name in
      name.text = "changed"
      expectEqual(frozen.get(Name.self, of: entities[0])?.text, "n30")
    }
    let last = context.frozen(of: Name.self)
    context.group(Matcher(all: [Name.cid], none: [Sold.cid])).withChunks {
      (_, names: inout MutableSpan<Name>) in
      names[0].text = "chunk"
      expectEqual(last.get(Name.self, of: other)?.text, "s")
      expectEqual(last.get(Name.self, of: entities[0])?.text, "changed")
    }
    expectEqual(entities[0].get(Name.self)?.text, "chunk")
  }

  @Test func `What is copied is read without regard to contexts`() async {
    let frozen = {
      let ended = Context()
      ended.createEntity(with: Price(cents: 7))
      return ended.frozen(of: Price.self)
    }()
    // One of these has what the context that ended had.
    let others = (0..<8).map { _ in Context() }
    func inAll(_ count: Int, _ body: () -> Void) {
      if count == 0 { return body() }
      others[count - 1].perform { inAll(count - 1, body) }
    }
    inAll(others.count) {
      let sums = Tally()
      Threads.run(1) { _ in
        frozen.withEach { (entity, price: Price) in
          sums.add(price.cents)
          sums.add(frozen.get(Price.self, of: entity)?.cents ?? 0)
        }
      }
      expectEqual(sums.value, 14)
    }
  }

  @Test func `An observer of a journal makes a picture of what a commit has led to`() {
    let pictures = Recorder<FrozenContext>()
    let subscription = context.journal().observe { [context] _ in
      pictures.append(context.frozen(of: Price.self))
    }
    entities[1].set(Price(cents: 1))
    entities[1].set(Price(cents: 2))
    expectEqual(pictures.items.map { $0.get(Price.self, of: entities[1])?.cents }, [1, 2])
    expectEqual(pictures.items.map(\.lastCommit), [context.lastCommit - 1, context.lastCommit])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A section that only reads reads pictures, too`() {
    let frozen = context.frozen(of: Price.self, Name.self)
    let sum = context.reading {
      var sum = 0
      frozen.withEach { (entity, price: Price) in
        sum += price.cents
        sum += frozen.get(Price.self, of: entity)?.cents ?? 0
      }
      return sum
    }
    expectEqual(sum, 120)
    context.group(Price.matcher).set(Price(cents: 1))
    expectEqual(frozen.sorted(by: \Price.cents).first, entities[1])
  }

  @Test func `What is copied is read while another thread has the context`() {
    let more = context.createEntities(from: 0..<2000) { Price(cents: $0) }
    let frozen = context.frozen(of: Price.self)
    more[0].set(Price(cents: -1))
    // From here on it is known where it is.
    expectEqual(frozen.get(Price.self, of: more[0])?.cents, 0)
    let sum = Tally()
    context.perform {
      Threads.run(2) { _ in sum.add(frozen.get(Price.self, of: more[0])?.cents ?? 9) }
    }
    expectEqual(sum.value, 0)
    context.group(Price.matcher).withChunksInParallel { (_, prices: Span<Price>) in
      if frozen.contains(more[0]), prices.count > 0 { sum.add() }
    }
    expectGreaterThan(sum.value, 0)
    expectTrue(context.hasPicturesToCopy)
  }

  @Test func `Changes ask for pictures as long as these have pages to copy`() {
    var frozen: FrozenContext? = context.frozen(of: Price.self)
    expectTrue(context.hasPicturesToCopy)
    frozen = nil
    expectFalse(context.hasPicturesToCopy)
    frozen = context.frozen(of: Price.self)
    frozen?.withEach { (_, _: Price) in }
    expectFalse(context.hasPicturesToCopy)
    frozen = context.frozen(of: Price.self)
    context.group(Price.matcher).withEach { (_, price: inout Price) in price.cents += 1 }
    expectFalse(context.hasPicturesToCopy)
    frozen = context.frozen(of: Price.self)
    context.reading { frozen?.withEach { (_, _: Price) in } }
    expectFalse(context.hasPicturesToCopy)
    frozen = context.frozen(of: Price.self)
    context.reading { frozen = nil }
    expectFalse(context.hasPicturesToCopy)
    frozen = context.frozen(of: Price.self)
    context.group(Price.matcher).withEach { (_, _: Price) in frozen = nil }
    expectFalse(context.hasPicturesToCopy)
    frozen = context.frozen(of: Price.self)
    context.perform { context.reading { frozen = nil } }
    expectFalse(context.hasPicturesToCopy)
  }

  @Test func `A context and its picture end in a section that only reads`() {
    let counter = LifeCounter()
    struct Owner: Component { let instance: TrackedInstance }
    do {
      var ended: Context? = Context()
      ended?.createEntity(with: Owner(instance: TrackedInstance(counter)))
      var frozen = ended?.frozen(of: Owner.self)
      ended?.reading {
        ended = nil
        frozen = nil
      }
      expectNil(frozen)
    }
    expectEqual(counter.living, 0)
  }

  @Test func `Pictures of several moments are there side by side`() {
    let pictures = (0..<5).map { number in
      entities[0].set(Price(cents: number))
      return context.frozen(of: Price.self)
    }
    entities[0].destroy()
    expectEqual(pictures.map { $0.get(Price.self, of: entities[0])?.cents }, [0, 1, 2, 3, 4])
  }

  @Test func `It knows the last commit that it has`() {
    let journal = context.journal()
    let subscription = journal.observe { _ in }
    entities[0].set(Price(cents: 1))
    let frozen = context.frozen(of: Price.self)
    entities[0].set(Price(cents: 2))
    expectEqual(frozen.lastCommit, context.lastCommit - 1)
    expectEqual(frozen.get(Price.self, of: entities[0])?.cents, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A picture of nothing is empty`() {
    struct Unused: Component {}
    let frozen = context.frozen(of: Unused.self)
    expectEqual(frozen.count, 0)
    expectTrue(frozen.entities().isEmpty)
    expectNil(frozen.get(Unused.self, of: entities[0]))
  }

  @Test func `Making one where values may be taken back or are being changed stops`() async {
    let inTransaction = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.transaction { _ = context.frozen(of: Tag.self) }
    }
    expectTrue(stopped(inTransaction, saying: "A picture", "transaction"))
    let inIteration = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Tag())
      context.group(Tag.matcher).withEach { (_, _: Tag) in _ = context.frozen(of: Tag.self) }
    }
    expectTrue(stopped(inIteration, saying: "A picture", "iteration"))
    let inUpdate = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Name(text: "a"))
      entity.update(Name.self) { _ in _ = context.frozen(of: Name.self) }
    }
    expectTrue(stopped(inUpdate, saying: "A picture", "update"))
    let inReading = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.reading { _ = context.frozen(of: Tag.self) }
    }
    expectTrue(stopped(inReading, saying: "reading(_:)", "perform(_:)"))
  }

  @Test func `Asking for other components than it was made of stops, with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Tag())
      _ = context.frozen(of: Tag.self).get(Price.self, of: entity)
    }
    expectTrue(stopped(result, saying: "name them in frozen(of:)"))
  }
}
