import ECS
import ECSTestSupport
import Testing

// The code of the article "Modelling app data".

private struct UserID: Component { let value: Int }
private struct Title: Component, Equatable { var text: String }
private struct Score: Component { var points: Int }

private final class ArticleCell: Sendable {
  let shown = Recorder<String>()
}

@Suite struct ModellingAppDataTests {
  enum WrittenBy: ToOneRelation { static let deleteRule = DeleteRule.deny }
  enum TaggedWith: Relation {}

  @Test func `Users, articles and tags work from end to end`() throws {
    let context = Context()
    let users = context.primaryIndex { (id: UserID) in id.value }

    // Identity
    let ada = users.getOrCreate(UserID(value: 1))
    expectEqual(users.getOrCreate(UserID(value: 1)), ada)
    #expect(throws: IdentityError.immutable(current: 1, refused: 2)) {
      try users.assign(UserID(value: 2), to: ada)
    }

    // Relations
    let swift = context.createEntity(with: Title(text: "swift"))
    let first = context.createEntity(with: Title(text: "Engines"), Score(points: 3))
    let second = context.createEntity(with: Title(text: "Notes"), Score(points: 8))
    for article in [first, second] {
      article.relate(WrittenBy.self, to: ada).relate(TaggedWith.self, to: swift)
    }
    expectEqual(ada.sources(WrittenBy.self).entities(), [first, second])
    #expect(throws: DestructionDenied.self) { try ada.destroyIfAllowed() }

    // Live views
    let best = context.group(Matcher(all: [Title.cid, Score.cid]))
      .filtered { (score: Score) in score.points > 0 }
      .sorted(by: \Score.points, .descending)
      .then(by: \Title.text)
    expectEqual(Array(best), [second, first])

    let hers = ada.sources(WrittenBy.self).sorted(by: \Title.text)
    expectEqual(Array(hers), [first, second])

    var rows = Array(best)
    let differences = Recorder<LiveViewDifference>()
    let list = best.observe(initial: false) { differences.append($0.difference) }
    context.perform {
      first.update(Score.self) { $0.points = 9 }
      _ = context.createEntity(with: Title(text: "Poems"), Score(points: 1))
    }
    let difference = try #require(differences.take().first)
    expectTrue(difference.moves.count == 1 && difference.insertions.count == 1)
    expectTrue(difference.apply(to: &rows))
    expectEqual(rows, Array(best))

    // Observation
    let cell = ArticleCell()
    for article in [first, second] {
      article.observe(by: cell, name: "cell") { cell, article in
        cell.shown.append(article.get(Title.self)?.text ?? "")
      }
    }
    first.set(Title(text: "not shown any more"))
    second.setIfChanged(Title(text: "Notes"))
    second.set(Title(text: "Notes, revised"))
    expectEqual(cell.shown.items, ["Engines", "Notes", "Notes, revised"])
    withExtendedLifetime(list) {}
  }
}
