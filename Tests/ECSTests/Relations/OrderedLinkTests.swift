import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct OrderedLinkTests {
  let context = Context()
  let list: Entity
  let songs: [Entity]

  /// The songs of a list, in order.
  var order: RelatedEntities<TaggedWith> { list.targets(TaggedWith.self) }

  init() {
    list = context.createEntity(with: Tag())
    songs = context.createEntities(4, with: Health(points: 1)).map(\.self)
    for song in songs { list.relate(TaggedWith.self, to: song) }
  }

  /// The places of entities among the songs.
  func places(_ entities: some Sequence<Entity>) -> [Int] {
    entities.map { songs.firstIndex(of: $0) ?? -1 }
  }

  @Test(arguments: 0..<6) func `The last ones are those of arrays`(count: Int) {
    order.move(songs[1], to: 3)
    expectEqual(order.last(count), Array(Array(order).suffix(count)))
    list.destroy()
    expectEqual(order.last(count), [])
  }

  @Test(arguments: 0..<4, 0..<5)
  func `An entity is moved to a position, which is that of arrays`(from: Int, to: Int) {
    var expected = songs
    expected.insert(expected.remove(at: from), at: min(to, 3))
    order.move(songs[from], to: to)
    expectEqual(Array(order), expected)
  }

  @Test(arguments: 0..<4, 0..<4)
  func `An entity is moved to the place before another one`(moved: Int, next: Int) {
    var expected = songs
    expected.removeAll { $0 == songs[moved] }
    expected.insert(songs[moved], at: expected.firstIndex(of: songs[next]) ?? moved)
    order.move(songs[moved], before: songs[next])
    expectEqual(Array(order), expected)
  }

  @Test func `Without a next one that is there, an entity comes last`() {
    order.move(songs[0], before: nil)
    expectEqual(places(order), [1, 2, 3, 0])
    order.move(songs[1], before: list)
    expectEqual(places(order), [2, 3, 0, 1])
    songs[3].destroy()
    order.move(songs[2], before: songs[3])
    expectEqual(places(order), [0, 1, 2])
    order.move(songs[0], before: Context().createEntity())
    expectEqual(places(order), [1, 2, 0])
  }

  @Test func `Inserting links, or moves what is linked`() {
    let song = context.createEntity(with: Health(points: 2))
    order.insert(song, at: 1)
    expectEqual(places(order), [0, -1, 1, 2, 3])
    order.insert(song, at: 9)
    expectEqual(places(order), [0, 1, 2, 3, -1])
    order.insert(song, before: songs[0])
    expectEqual(places(order), [-1, 0, 1, 2, 3])
    expectEqual(context.linkCount(TaggedWith.self), 5)
  }

  @Test func `What is not there is not moved, nor what is dead linked`() {
    let other = context.createEntity(with: Tag())
    order.move(other, to: 0)
    other.destroy()
    order.move(other, before: songs[0])
    order.insert(other, at: 0)
    expectEqual(places(order), [0, 1, 2, 3])
    list.destroy()
    order.move(songs[3], to: 0)
    expectTrue(order.isEmpty)
  }

  @Test func `Each end has an order of its own`() {
    let other = context.createEntity(with: Tag())
    other.relate(TaggedWith.self, to: songs[3]).relate(TaggedWith.self, to: songs[0])
    order.reverse()
    expectEqual(places(order), [3, 2, 1, 0])
    expectEqual(Array(songs[3].sources(TaggedWith.self)), [list, other])
    songs[3].sources(TaggedWith.self).move(list, before: nil)
    expectEqual(Array(songs[3].sources(TaggedWith.self)), [other, list])
    expectEqual(Array(songs[0].sources(TaggedWith.self)), [list, other])
    expectEqual(places(other.targets(TaggedWith.self)), [3, 0])
  }

  @Test func `Links whose orders contradict each other all arrive, with the order of targets`() {
    let other = context.createEntity(with: Tag())
    for song in songs { other.relate(TaggedWith.self, to: song) }
    songs[0].sources(TaggedWith.self).reverse()
    order.reverse()
    let links = context.links(TaggedWith.self)
    expectEqual(links.count, 8)
    expectEqual(places(links.filter { $0.source == list }.map(\.target)), [3, 2, 1, 0])
    expectEqual(places(links.filter { $0.source == other }.map(\.target)), [0, 1, 2, 3])
  }

  @Test func `Sorting keeps the order of what is equal, and notifies nothing if nothing changes`() {
    for (song, points) in zip(songs, [2, 1, 2, 1] as [Int32]) { song.set(Health(points: points)) }
    func sort() {
      order.sort { ($0.get(Health.self)?.points ?? 0) < ($1.get(Health.self)?.points ?? 0) }
    }
    let told = Recorder<Int>()
    let token = order.observe(initial: false) { _ in told.append(1) }
    sort()
    expectEqual(places(order), [1, 3, 0, 2])
    sort()
    expectEqual(told.take(), [1])
    withExtendedLifetime(token) {}
  }

  @Test func `Observers of the side that changed run once, and no others`() {
    let told = Recorder<String>()
    let tokens = [
      order.observe(initial: false) { _ in told.append("list") },
      list.observe(initial: false) { _ in told.append("entity") },
      songs[0].sources(TaggedWith.self).observe(initial: false) { _ in told.append("song") },
      songs[0].observe(initial: false) { _ in told.append("song itself") },
    ]
    context.perform {
      order.move(songs[0], to: 3)
      order.move(songs[0], to: 1)
    }
    expectEqual(told.take().sorted(), ["entity", "list"])
    order.move(songs[0], to: 1)
    order.move(songs[0], before: songs[2])
    expectTrue(told.take().isEmpty, "It was there already.")
    withExtendedLifetime(tokens) {}
  }

  @Test func `Views move the entity, and one that sorts by a value is notified of nothing`() {
    let (moves, sorted) = (Recorder<[Int]>(), Recorder<Int>())
    let view = order.view()
    let other = order.sorted(by: \Health.points).start()
    for (song, points) in zip(songs, [1, 2, 3, 4] as [Int32]) { song.set(Health(points: points)) }
    let tokens = [
      view.observe(initial: false) { change in
        moves.append(change.difference.moves.flatMap { [$0.from, $0.to] })
      },
      other.observe(initial: false) { _ in sorted.append(1) },
    ]
    order.move(songs[3], to: 1)
    expectTrue(places(view) == [0, 3, 1, 2] && places(other) == [0, 1, 2, 3])
    expectTrue(moves.take() == [[3, 1]] && sorted.take().isEmpty)
    // Between the same two until there is no number left between them.
    for round in 0..<40 {
      order.move(songs[round % 2 == 0 ? 2 : 1], before: songs[3])
      expectEqual(Array(view), Array(order))
    }
    withExtendedLifetime(tokens) {}
  }

  @Test func `A transaction that is rolled back puts back the order, also that of views`() throws {
    struct Failure: Error {}
    let view = order.view().start()
    let told = Recorder<Int>()
    let token = view.observe(initial: false) { _ in told.append(1) }
    for song in songs { songs[0].relate(TaggedWith.self, to: song) }
    #expect(throws: Failure.self) {
      try context.transaction {
        order.reverse()
        order.remove(songs[1])
        order.insert(songs[1], at: 0)
        songs[2].sources(TaggedWith.self).reverse()
        throw Failure()
      }
    }
    expectTrue(places(order) == [0, 1, 2, 3] && places(view) == [0, 1, 2, 3])
    expectEqual(Array(songs[2].sources(TaggedWith.self)), [list, songs[0]])
    expectTrue(told.take().isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test func `Journals tell from where to where a link was moved`() {
    let told = Recorder<CommittedChange>()
    let token = context.journal().observe { for change in $0 { told.append(change) } }
    order.move(songs[3], before: songs[1])
    songs[3].sources(TaggedWith.self).insert(songs[0], at: 0)
    let changes = told.take()
    expectEqual(changes.map(\.kind), [.moved, .linked, .moved])
    expectEqual(changes.map(\.entity), [list, songs[0], songs[0]])
    expectTrue(changes.allSatisfy { $0.target == songs[3] && $0.relation is TaggedWith.Type })
    let moves = changes.map(\.move)
    expectTrue(moves[0]?.isAmongTargets == true && moves[1] == nil)
    expectTrue(moves[0]?.earlierNext == nil && moves[0]?.next == songs[1])
    expectTrue(moves[2]?.isAmongTargets == false && moves[2]?.next == list)
    withExtendedLifetime(token) {}
  }

  @Test func `Collectors of links collect the source of a link that is moved at either end`() {
    let collector = context.collector(for: Tag.matcher, type: .addedUpdatedOrRemoved)
    collector.collectLinks(of: TaggedWith.self)
    let other = context.createEntity(with: Tag()).relate(TaggedWith.self, to: songs[0])
    _ = collector.drain()
    order.move(songs[0], to: 2)
    expectEqual(collector.drain(), [list])
    songs[0].sources(TaggedWith.self).move(other, to: 0)
    expectEqual(collector.drain(), [other])
    songs[0].sources(TaggedWith.self).move(other, to: 0)
    expectTrue(collector.isEmpty)
  }

  @Test func `Inside of an iteration moves wait for its end, behind the links that wait`() {
    let song = context.createEntity(with: Health(points: 2))
    context.group(Tag.matcher).withEach { (_: Entity, _: inout Tag) in
      order.insert(song, at: 1)
      order.move(songs[3], to: 0)
      expectEqual(places(order), [0, 1, 2, 3])
    }
    expectEqual(places(order), [3, 0, -1, 1, 2])
  }

  @Test func `Children have an order too`() throws {
    let children = (0..<3).map { _ in context.createEntity() }
    for child in children { try child.setParent(list) }
    list.children.insert(children[2], at: 0)
    expectEqual(Array(list.children), [children[2], children[0], children[1]])
    expectEqual(Array(list.descendants()), [children[2], children[0], children[1]])
    try children[0].setParent(nil)
    list.children.insert(children[0], before: children[2])
    expectEqual(list.children.first, children[0])
  }

  @Test func `Entities that come before the first one are delivered one by one`() {
    let view = order.view()
    let told = Recorder<Int>()
    let token = view.observe(initial: false) { change in
      told.append(change.difference.insertions.count + change.difference.removals.count)
    }
    for number in 0..<100 {
      order.insert(context.createEntity(with: Health(points: Int32(number))), at: 0)
    }
    expectEqual(told.take(), Array(repeating: 1, count: 100))
    expectEqual(Array(view), Array(order))
    withExtendedLifetime(token) {}
  }

  @Test func `Inside an iteration each turn comes after the one before`() {
    let (order, songs) = (order, songs)
    context.group(Health.self).withEach { (entity, _: Health) in
      guard entity == songs[0] else { return }
      order.reverse()
      order.reverse()
      order.move(songs[3], before: songs[0])
      order.reverse()
    }
    expectEqual(places(order), [2, 1, 0, 3])
  }

  @Test func `A long list is found in by its links, wherever they were moved`() {
    let many = context.createEntities(300, with: Health(points: 3)).map(\.self)
    for song in many { list.relate(TaggedWith.self, to: song) }
    for song in many { order.insert(song, before: songs[0]) }
    expectEqual(Array(order), many + songs)
    for song in many { order.remove(song) }
    expectEqual(places(order), [0, 1, 2, 3])
  }

  @Test func `A position below zero stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let entity = Context().createEntity()
      entity.children.move(entity, to: -1)
    }
    expectTrue(stopped(result, saying: "the first one is 0"))
  }
}
