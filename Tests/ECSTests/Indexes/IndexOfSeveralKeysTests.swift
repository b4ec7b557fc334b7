import ECS
import ECSTestSupport
import Testing

private struct Article: Component {
  var tags: [String]
}

@Suite struct IndexOfSeveralKeysTests {
  let context = Context()

  @Test func `An entity is found by each of its keys`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let one = context.createEntity(with: Article(tags: ["a", "b"]))
    let other = context.createEntity(with: Article(tags: ["b", "c"]))
    expectEqual(Array(index["a"]), [one])
    expectEqual(Array(index["b"]), [one, other])
    expectEqual(Array(index["c"]), [other])
    expectTrue(index["d"].isEmpty)
    expectEqual(index.count(for: "b"), 2)
    expectEqual(index.first(for: "b"), one)
    expectEqual(index.keyCount, 3)
    expectEqual(index.component, Article.cid)
  }

  @Test func `Existing entities are found`() {
    let entity = context.createEntity(with: Article(tags: ["a"]), Tag())
    let index = context.index(keys: { (article: Article) in article.tags })
    expectEqual(Array(index["a"]), [entity])
  }

  @Test func `Repeated keys count once`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: ["a", "b", "a"]))
    expectEqual(Array(index["a"]), [entity])
    expectEqual(index.keyCount, 2)
    entity.destroy()
    expectEqual(index.keyCount, 0)
  }

  @Test func `An entity may have no key`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: []))
    expectEqual(index.keyCount, 0)
    entity.set(Article(tags: ["a"]))
    expectEqual(Array(index["a"]), [entity])
    entity.set(Article(tags: []))
    expectEqual(index.keyCount, 0)
  }

  @Test func `Keys follow the component`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: ["a", "b"]))
    entity.update(Article.self) { $0.tags = ["b", "c"] }
    expectTrue(index["a"].isEmpty)
    expectEqual(Array(index["b"]), [entity])
    expectEqual(Array(index["c"]), [entity])
    entity.remove(Article.self)
    expectEqual(index.keyCount, 0)
  }

  @Test func `Keys may be any sequence`() {
    let index = context.index(keys: { (name: Name) in Set(name.text) })
    let entity = context.createEntity(with: Name("hello"))
    expectEqual(Array(index["l"]), [entity])
    expectEqual(index.keyCount, 4)
  }

  @Test func `Pausing empties an index and resuming fills it`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: ["a"]))
    index.pause()
    entity.set(Article(tags: ["b", "c"]))
    expectEqual(index.keyCount, 0)
    index.resume()
    expectTrue(index["a"].isEmpty)
    expectEqual(Array(index["b"]), [entity])
    expectEqual(Array(index["c"]), [entity])
  }

  @Test func `Setting the same keys keeps the order under each key`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entities = (0..<3).map { _ in context.createEntity(with: Article(tags: ["a", "b"])) }
    entities[0].set(Article(tags: ["a", "b"]))
    expectEqual(Array(index["a"]), entities)
  }
}
