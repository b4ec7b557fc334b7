import ECS
import ECSTestSupport
import Testing

/// The code of the article "Changes and notifications".
@Suite struct ChangesAndNotificationsSnippets {
  struct Score: Component, Equatable {
    var points: Int
  }
  struct Name: Component {
    let text: String
  }

  final class Label: Sendable {
    let shown = Recorder<Int>()
    func show(_ points: Int) { shown.append(points) }
  }

  @Test func `Observers of single changes get old and new values`() {
    let context = Context()
    let player = context.createEntity(with: Score(points: 1))
    let lines = Recorder<String>()
    @Sendable func print(_ line: String) { lines.append(line) }
    let scores = context.group(Score.matcher)
    let subscription = scores.observe(Score.self) { entity, old, new in
      print("\(old?.points ?? 0) -> \(new?.points ?? 0)")
    }
    player.set(Score(points: 5))  // 1 -> 5
    player.update(Score.self) { $0.points += 1 }  // 5 -> 6
    player.setIfChanged(Score(points: 6))  // nothing
    player.remove(Score.self)  // 6 -> 0
    subscription.cancel()
    #expect(lines.items == ["1 -> 5", "5 -> 6", "6 -> 0"])
  }

  @Test func `Several changes become one section`() {
    let context = Context()
    let (giver, taker) = (
      context.createEntity(with: Score(points: 10)), context.createEntity(with: Score(points: 0))
    )
    let totals = Recorder<Int>()
    let subscription = context.group(Score.matcher).observe(.updated) { [weak context] _ in
      let points = context?.group(Score.matcher).compactMap { $0.get(Score.self)?.points }
      totals.append(points?.reduce(0, +) ?? 0)
    }
    context.perform {
      giver.update(Score.self) { $0.points -= 3 }
      taker.update(Score.self) { $0.points += 3 }
    }
    #expect(totals.items == [10, 10])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A source is observed once for each outermost change`() {
    let context = Context()
    let player = context.createEntity(with: Score(points: 1), Name(text: "Ada"))
    let label = Label()

    player.observe(by: label, name: "score") { label, player in
      label.show(player.get(Score.self)?.points ?? 0)
    }
    context.perform {
      player.set(Name(text: "Bob"))
      player.set(Score(points: 2))
    }
    #expect(label.shown.items == [1, 2])
  }

  @Test func `Collectors gather what changed`() {
    let context = Context()
    let player = context.createEntity(with: Score(points: 1))
    let changed = context.collector(for: Score.matcher, type: .addedOrUpdated)
    player.set(Score(points: 2))
    player.set(Score(points: 3))
    for entity in changed.drain() {
      print(entity.get(Score.self)?.points ?? 0)  // 3, once
    }
    print(changed.isEmpty)  // true
    #expect(changed.isEmpty)
    player.set(Score(points: 4))
    #expect(changed.drain().count == 1)
  }

  @Test func `An observer's changes queue behind`() {
    let context = Context()
    let scores = context.group(Score.matcher)
    let subscription = scores.observe(.addedOrUpdated) { change in
      guard let score: Score = change.new(), score.points > 100 else { return }
      change.entity.set(Score(points: 100))
    }
    let player = context.createEntity(with: Score(points: 250))
    print(player.get(Score.self)?.points ?? 0)  // 100
    #expect(player.get(Score.self)?.points == 100)
    withExtendedLifetime(subscription) {}
  }
}
