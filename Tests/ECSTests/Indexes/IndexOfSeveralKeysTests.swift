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
    #expect(Array(index["a"]) == [one])
    #expect(Array(index["b"]) == [one, other])
    #expect(Array(index["c"]) == [other])
    #expect(index["d"].isEmpty)
    #expect(index.count(for: "b") == 2)
    #expect(index.first(for: "b") == one)
    #expect(index.keyCount == 3)
    #expect(index.component == Article.cid)
  }

  @Test func `Existing entities are found`() {
    let entity = context.createEntity(with: Article(tags: ["a"]), Tag())
    let index = context.index(keys: { (article: Article) in article.tags })
    #expect(Array(index["a"]) == [entity])
  }

  @Test func `Repeated keys count once`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: ["a", "b", "a"]))
    #expect(Array(index["a"]) == [entity])
    #expect(index.keyCount == 2)
    entity.destroy()
    #expect(index.keyCount == 0)
  }

  @Test func `An entity may have no key`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: []))
    #expect(index.keyCount == 0)
    entity.set(Article(tags: ["a"]))
    #expect(Array(index["a"]) == [entity])
    entity.set(Article(tags: []))
    #expect(index.keyCount == 0)
  }

  @Test func `Keys follow the component`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: ["a", "b"]))
    entity.update(Article.self) { $0.tags = ["b", "c"] }
    #expect(index["a"].isEmpty)
    #expect(Array(index["b"]) == [entity])
    #expect(Array(index["c"]) == [entity])
    entity.remove(Article.self)
    #expect(index.keyCount == 0)
  }

  @Test func `Keys may be any sequence`() {
    let index = context.index(keys: { (name: Name) in Set(name.text) })
    let entity = context.createEntity(with: Name("hello"))
    #expect(Array(index["l"]) == [entity])
    #expect(index.keyCount == 4)
  }

  @Test func `Pausing empties an index and resuming fills it`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entity = context.createEntity(with: Article(tags: ["a"]))
    index.pause()
    entity.set(Article(tags: ["b", "c"]))
    #expect(index.keyCount == 0)
    index.resume()
    #expect(index["a"].isEmpty)
    #expect(Array(index["b"]) == [entity])
    #expect(Array(index["c"]) == [entity])
  }

  @Test func `Setting the same keys keeps the order under each key`() {
    let index = context.index(keys: { (article: Article) in article.tags })
    let entities = (0..<3).map { _ in context.createEntity(with: Article(tags: ["a", "b"])) }
    entities[0].set(Article(tags: ["a", "b"]))
    #expect(Array(index["a"]) == entities)
  }
}
