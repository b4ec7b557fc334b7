import ECS
import ECSHistory
import ECSTestSupport
import Testing

/// Pictures of contexts beside copies of what they were made of, while random programs go on.
@Suite(.longRunning, .noHangs) struct FrozenModelTests {
  @Test(arguments: BulkWorld.Audience.allCases)
  func `Pictures keep what there was, whatever becomes of the context`(
    audience: BulkWorld.Audience
  ) {
    for seed in Effort.seeds(Effort.modelSeeds / 10) {
      let counter = LifeCounter()
      do {
        if let failure = run(seed, audience, counter) {
          Issue.record("Seed \(seed): \(failure)")
          return
        }
      }
      expectEqual(counter.living, 0, "Seed \(seed) leaves values behind.")
    }
  }

  private func run(
    _ seed: UInt64, _ audience: BulkWorld.Audience, _ counter: LifeCounter
  ) -> String? {
    var random = SplitMix64(seed: seed)
    var pictures: [Picture] = []
    do {
      let world = BulkWorld(isBulk: random.oneIn(2), audience, counter)
      for step in 0..<Effort.steps(100) {
        if random.oneIn(6) { pictures.append(Picture(world.context, &random)) }
        world.step(&random)
        if random.oneIn(4), let picture = pictures.randomElement(using: &random),
          let difference = picture.difference(&random)
        {
          return "step \(step): \(difference)"
        }
        if random.oneIn(12), !pictures.isEmpty {
          pictures.remove(at: random.below(pictures.count))
        }
      }
    }
    // The context has ended.
    for picture in pictures {
      if let difference = picture.difference(of: 0..<5) { return "at the end: \(difference)" }
    }
    return nil
  }

  @Test func `Many pages keep what there was, read in any order`() {
    for seed in Effort.seeds(Effort.modelSeeds / 10) {
      var random = SplitMix64(seed: seed)
      var pictures: [Picture] = []
      let counter = LifeCounter()
      let world = PageWorld(counter)
      for step in 0..<Effort.full(60, debug: 15) {
        if step == 0 || random.oneIn(5) { pictures.append(Picture(world.context, &random)) }
        if pictures.count > 4 { pictures.remove(at: random.below(pictures.count)) }
        world.step(&random)
        if random.oneIn(3), let picture = pictures.randomElement(using: &random),
          let difference = picture.difference(&random)
        {
          Issue.record("Seed \(seed), step \(step): \(difference)")
          return
        }
      }
      for picture in pictures {
        expectNil(picture.difference(of: 0..<5), "Seed \(seed).")
      }
    }
  }
}

/// A picture, and copies of what it is to have.
private struct Picture {
  private let frozen: FrozenContext
  private var entities: [Entity] = []
  private var others: [Entity] = []
  private var wide: [Entity: Int] = [:]
  private var words: [Entity: [String]] = [:]
  private var owners: [Entity: Int] = [:]
  private var small: Set<Entity> = []
  private var marked: Set<Entity> = []

  init(_ context: Context, _ random: inout SplitMix64) {
    (frozen, entities, others) = context.perform {
      let frozen = context.frozen(
        of: BulkWorld.Wide.self, BulkWorld.Words.self, BulkWorld.Owner.self, BulkWorld.Mark.self)
      let kept = context.group(
        Matcher(
          any: [BulkWorld.Wide.cid, BulkWorld.Words.cid, BulkWorld.Owner.cid, BulkWorld.Mark.cid]))
      let entities = Array(kept)
      let others = context.entities().filter { !kept.contains($0) }
      return (frozen, entities, others)
    }
    for entity in entities {
      wide[entity] = entity.get(BulkWorld.Wide.self)?.value
      words[entity] = entity.get(BulkWorld.Words.self)?.words
      owners[entity] = entity.get(BulkWorld.Owner.self)?.number
      if entity.has(BulkWorld.Small.self) { small.insert(entity) }
      if entity.has(BulkWorld.Mark.self) { marked.insert(entity) }
    }
  }

  func difference(_ random: inout SplitMix64) -> String? {
    let first = random.below(5)
    return difference(of: first..<first + 1) ?? single(entities.randomElement(using: &random))
      ?? single(others.randomElement(using: &random))
  }

  /// What some of the ways of reading show that should not be, in words.
  func difference(of ways: Range<Int>) -> String? {
    for way in ways {
      if let difference = difference(inWay: way) { return difference }
    }
    return nil
  }

  private func difference(inWay way: Int) -> String? {
    switch way {
    case 0:
      if frozen.count != entities.count || Array(frozen.entities()) != entities {
        return "entities \(frozen.entities().map(\.self)), not \(entities)"
      }
    case 1:
      var found: [Entity: Int] = [:]
      frozen.withEach(matching: Matcher(any: [BulkWorld.Mark.cid, BulkWorld.Small.cid])) {
        (entity, wide: BulkWorld.Wide) in found[entity] = wide.value
      }
      let expected = wide.filter { marked.contains($0.key) || small.contains($0.key) }
      if found != expected { return "values \(found), not \(expected)" }
    case 2:
      var (number, texts, count): ([Entity: Int], [Entity: [String]], Int) = ([:], [:], 0)
      frozen.withEach { (entity, owner: BulkWorld.Owner?, words: BulkWorld.Words?) in
        count += 1
        number[entity] = owner?.number
        texts[entity] = words?.words
      }
      if count != entities.count || number != owners || texts != words {
        return "optional values of \(count) entities: \(number) \(texts)"
      }
    case 3:
      let sorted = frozen.sorted(by: \BulkWorld.Wide.value)
      let expected = entities.filter { wide[$0] != nil }.sorted {
        (wide[$0] ?? 0) < (wide[$1] ?? 0)
      }
      if Array(sorted) != expected { return "order \(sorted), not \(expected)" }
    default:
      for entity in entities + others {
        if let difference = single(entity) { return difference }
      }
    }
    return nil
  }

  /// What a look at one entity shows that should not be, in words.
  private func single(_ entity: Entity?) -> String? {
    guard let entity else { return nil }
    let isThere = entities.contains(entity)
    if frozen.contains(entity) != isThere { return "\(entity) is there, or not" }
    if frozen.get(BulkWorld.Wide.self, of: entity)?.value != wide[entity]
      || frozen.get(BulkWorld.Words.self, of: entity)?.words != words[entity]
      || frozen.get(BulkWorld.Owner.self, of: entity)?.number != owners[entity]
      || (frozen.get(BulkWorld.Mark.self, of: entity) != nil) != marked.contains(entity)
    {
      return "\(entity) has other values"
    }
    return nil
  }
}

/// A context of some thousand entities in few tables.
private struct PageWorld {
  let context = Context()
  private let counter: LifeCounter
  private let group: Group
  private let history: UndoHistory

  struct Failure: Error {}

  init(_ counter: LifeCounter) {
    self.counter = counter
    group = context.group(BulkWorld.Wide.matcher)
    history = UndoHistory(context, of: BulkWorld.Wide.self, BulkWorld.Words.self)
    context.createEntities(from: 0..<3000) { BulkWorld.Wide(value: $0) }
  }

  func step(_ random: inout SplitMix64) {
    if context.count < 2000 {
      context.createEntities(from: 0..<1500) {
        (BulkWorld.Wide(value: $0), BulkWorld.Words(words: ["\($0)"]))
      }
    }
    let value = random.below(100)
    switch random.below(16) {
    case 14:
      group.withChunksInParallel { (_, wide: inout MutableSpan<BulkWorld.Wide>) in
        for index in wide.indices { wide[index].value ^= 1 }
      }
    case 15:
      // Undone, so that entities live again by their handles.
      history.group("step") { changeSome(random.below(20), &random) }
      if random.oneIn(2) { _ = try? history.undo() }
      if random.oneIn(4) { _ = try? history.redo() }
    case 0..<4: changeSome(random.below(60), &random)
    case 4: changeSome(random.below(2000), &random)
    case 5: group.withEach { (_, wide: inout BulkWorld.Wide) in wide.value += 1 }
    case 6: group.withEach { (_, words: inout BulkWorld.Words) in words.words.append("\(value)") }
    case 7:
      group.withChunks { (_, wide: inout MutableSpan<BulkWorld.Wide>) in
        for index in wide.indices where index % 3 == 0 { wide[index].value = value }
      }
    case 8:
      _ = try? context.transaction { () throws(Failure) in
        changeSome(random.below(300), &random)
        group.withEach { (_, wide: inout BulkWorld.Wide) in wide.value -= 1 }
        if random.oneIn(2) { throw Failure() }
      }
    case 9: group.set(BulkWorld.Mark())
    case 10: group.remove(BulkWorld.Mark.cid)
    case 11: context.compact()
    case 12:
      // Changes that wait for the end of a pass.
      group.withEach { (entity, wide: inout BulkWorld.Wide) in
        wide.value &+= 2
        if wide.value % 97 == 0 { entity.destroy() }
        if wide.value % 89 == 0 { entity.set(BulkWorld.Words(words: [])) }
      }
    default:
      context.withStorage(BulkWorld.Wide.self) { storage in
        for entity in group.prefix(700) where value % 2 == 0 { storage[entity]?.value = value }
      }
    }
  }

  private func changeSome(_ count: Int, _ random: inout SplitMix64) {
    let entities = Array(group)
    for _ in 0..<count {
      guard let entity = entities.randomElement(using: &random) else { return }
      let value = random.below(100)
      switch random.below(9) {
      case 0: entity.destroy()
      case 1: entity.set(BulkWorld.Mark())
      case 2: entity.remove(BulkWorld.Mark.self)
      case 3: entity.set(BulkWorld.Words(words: ["\(value)"]))
      case 4: entity.remove(BulkWorld.Words.self)
      case 5: entity.update(BulkWorld.Words.self) { $0.words.append("more") }
      case 6:
        entity.set(BulkWorld.Owner(number: value, instance: TrackedInstance(counter)))
      case 7: context.createEntity(with: BulkWorld.Wide(value: value), BulkWorld.Mark())
      default: entity.set(BulkWorld.Wide(value: value))
      }
    }
  }
}
