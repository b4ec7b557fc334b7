import ECS
import ECSTestSupport
import Testing

private struct Show: Component, Equatable {
  var title: String
  var isSubscribed = true
  var rating: Int?
}
private struct Episode: Component, Equatable { var number: Int }
private struct Archived: Component {}
private enum EpisodeOf: ToOneRelation {}
private enum CopyOf: ToOneRelation { static let deleteRule = DeleteRule.cascade }

/// Views that are filtered and sorted by components of what their entities are linked to.
@Suite(.noHangs) struct TargetViewTests {
  let context = Context()
  let shows: [Entity]
  let episodes: [Entity]

  /// Two shows, and episodes 0 and 1 of the first one, 2 and 3 of the second one.
  init() {
    let context = context
    let shows = ["Moon", "Apes"].map { context.createEntity(with: Show(title: $0)) }
    self.shows = shows
    episodes = (0..<4).map { number in
      context.createEntity(with: Episode(number: number)).relate(
        EpisodeOf.self, to: shows[number / 2])
    }
  }

  private func makeView() -> LiveView {
    context.group(Episode.matcher).sorted(by: \Show.title, ofTarget: EpisodeOf.self)
      .then(by: \Episode.number, .descending)
  }

  private func numbers(_ view: LiveView) -> [Int] {
    view.compactMap { $0.get(Episode.self)?.number }
  }

  /// What a view shows before it is started, and at work with and without observers.
  private func check(
    _ view: () -> LiveView, _ body: (_ expect: ([Int]) -> Void) -> Void
  ) {
    let (idle, started, observed) = (view(), view().start(), view())
    // Written by an observer, on this thread.
    let mirror = Recorder<LiveViewDifference>()
    let token = observed.observe(initial: true) { mirror.append($0.difference) }
    var copy: [Entity] = []
    body { expected in
      expectEqual(numbers(idle), expected)
      expectEqual(numbers(started), expected)
      expectEqual(numbers(observed), expected)
      for difference in mirror.take() { expectTrue(difference.apply(to: &copy)) }
      expectEqual(copy, Array(observed))
    }
    token.cancel()
  }

  @Test func `It is sorted by what targets have, and by further keys`() {
    check(makeView) { expect in
      expect([3, 2, 1, 0])
      shows[0].set(Show(title: "Aaa"))
      expect([1, 0, 3, 2])
      episodes[0].set(Episode(number: 9))
      expect([9, 1, 3, 2])
    }
  }

  @Test func `Descending, and as a further key`() {
    let group = context.group(Episode.matcher)
    let view = { group.sorted(by: \Show.title, ofTarget: EpisodeOf.self, .descending) }
    check(view) { expect in
      expect([0, 1, 2, 3])
      episodes[0].unrelate(EpisodeOf.self)
      expect([1, 2, 3, 0])
    }
    for episode in episodes { episode.set(Episode(number: 5)) }
    let further = group.sorted(by: \Episode.number).then(by: \Show.title, ofTarget: EpisodeOf.self)
    expectEqual(Array(further), [episodes[2], episodes[3], episodes[1], episodes[0]])
    further.start()
    shows[0].set(Show(title: "A"))
    expectEqual(Array(further), [episodes[1], episodes[2], episodes[3], episodes[0]])
  }

  @Test func `Entities follow their links`() {
    check(makeView) { expect in
      episodes[0].relate(EpisodeOf.self, to: shows[1])
      expect([3, 2, 0, 1])
      shows[0].sources(EpisodeOf.self).insert(episodes[3])
      expect([2, 0, 3, 1])
      episodes[2].unrelate(EpisodeOf.self)
      expect([0, 3, 1, 2])
      shows[1].sources(EpisodeOf.self).removeAll()
      expect([3, 1, 2, 0])
    }
  }

  @Test func `Without a link, or if the target lacks the component, they come last`() {
    check(makeView) { expect in
      shows[1].remove(Show.self)
      expect([1, 0, 3, 2])
      episodes[1].unrelate(EpisodeOf.self)
      expect([0, 3, 2, 1])
      shows[1].set(Show(title: "Zoo"))
      expect([0, 3, 2, 1])
    }
  }

  @Test func `A destroyed target is none`() {
    check(makeView) { expect in
      shows[1].destroy()
      expect([1, 0, 3, 2])
      // Its slot is used again.
      let other = context.createEntity(with: Show(title: "A"))
      expect([1, 0, 3, 2])
      episodes[2].relate(EpisodeOf.self, to: other)
      expect([2, 1, 0, 3])
    }
  }

  @Test func `What is destroyed with a target leaves`() {
    for episode in episodes {
      episode.target(EpisodeOf.self).map { _ = episode.relate(CopyOf.self, to: $0) }
    }
    let group = context.group(Episode.matcher)
    let view = { group.sorted(by: \Show.title, ofTarget: CopyOf.self) }
    check(view) { expect in
      expect([2, 3, 0, 1])
      shows[1].destroy()
      expect([0, 1])
      episodes[0].destroy()
      expect([1])
    }
  }

  @Test func `A filter keeps out what has no target that passes`() {
    let group = context.group(Episode.matcher)
    let view = { group.filtered(byTarget: EpisodeOf.self) { (show: Show) in show.isSubscribed } }
    check(view) { expect in
      expect([0, 1, 2, 3])
      shows[0].update(Show.self) { $0.isSubscribed = false }
      expect([2, 3])
      episodes[0].relate(EpisodeOf.self, to: shows[1])
      expect([0, 2, 3])
      episodes[2].unrelate(EpisodeOf.self)
      expect([0, 3])
      shows[1].remove(Show.self)
      expect([])
      shows[1].set(Show(title: "Again"))
      expect([0, 3])
      expectTrue(view().contains(episodes[3]) && !view().contains(episodes[2]))
      expectEqual(view().count, 2)
      shows[1].destroy()
      expect([])
    }
  }

  @Test func `A filter asks for several components of the target`() {
    let view = context.group(Episode.matcher)
      .filtered(byTarget: EpisodeOf.self) { (show: Show, name: Name) in
        show.isSubscribed && name.text == "a"
      }
      .start()
    expectTrue(view.isEmpty)
    shows[0].set(Name("a"))
    expectEqual(numbers(view), [0, 1])
    shows[0].set(Name("b"))
    shows[1].set(Name("a"))
    expectEqual(numbers(view), [2, 3])
    shows[1].remove(Show.self)
    expectTrue(view.isEmpty)
  }

  @Test func `Filters and keys of several relations, and of the entities themselves, go together`()
  {
    for (number, episode) in episodes.enumerated() {
      episode.relate(CopyOf.self, to: shows[1 - number % 2])
    }
    let group = context.group(Matcher(all: [Episode.cid], none: [Archived.cid]))
    let view = {
      group.filtered { (episode: Episode) in episode.number < 9 }
        .filtered(byTarget: CopyOf.self) { (show: Show) in show.isSubscribed }
        .sorted(by: \Show.title, ofTarget: EpisodeOf.self)
        .then(by: \Show.title, ofTarget: CopyOf.self)
    }
    check(view) { expect in
      expect([2, 3, 0, 1])
      shows[1].set(Show(title: "Sun"))
      expect([1, 0, 3, 2])
      episodes[3].set(Archived())
      expect([1, 0, 2])
      episodes[3].remove(Archived.self)
      episodes[0].set(Episode(number: 9))
      expect([1, 3, 2])
      shows[0].update(Show.self) { $0.isSubscribed = false }
      expect([2])
    }
  }

  @Test func `A property that is nil comes last`() {
    let view = context.group(Episode.matcher).sorted(by: \Show.rating, ofTarget: EpisodeOf.self)
      .then(by: \Episode.number, .descending).start()
    expectEqual(numbers(view), [3, 2, 1, 0])
    shows[0].update(Show.self) { $0.rating = 1 }
    expectEqual(numbers(view), [1, 0, 3, 2])
    let further = context.group(Show.matcher).view()
      .then(by: \Show.rating, ofTarget: EpisodeOf.self).start()
    shows[0].relate(EpisodeOf.self, to: shows[1])
    shows[1].relate(EpisodeOf.self, to: shows[0])
    expectEqual(Array(further), [shows[1], shows[0]])
  }

  @Test func `Related entities are sorted by targets of theirs, too`() {
    let user = context.createEntity()
    for episode in episodes.reversed() { episode.relate(CopyOf.self, to: user) }
    let view = { user.sources(CopyOf.self).sorted(by: \Show.title, ofTarget: EpisodeOf.self) }
    check(view) { expect in
      expect([3, 2, 1, 0])
      shows[0].set(Show(title: "A"))
      expect([1, 0, 3, 2])
      episodes[3].unrelate(CopyOf.self)
      shows[1].set(Show(title: "0"))
      expect([2, 1, 0])
      episodes[3].relate(EpisodeOf.self, to: shows[0])
      expect([2, 1, 0])
      episodes[1].destroy()
      expect([2, 0])
    }
    let ended = view().start()
    user.destroy()
    shows[0].set(Show(title: "B"))
    expectTrue(ended.isEmpty)
  }

  @Test func `An entity may be its own target`() {
    shows[0].relate(EpisodeOf.self, to: shows[0])
    shows[1].relate(EpisodeOf.self, to: shows[1])
    let view = context.group(Show.matcher).sorted(by: \Show.title, ofTarget: EpisodeOf.self).start()
    expectEqual(Array(view), [shows[1], shows[0]])
    shows[1].set(Show(title: "Zoo"))
    expectEqual(Array(view), [shows[0], shows[1]])
    shows[0].remove(Show.self).set(Show(title: "Zzz"))
    expectEqual(Array(view), [shows[1], shows[0]])
    shows[1].destroy()
    expectEqual(Array(view), [shows[0]])
  }

  @Test func `A limited view lets others move up`() {
    let view = { makeView().limited(to: 2) }
    check(view) { expect in
      expect([3, 2])
      shows[0].set(Show(title: "A"))
      expect([1, 0])
      episodes[0].unrelate(EpisodeOf.self)
      expect([1, 3])
    }
  }

  @Test func `Observers hear once of all that a change of a target moves`() {
    let view = makeView()
    let changes = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { changes.append($0.difference) }
    context.perform {
      shows[0].set(Show(title: "A"))
      shows[0].set(Show(title: "B"))
      episodes[3].relate(EpisodeOf.self, to: shows[0])
    }
    let told = changes.take()
    expectEqual(told.count, 1)
    expectTrue(
      Set(told[0].moves.map(\.entity) + told[0].updates.map(\.entity)).isSuperset(of: [episodes[3]])
    )
    shows[1].set(Archived())
    context.createEntity(with: Show(title: "C"))
    expectTrue(changes.take().isEmpty)
    shows[1].set(Show(title: "Apes", isSubscribed: false))
    expectEqual(changes.take().map { $0.updates.map(\.entity) }, [[episodes[2]]])
    token.cancel()
  }

  @Test func `A transaction that is taken back leaves the view as it was, and notifies nothing`() {
    struct Stop: Error {}
    let changes = Recorder<LiveViewDifference>()
    let observed = makeView()
    let token = observed.observe(initial: false) { changes.append($0.difference) }
    check(makeView) { expect in
      try? context.transaction {
        shows[0].set(Show(title: "A"))
        episodes[3].relate(EpisodeOf.self, to: shows[0])
        episodes[1].unrelate(EpisodeOf.self)
        expectEqual(numbers(observed), [3, 0, 2, 1])
        shows[1].destroy()
        let new = context.createEntity(with: Show(title: "0"))
        episodes[2].relate(EpisodeOf.self, to: new)
        expectEqual(numbers(observed), [2, 3, 0, 1])
        episodes[0].destroy()
        throw Stop()
      }
      expect([3, 2, 1, 0])
      expectTrue(changes.take().isEmpty)
      shows[0].set(Show(title: "A"))
      expect([1, 0, 3, 2])
    }
    token.cancel()
  }

  @Test func `Work begun in a transaction that is taken back goes on`() {
    struct Stop: Error {}
    let other = Context()
    let show = other.createEntity(with: Show(title: "b"))
    let both = [1, 2].map { other.createEntity(with: Episode(number: $0)) }
    let view = other.group(Episode.matcher).sorted(by: \Show.title, ofTarget: EpisodeOf.self)
    try? other.transaction {
      // The first one that uses the relation.
      view.start()
      both[1].relate(EpisodeOf.self, to: show)
      expectEqual(numbers(view), [2, 1])
      throw Stop()
    }
    expectEqual(numbers(view), [1, 2])
    both[1].relate(EpisodeOf.self, to: show)
    expectEqual(numbers(view), [2, 1])
  }

  @Test func `Inside iterations the view is exact, too`() {
    let view = makeView().start()
    context.group(Show.matcher).withEach { (entity, show: inout Show) in
      show.title = String(show.title.reversed())
    }
    expectEqual(numbers(view), [1, 0, 3, 2], "noom, sepA")
  }

  @Test func `A closure that has a target's component may change its entities`() {
    let view = makeView().start()
    context.group(Show.matcher).withEach { (entity, show: inout Show) in
      show.title = "x"
      for episode in entity.sources(EpisodeOf.self) {
        episode.update(Episode.self) { $0.number += 4 * $0.number }
      }
    }
    expectEqual(numbers(view), [15, 10, 5, 0])
  }

  @Test func `A view may be read and put to work before anything is linked`() {
    let context = Context()
    let view = { context.group(Episode.matcher).sorted(by: \Show.title, ofTarget: EpisodeOf.self) }
    let (idle, started) = (view(), view().start())
    let episodes = (0..<3).map { context.createEntity(with: Episode(number: $0)) }
    expectTrue(numbers(idle) == [0, 1, 2] && numbers(started) == [0, 1, 2])
    episodes[2].relate(EpisodeOf.self, to: context.createEntity(with: Show(title: "Moon")))
    expectTrue(numbers(idle) == [2, 0, 1] && numbers(started) == [2, 0, 1])
  }

  @Test func `A view that is released is notified no more, and what it read is free again`() {
    let before = context.statistics
    var view: LiveView? = makeView().start()
    expectEqual(context.statistics.views, before.views + 1)
    shows[0].set(Show(title: "x"))
    expectEqual(view.map(numbers), [3, 2, 1, 0])
    view = nil
    expectEqual(context.statistics.views, before.views)
    shows[0].set(Show(title: "y"))
    episodes[0].unrelate(EpisodeOf.self)
  }

  @Test func `When the context goes away, the view is empty and everything is freed`() {
    let tracked = Tally()
    final class Token: Sendable {
      let tally: Tally
      init(_ tally: Tally) { self.tally = tally }
      deinit { tally.add() }
    }
    var other: Context? = Context()
    let show = other?.createEntity(with: Show(title: "a"))
    let episode = other?.createEntity(with: Episode(number: 1))
    if let show { episode?.relate(EpisodeOf.self, to: show) }
    var view: LiveView?
    do {
      let token = Token(tracked)
      view = other?.group(Episode.matcher)
        .filtered(byTarget: EpisodeOf.self) { (_: Show) in withExtendedLifetime(token) { true } }
        .start()
    }
    expectEqual(view?.count, 1)
    other = nil
    expectEqual(view?.count, 0)
    view = nil
    expectEqual(tracked.value, 1)
  }
}
