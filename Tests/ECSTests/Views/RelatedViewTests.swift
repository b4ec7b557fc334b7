import ECS
import ECSTestSupport
import Testing

private struct Score: Component, Equatable { var points: Int }
private struct Draft: Component {}

@Suite(.noHangs) struct RelatedViewTests {
  let context = Context()
  let author: Entity
  let articles: [Entity]

  init() {
    let context = context
    let author = context.createEntity(with: Name("Ada"))
    self.author = author
    articles = [3, 1, 2].map { points in
      context.createEntity(with: Score(points: points)).relate(WrittenBy.self, to: author)
    }
  }

  @Test func `A view of related entities comes in the order of their links`() {
    let view = author.sources(WrittenBy.self).view().start()
    expectEqual(Array(view), articles)
    articles[0].unrelate(WrittenBy.self).relate(WrittenBy.self, to: author)
    expectEqual(Array(view), [articles[1], articles[2], articles[0]])
    expectNil(view.group)
    expectEqual("\(view)", "View of WrittenBy sources of \(author) (3 entities)")
  }

  @Test func `It is filtered and sorted, and exact when links, components and entities change`() {
    let view = author.sources(WrittenBy.self).filtered { (score: Score) in score.points > 1 }
      .sorted(by: \Score.points, .descending)
    expectEqual(Array(view), [articles[0], articles[2]])
    articles[1].set(Score(points: 9))
    expectEqual(Array(view), [articles[1], articles[0], articles[2]])
    articles[0].remove(Score.self)
    expectEqual(Array(view), [articles[1], articles[2]])
    let other = context.createEntity(with: Score(points: 5))
    expectFalse(view.contains(other))
    author.sources(WrittenBy.self).insert(other)
    expectEqual(Array(view), [articles[1], other, articles[2]])
    articles[1].relate(WrittenBy.self, to: other)
    articles[2].destroy()
    expectEqual(Array(view), [other])
    expectEqual(view.position(of: other), 0)
  }

  @Test func `It shows what belongs to a group, and a group shows what is related`() {
    let published = context.group(Matcher(all: [Score.cid], none: [Draft.cid]))
    let view = published.related(WrittenBy.self, to: author).start()
    expectEqual(view.group, published)
    articles[1].set(Draft())
    expectEqual(Array(view), [articles[0], articles[2]])
    articles[1].remove(Draft.self)
    articles[2].remove(Score.self)
    expectEqual(Array(view), [articles[0], articles[1]])
    expectEqual(author.sources(WrittenBy.self).entities(in: published), [articles[0], articles[1]])
    expectTrue("\(view)".contains("sources of \(author) in all(Score) none(Draft) (2 entities)"))
  }

  @Test func `Both sides have views, and so do children`() {
    let tag = context.createEntity(with: Score(points: 7))
    let tags = articles[0].targets(TaggedWith.self).sorted(by: \Score.points)
    articles[0].relate(TaggedWith.self, to: articles[0]).relate(TaggedWith.self, to: tag)
    expectEqual(Array(tags), [articles[0], tag])
    tag.set(Score(points: 0))
    expectEqual(Array(tags), [tag, articles[0]])
    let children = author.children.sorted(by: \Score.points)
    for article in articles { article.relate(ChildOf.self, to: author) }
    expectEqual(Array(children), [articles[1], articles[2], articles[0]])
  }

  @Test func `Observers are called once, with a difference`() throws {
    let view = author.sources(WrittenBy.self).sorted(by: \Score.points)
    let told = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { told.append($0.difference) }
    context.perform {
      articles[0].set(Score(points: 0))
      articles[1].unrelate(WrittenBy.self)
      articles[2].set(Score(points: 2))
      context.createEntity(with: Score(points: 9)).relate(WrittenBy.self, to: author)
    }
    let difference = try #require(told.take().first)
    expectEqual(difference.removals, [.init(offset: 0, entity: articles[1])])
    expectEqual(difference.moves.map(\.entity), [articles[0]])
    expectEqual(difference.updates, [.init(offset: 1, entity: articles[2])])
    expectEqual(difference.insertions.map(\.offset), [2])
    // No entity of the view changes.
    articles[1].set(Score(points: 4))
    context.createEntity(with: Score(points: 4)).destroy()
    expectEqual(told.count, 0)
    withExtendedLifetime(token) {}
  }

  @Test func `The end of the entity empties the view and ends the observation`() {
    let view = author.sources(WrittenBy.self).view()
    let told = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { told.append($0.difference) }
    author.destroy()
    expectTrue(view.isEmpty)
    expectEqual(told.take().map(\.removals.count), [3])
    expectFalse(token.isActive)
    expectEqual(context.statistics.views, 0)
    // Another entity in the same slot is another one.
    let next = context.createEntity()
    articles[0].relate(WrittenBy.self, to: next)
    expectTrue(view.isEmpty)
    expectTrue(author.sources(WrittenBy.self).view().isEmpty)
  }

  @Test func `A view ends with its last reference, and all end with the context`() {
    var context: Context? = Context()
    let (one, other) = (context?.createEntity(), context?.createEntity(with: Score(points: 1)))
    guard let one, let other else { return }
    var views = (0..<3).map { _ in one.targets(TaggedWith.self).sorted(by: \Score.points).start() }
    for view in views { expectTrue(view.isEmpty) }
    expectEqual(context?.statistics.views, 3)
    views.removeLast()
    expectEqual(context?.statistics.views, 2)
    one.relate(TaggedWith.self, to: other)
    expectEqual(views.map(\.count), [1, 1])
    context = nil
    expectEqual(views.map(\.count), [0, 0])
    withExtendedLifetime((context, views)) {}
  }

  @Test func `Cascades empty the views of what goes with them`() {
    let leaf = context.createEntity()
    articles[0].relate(PartOf.self, to: author)
    leaf.relate(PartOf.self, to: articles[0])
    let (parts, leaves) = (
      author.sources(PartOf.self).view(), articles[0].sources(PartOf.self).view()
    )
    expectTrue(parts.count == 1 && leaves.count == 1)
    author.destroy()
    expectFalse(leaf.isAlive)
    expectTrue(parts.isEmpty && leaves.isEmpty)
  }

  @Test func `Changes made while iterating take effect when the iteration ends`() {
    let view = author.sources(WrittenBy.self).sorted(by: \Score.points)
    context.group(Score.matcher).withEach { (entity, score: inout Score) in
      score.points *= -1
      if score.points == -1 { entity.unrelate(WrittenBy.self) }
    }
    expectEqual(Array(view), [articles[0], articles[2]])
  }

  @Test func `Related entities keep their order when link numbers run out`() {
    let view = author.sources(WrittenBy.self).view()
    let told = Recorder<LiveViewDifference>()
    let token = view.observe(initial: false) { told.append($0.difference) }
    var mirror = Array(view)
    view.skipArrivals(leaving: 2)
    var expected = articles
    for _ in 0..<5 {
      context.perform {
        expected[0].unrelate(WrittenBy.self).relate(WrittenBy.self, to: author)
        expected.append(expected.removeFirst())
        expected.append(context.createEntity().relate(WrittenBy.self, to: author))
      }
      expectEqual(Array(view), expected)
      for difference in told.take() { expectTrue(difference.apply(to: &mirror)) }
      expectEqual(mirror, expected)
    }
    withExtendedLifetime(token) {}
  }

  @Test func `A group of another context stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (context, other) = (Context(), Context())
      _ = context.createEntity().children.view(in: other.group(Name.matcher))
    }
    expectTrue(stopped(result, saying: "was restricted to a group of another context"))
  }
}
