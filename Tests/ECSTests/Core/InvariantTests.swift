#if InternalChecks
  import ECS
  import ECSTestSupport
  import Testing

  /// A context with something of everything that has invariants.
  private struct World {
    let context = Context()
    let entities: [Entity]
    private let kept: [AnyObject]
    private let subscription: Subscription
    let keepsEnded: Bool

    init() {
      let context = context
      entities = (1...4).map { context.createEntity(with: Health(points: $0)) }
      let group = context.group(Health.matcher)
      let view = group.sorted(by: \Health.points).start()
      let holder = EntityRetainer(in: context)
      subscription = view.observe { _ in }
      for entity in entities.dropFirst() {
        entity.relate(ChildOf.self, to: entities[0])
        entity.relate(WrittenBy.self, to: entities[0])
        entities[0].relate(TaggedWith.self, to: entity)
      }
      kept = [
        context.collector(for: Health.matcher, type: .updated), view,
        entities[0].sources(WrittenBy.self).view().start(),
        context.index { (health: Health) in health.points },
        context.index(keys: { (health: Health) in 0..<health.points }),
        context.primaryIndex { (health: Health) in health.points }, holder,
      ]
      let ended = context.createEntity()
      keepsEnded = holder.section { holder.keep(ended) }
      ended.destroy()
      for entity in entities { entity.set(Health(points: entity.get(Health.self)?.points ?? 0)) }
    }

    /// Makes so many changes that everything is walked.
    func change() {
      withExtendedLifetime((kept, subscription)) {
        for _ in 0..<2000 { context.createEntity().destroy() }
      }
    }
  }

  extension PlantedCorruption {
    /// What the walk says of it.
    fileprivate var message: String {
      switch self {
      case .rowOfEntity: "is said to be elsewhere, or dead"
      case .countOfEntities: "slots are alive"
      case .ordinalOfEntity: "Two entities have the same ordinal in the order of creation"
      case .tablesOfGroup: "A set of tables differs from what its matcher accepts"
      case .freedSlot: "is kept, and can be used by others"
      case .forgottenSlot: "waits for holders that do not know of it"
      case .handleInLog: "A log has an entity twice"
      case .positionInIndex: "does not know where"
      case .countOfKeys: "An index has"
      case .entityInIndex: "which does not have the component"
      case .linkToKey: "does not know where"
      case .orderOfView: "of a view are out of order"
      case .countOfView: "of a view counts"
      case .entityOfView: "A view does not know where"
      case .linkOfRelation: "of slot"
      case .cycleOfRelation: "is above itself in ChildOf"
      case .secondTarget: "has 2 targets"
      case .linkOfView: "has other links than the relation"
      }
    }
  }

  @Suite(.noHangs) struct InvariantTests {
    @Test func `What does not contradict itself is walked to the end`() async {
      await #expect(processExitsWith: .success) {
        let world = World()
        expectTrue(world.keepsEnded)
        world.change()
      }
    }

    @Test func `A view that has yet to make a change contradicts nothing`() async {
      await #expect(processExitsWith: .success) {
        let context = Context()
        let (book, author) = (context.createEntity(with: Health(points: 1)), context.createEntity())
        book.relate(WrittenBy.self, to: author)
        let view = author.sources(WrittenBy.self).view(in: context.group(Health.matcher)).start()
        // So many calls that the next one is walked through before the view makes its change.
        for _ in 0..<100 { context.perform {} }
        book.remove(Health.self)
        guard view.count == 0 else { fatalError("The view shows what has left it.") }
      }
    }

    @Test(arguments: PlantedCorruption.allCases)
    func `A contradiction stops at the next change`(_ contradiction: PlantedCorruption) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [contradiction = contradiction as PlantedCorruption] in
        let world = World()
        world.context.plant(contradiction)
        world.change()
      }
      expectTrue(stopped(result, saying: contradiction.message))
    }
  }
#endif
