#if os(Linux) && canImport(Glibc)
  import ECS
  import ECSTestSupport
  import Testing

  /// What collectors, indexes and views take in a context of many entities: memory for what they
  /// hold, not for what there is.
  ///
  /// Each test counts the memory of a process of its own.
  @Suite(.optimizedOrSanitized, .noHangs) struct WatcherMemoryTests {
    private static let entities = 1_000_000

    /// Enough for one to be distinguished from noise.
    private static let watchers = 400

    /// What one may take that holds a few entities.
    private static let most = 8 << 10

    /// Entities far apart from each other.
    private static func some(_ entities: [Entity]) -> [Entity] {
      stride(from: 99_999, to: entities.count, by: 100_000).map { entities[$0] }
    }

    /// The memory that each of many takes, which a closure makes and which another one fills.
    private static func bytes<Watcher>(
      _ make: (Context) -> Watcher, filling fill: ([Entity]) -> Void
    ) -> Int {
      let context = Context()
      let entities = Array(context.createEntities(entities, with: Position(x: 0, y: 0)))
      // Whatever is made once is made now.
      var watchers = [make(context)]
      fill(some(entities))
      watchers.reserveCapacity(Self.watchers + 1)
      let before = residentBytes()
      for _ in 0..<Self.watchers { watchers.append(make(context)) }
      fill(some(entities))
      return withExtendedLifetime((watchers, entities)) {
        (residentBytes() - before) / Self.watchers
      }
    }

    @Test func `An empty collector takes little`() async {
      await #expect(processExitsWith: .success) {
        let bytes = Self.bytes {
          $0.collector(for: Health.matcher)
        } filling: { _ in
        }
        expectLessThan(bytes, Self.most)
      }
    }

    @Test func `A collector takes memory for what it holds`() async {
      await #expect(processExitsWith: .success) {
        let bytes = Self.bytes {
          $0.collector(for: Position.matcher, type: .updated)
        } filling: { entities in
          for entity in entities { entity.set(Position(x: 1, y: 1)) }
        }
        expectLessThan(bytes, Self.most)
      }
    }

    @Test func `A collector gives memory back when it holds few entities again`() async {
      await #expect(processExitsWith: .success) {
        let context = Context()
        let group = context.group(Position.matcher)
        let entities = Array(context.createEntities(Self.entities, with: Position(x: 0, y: 0)))
        let before = residentBytes()
        let collector = context.collector(for: Position.matcher, type: .updated)
        group.withEach { (_, position: inout Position) in position.x += 1 }
        expectEqual(collector.drain().count, Self.entities)
        for _ in 0..<3 {
          for entity in Self.some(entities) { entity.set(Position(x: 2, y: 2)) }
          expectEqual(collector.drain().count, 10)
        }
        context.compact()
        expectLessThan(residentBytes() - before, 8 << 20)
      }
    }

    @Test func `An index takes memory for what it holds`() async {
      await #expect(processExitsWith: .success) {
        let bytes = Self.bytes {
          $0.index { (health: Health) in health.points }
        } filling: { entities in
          for (number, entity) in entities.enumerated() {
            entity.set(Health(points: Int32(number)))
          }
        }
        expectLessThan(bytes, Self.most)
      }
    }

    @Test func `An index of several keys takes memory for what it holds`() async {
      await #expect(processExitsWith: .success) {
        let bytes = Self.bytes {
          $0.index(keys: { (health: Health) in [health.points, 0] })
        } filling: { entities in
          for (number, entity) in entities.enumerated() {
            entity.set(Health(points: Int32(number)))
          }
        }
        expectLessThan(bytes, Self.most)
      }
    }

    @Test func `A live view takes memory for what it shows`() async {
      await #expect(processExitsWith: .success) {
        let bytes = Self.bytes { context in
          let view = context.group(Health.matcher).sorted(by: \Health.points)
          view.start()
          return view
        } filling: { entities in
          for (number, entity) in entities.enumerated() {
            entity.set(Health(points: Int32(number)))
          }
        }
        expectLessThan(bytes, Self.most)
      }
    }
  }
#endif
