import ECSRecipes
import ECSTestSupport
import Synchronization
import Testing

@Suite(.noHangs) struct RecipeBoxTests {
  private func recipe(_ name: String) throws -> Recipe {
    try Recipe(name) { Fields(of: Point()) { Field(\.x, at: "x") } }
  }

  @Test func `Recipes are found by name, in the order in which they were added`() throws {
    let box = RecipeBox()
    for name in ["z", "a", "m"] { try box.add(try recipe(name)) }
    expectEqual(box.names, ["z", "a", "m"])
    expectEqual(box["a"]?.name, "a")
    expectEqual(box.remove("a")?.name, "a")
    expectNil(box.remove("a"))
    expectNil(box["a"])
    expectEqual(box.names, ["z", "m"])
    expectEqual(box.count, 2)
  }

  @Test func `Unnamed recipes and duplicates are refused`() throws {
    let box = RecipeBox()
    let (unnamed, named) = (try recipe(""), try recipe("a"))
    #expect(throws: RecipeBox.AddError.unnamed) { try box.add(unnamed) }
    try box.add(named)
    #expect(throws: RecipeBox.AddError.duplicate(name: "a")) { try box.add(named) }
    expectEqual(box.names, ["a"])
  }

  @Test func `Observers hear of each change, even their own, until they are canceled`() throws {
    let box = RecipeBox()
    let (first, second) = (try recipe("a"), try recipe("b"))
    let events = Mutex<[RecipeBox.Event]>([])
    let observation = box.observe { event in
      events.withLock { $0.append(event) }
      if event == .added(first) { try? box.add(second) }
    }
    try box.add(first)
    box.remove("a")
    expectEqual(events.withLock { $0 }, [.added(first), .added(second), .removed(first)])
    observation.cancel()
    box.remove("b")
    expectEqual(events.withLock { $0.count }, 3)
  }
}

/// Eight threads on one box.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct RecipeBoxRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  @Test func `Each recipe is added and removed by one thread at a time, and reported once`() throws
  {
    let box = RecipeBox()
    let recipes = try (0..<4).map { number in
      try Recipe("r\(number)") { Fields(of: Point()) { Field(\.x, at: "x") } }
    }
    let (additionsTold, removalsTold) = (Tally(), Tally())
    let observation = box.observe { event in
      switch event {
      case .added: additionsTold.add()
      case .removed: removalsTold.add()
      }
    }
    let (added, refused, removed, wrong) = (Tally(), Tally(), Tally(), Tally())
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Self.steps {
        let recipe = recipes[random.below(recipes.count)]
        switch random.below(8) {
        case 0: if (try? box.add(recipe)) != nil { added.add() } else { refused.add() }
        case 1: if box.remove(recipe.name) != nil { removed.add() }
        case 2: if box.names.count > recipes.count { wrong.add() }
        default: if let found = box[recipe.name], found != recipe { wrong.add() }
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectTrue(added.value > 0 && refused.value > 0)
    expectEqual(box.count, added.value - removed.value)
    expectEqual(additionsTold.value, added.value)
    expectEqual(removalsTold.value, removed.value)
    observation.cancel()
  }

  @Test func `Observers come and go while recipes do`() throws {
    let box = RecipeBox()
    let recipe = try Recipe("r") { Fields(of: Point()) { Field(\.x, at: "x") } }
    let (told, added, removed) = (Tally(), Tally(), Tally())
    let observation = box.observe { _ in told.add() }
    Threads.run(Self.threads) { thread in
      var own: RecipeBox.Observation?
      for step in 0..<Self.steps {
        switch step % 16 {
        case 0: own = box.observe { [weak box] _ in _ = box?["r"] }
        case 4: own?.cancel()
        case 8: own = nil
        case 12: if thread % 2 == 0, (try? box.add(recipe)) != nil { added.add() }
        case 14: if thread % 2 == 1, box.remove("r") != nil { removed.add() }
        default: _ = box["r"]
        }
      }
    }
    expectEqual(box.count, added.value - removed.value)
    expectEqual(told.value, added.value + removed.value)
    observation.cancel()
  }
}
