import Dispatch
import ECS
import ECSTestSupport
import Testing

/// The code of the article "Getting started".
@Suite(.noHangs) struct GettingStartedSnippets {
  struct Title: Component {
    let text: String
  }
  struct Pages: Component, Equatable {
    var read: Int
    var total: Int
  }
  struct Topic: Component {
    let name: String
  }
  struct Finished: Component {}

  struct Goal: UniqueComponent {
    var booksPerYear: Int
  }

  final class MarkFinished: ReactiveSystem {
    let collector: Collector

    init(_ context: Context) {
      collector = context.collector(for: Pages.matcher, type: .addedOrUpdated)
    }

    func execute(entities: EntitySet) {
      for entity in entities {
        guard let pages = entity.get(Pages.self), pages.read == pages.total else { continue }
        entity.set(Finished())
      }
    }
  }

  @Test func `The article's code works`() {
    let context = Context(name: "Reading list")
    let novel = context.createEntity(with: Title(text: "Flatland"), Pages(read: 0, total: 96))
    let essay = context.createEntity().set(Title(text: "On maps")).set(Topic(name: "maps"))

    if let pages = novel.get(Pages.self) { print(pages.total) }  // 96
    novel.update(Pages.self) { $0.read = 40 }
    essay.remove(Topic.self)
    essay.has(Topic.self) ? print("has a topic") : print("has none")
    #expect(novel.get(Pages.self) == Pages(read: 40, total: 96))
    #expect(!essay.has(Topic.self))

    let unfinished = context.group(Matcher(all: [Title.cid], none: [Finished.cid]))
    for entity in unfinished {
      print(entity.get(Title.self)?.text ?? "")
    }
    print(unfinished.count)  // 2
    #expect(unfinished.count == 2)

    let byTopic = context.index { (topic: Topic) in topic.name }
    essay.set(Topic(name: "cartography"))
    print(byTopic["cartography"].count)  // 1
    #expect(byTopic["cartography"].first == essay)

    context.setUniqueComponent(Goal(booksPerYear: 12))
    print(context.uniqueComponent(Goal.self)?.booksPerYear ?? 0)  // 12

    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "reading"), systems: [MarkFinished(context)])

    novel.update(Pages.self) { $0.read = 96 }
    loop.runUntilSettled()
    print(novel.has(Finished.self))  // true
    #expect(novel.has(Finished.self))
    #expect(unfinished.count == 1)

    let subscription = context.group(Finished.matcher).observe(.added) { change in
      print("finished:", change.entity)
    }
    essay.set(Finished())
    subscription.cancel()
    #expect(!subscription.isActive)
  }
}
