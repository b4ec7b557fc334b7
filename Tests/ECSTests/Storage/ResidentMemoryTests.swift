#if os(Linux) && canImport(Glibc)
  import ECS
  import ECSTestSupport
  import Testing

  /// Each test counts the memory of a process of its own.
  @Suite(.noHangs) struct ResidentMemoryTests {
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

    @Test func `What a context used is given back when it goes, apart from a reserve`() async {
      await #expect(processExitsWith: .success) {
        let other = Context()
        let before = residentBytes()
        for _ in 0..<3 {
          let context = Context()
          let collector = context.collector(for: Position.matcher, type: .added)
          Self.populate(context)
          #expect(collector.drain().count == Self.entities)
          #expect(residentBytes() - before > Self.reserve + 2 * Self.slack)
          withExtendedLifetime(context) {}
        }
        #expect(residentBytes() - before < Self.reserve + Self.slack)
        other.compact()
        #expect(residentBytes() - before < Self.slack)
      }
    }

    @Test func `Compacting gives back what no entity uses`() async {
      await #expect(processExitsWith: .success) {
        let context = Context()
        Self.populate(context)
        let full = residentBytes()
        context.destroyAllEntities()
        #expect(residentBytes() > full - Self.slack)
        context.compact()
        #expect(residentBytes() < full - 2 * Self.slack)
        Self.populate(context)
        #expect(residentBytes() < full + Self.slack)
      }
    }
  }
#endif
