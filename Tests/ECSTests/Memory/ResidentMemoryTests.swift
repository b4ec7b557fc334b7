#if os(Linux) && canImport(Glibc)
  import ECS
  import ECSTestSupport
  import Testing

  /// Each test counts the memory of a process of its own.
  @Suite(.optimizedOrSanitized, .noHangs) struct ResidentMemoryTests {
    private static let entities = 1_000_000

    /// More than what the C library keeps for itself.
    private static let slack = 8 << 20

    /// What is kept for contexts to come, at the most.
    private static let reserve = 32 << 20

    /// Creates entities in steps, whose results do not count.
    private static func populate(_ context: Context) {
      for _ in 0..<entities / 2000 {
        context.createEntities(1000, with: Position(x: 0, y: 0), Health(points: 1))
        context.createEntities(1000, with: Position(x: 0, y: 0), Velocity(dx: 0, dy: 0))
      }
    }

    @Test func `Memory of a context is given back when it goes, except for a reserve`() async {
      await #expect(processExitsWith: .success) {
        let other = Context()
        let before = residentBytes()
        for _ in 0..<3 {
          let context = Context()
          let collector = context.collector(for: Position.matcher, type: .added)
          Self.populate(context)
          expectEqual(collector.drain().count, Self.entities)
          expectGreaterThan(residentBytes() - before, Self.reserve + Self.slack)
          withExtendedLifetime(context) {}
        }
        expectLessThan(residentBytes() - before, Self.reserve + Self.slack)
        other.compact()
        expectLessThan(residentBytes() - before, Self.slack)
      }
    }

    @Test func `Contexts give back what they used while others between them remain`() async {
      await #expect(processExitsWith: .success) {
        let other = Context()
        let before = residentBytes()
        var contexts: [Context?] = (0..<1000).map { _ in
          let context = Context()
          context.createEntities(5000, with: Position(x: 0, y: 0), Health(points: 1))
          return context
        }
        let full = residentBytes() - before
        expectGreaterThan(full, 4 * Self.reserve)
        for number in contexts.indices where number % 10 != 0 { contexts[number] = nil }
        expectLessThan(residentBytes() - before, full / 4 + Self.reserve + Self.slack)
        other.compact()
        expectLessThan(residentBytes() - before, full / 5 + Self.slack)
        withExtendedLifetime(contexts) {}
      }
    }

    @Test func `Many small contexts leave little behind`() async {
      await #expect(processExitsWith: .success) {
        let count = 20_000
        let before = residentBytes()
        var contexts = (0..<count).map { _ in
          let context = Context()
          context.createEntity(with: Position(x: 0, y: 0), Health(points: 1))
          return context
        }
        expectGreaterThan(residentBytes() - before, count * 4 << 10)
        withExtendedLifetime(contexts) {}
        contexts = []
        expectLessThan(residentBytes() - before, count * 3 << 9)
      }
    }

    @Test func `Compacting gives back what no entity uses`() async {
      await #expect(processExitsWith: .success) {
        let context = Context()
        Self.populate(context)
        let full = residentBytes()
        context.destroyAllEntities()
        expectGreaterThan(residentBytes(), full - Self.slack)
        context.compact()
        expectLessThan(residentBytes(), full - 2 * Self.slack)
        Self.populate(context)
        expectLessThan(residentBytes(), full + Self.slack)
      }
    }

    @Test func `Passes that find nothing give back what a pass of many entities took`() async {
      await #expect(processExitsWith: .success) {
        let (context, other) = (Context(), Context())
        let collector = context.collector(for: Health.matcher, type: .added)
        let system = ClosureSystem("all", collector: collector) { _ in }
        let loop = Loop(name: "loop", systems: [system])
        loop.initialise()
        context.createEntities(1_000_000, with: Health(points: 1))
        loop.execute()
        // The reserve, which is what another context gives back, does not count.
        other.compact()
        let full = residentBytes()
        for _ in 0..<3 { loop.execute() }
        other.compact()
        expectLessThan(residentBytes(), full - 6 << 20)
      }
    }

    @Test func `A context that only grows takes less than one that uses slots again`() async {
      await #expect(processExitsWith: .success) {
        let context = Context()
        Self.populate(context)
        let full = residentBytes()
        context.createEntity().destroy()
        expectLessThan(residentBytes(), full + 1 << 20)
        context.createEntity(with: Tag())
        expectGreaterThanOrEqual(residentBytes(), full + Self.entities * 4)
      }
    }

    @Test func `Compacting in a section gives memory back when that ends`() async {
      await #expect(processExitsWith: .success) {
        let context = Context()
        Self.populate(context)
        let full = residentBytes()
        context.perform {
          context.destroyAllEntities()
          context.compact()
          // No thread waits for the system while the context is locked.
          expectGreaterThan(residentBytes(), full - Self.slack)
        }
        expectLessThan(residentBytes(), full - 2 * Self.slack)
      }
    }
  }
#endif
