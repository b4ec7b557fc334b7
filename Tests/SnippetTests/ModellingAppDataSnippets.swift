import ECS
import ECSTestSupport
import Testing

/// The code of the article "Modelling app data".
@Suite struct ModellingAppDataSnippets {
  struct UserID: Component { let value: Int }
  struct Title: Component, Equatable { var text: String }
  struct Score: Component { var points: Int }

  enum WrittenBy: ToOneRelation { static let deleteRule = DeleteRule.deny }
  enum TaggedWith: Relation {}

  final class Cell: Sendable {
    let titles = Recorder<String?>()
    var title: String? {
      get { titles.items.last ?? nil }
      set { titles.append(newValue) }
    }
  }

  @Test func `A key stands for one entity`() {
    let context = Context()
    #expect(throws: IdentityError<Int>.self) {
      let users = context.primaryIndex { (id: UserID) in id.value }
      let ada = users.getOrCreate(UserID(value: 1))
      #expect(users.getOrCreate(UserID(value: 1)) == ada)
      try users.assign(UserID(value: 2), to: ada)  // throws: ada is 1
    }
  }

  @Test func `Both ends of a relation agree`() {
    let context = Context()
    let (article, other) = (context.createEntity(), context.createEntity())
    let (ada, swift) = (context.createEntity(), context.createEntity())
    article.relate(WrittenBy.self, to: ada).relate(TaggedWith.self, to: swift)
    swift.sources(TaggedWith.self).insert(other)
    #expect(ada.sources(WrittenBy.self).count == 1)
    #expect(article.target(WrittenBy.self) == ada)
    #expect(swift.sources(TaggedWith.self).entities() == [article, other])
  }

  @Test func `A view is filtered and sorted`() {
    let context = Context()
    let poor = context.createEntity(with: Title(text: "b"), Score(points: 0))
    let good = context.createEntity(with: Title(text: "a"), Score(points: 2))
    let best = context.group(Matcher(all: [Title.cid, Score.cid]))
      .filtered { (score: Score) in score.points > 0 }
      .sorted(by: \Score.points, .descending)
      .then(by: \Title.text)
    #expect(best.first(10) == [good])
    poor.set(Score(points: 3))
    #expect(best.first(10) == [poor, good])
  }

  @Test func `Related entities are filtered and sorted`() {
    let context = Context()
    let (ada, swift) = (context.createEntity(), context.createEntity())
    let first = context.createEntity(with: Title(text: "a"), Score(points: 2))
    let second = context.createEntity(with: Title(text: "b"), Score(points: 3))
    for article in [first, second] {
      article.relate(WrittenBy.self, to: ada).relate(TaggedWith.self, to: swift)
    }
    let articles = context.group(Matcher(all: [Title.cid, Score.cid]))
    let hers = ada.sources(WrittenBy.self).sorted(by: \Score.points, .descending)
    let tagged = articles.related(TaggedWith.self, to: swift)
      .filtered { (score: Score) in score.points > 2 }
    #expect(Array(hers) == [second, first])
    #expect(Array(tagged) == [second])
    first.set(Score(points: 4))
    #expect(Array(hers) == [first, second])
    #expect(Array(tagged) == [first, second])
  }

  @Test func `A cell shows an article`() {
    let context = Context()
    let article = context.createEntity(with: Title(text: "Engines"))
    let cell = Cell()
    article.observe(by: cell, name: "cell") { cell, article in
      cell.title = article.get(Title.self)?.text
    }
    article.set(Title(text: "Notes"))
    #expect(cell.titles.items == ["Engines", "Notes"])
  }
}
