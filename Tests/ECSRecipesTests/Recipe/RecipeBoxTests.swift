import Dispatch
import ECSRecipes
import Synchronization
import Testing

@Suite struct RecipeBoxTests {
  private func recipe(_ name: String) throws -> Recipe {
    try Recipe(name) { Fields(of: Point()) { Field(\.x, at: "x") } }
  }

  @Test func `Recipes are found by name, in the order in which they were added`() throws {
    let box = RecipeBox()
    for name in ["z", "a", "m"] { try box.add(try recipe(name)) }
    #expect(box.names == ["z", "a", "m"])
    #expect(box["a"]?.name == "a")
    #expect(box.remove("a")?.name == "a")
    #expect(box.remove("a") == nil)
    #expect(box["a"] == nil)
    #expect(box.names == ["z", "m"])
    #expect(box.count == 2)
  }

  @Test func `Unnamed recipes and duplicates are refused`() throws {
    let box = RecipeBox()
    let (unnamed, named) = (try recipe(""), try recipe("a"))
    #expect(throws: RecipeBox.AddError.unnamed) { try box.add(unnamed) }
    try box.add(named)
    #expect(throws: RecipeBox.AddError.duplicate(name: "a")) { try box.add(named) }
    #expect(box.names == ["a"])
  }

  @Test func `Observers hear of each change, also of their own, until they are ended`() throws {
    let box = RecipeBox()
    let (first, second) = (try recipe("a"), try recipe("b"))
    let events = Mutex<[RecipeBox.Event]>([])
    let observation = box.observe { event in
      events.withLock { $0.append(event) }
      if event == .added(first) { try? box.add(second) }
    }
    try box.add(first)
    box.remove("a")
    #expect(events.withLock { $0 } == [.added(first), .added(second), .removed(first)])
    observation.cancel()
    box.remove("b")
    #expect(events.withLock { $0.count } == 3)
  }
}

@Suite struct RecipeBoxRaceTests {
  @Test func `Eight threads add, read and remove`() throws {
    let box = RecipeBox()
    let recipes = try (0..<8).map { number in
      try Recipe("r\(number)") { Fields(of: Point()) { Field(\.x, at: "x") } }
    }
    let events = Atomic(0)
    let observation = box.observe { _ in events.add(1, ordering: .relaxed) }
    let rounds = 12_000
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<rounds {
        try? box.add(recipes[number])
        _ = box.names
        box.remove(recipes[number].name)
      }
    }
    #expect(box.count == 0)
    #expect(events.load(ordering: .relaxed) == 8 * rounds * 2)
    observation.cancel()
  }
}
