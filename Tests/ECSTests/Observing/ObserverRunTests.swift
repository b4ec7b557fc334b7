import ECS
import ECSTestSupport
import Testing

/// Observers of one component's values, whose values are read once for all of them.
@Suite struct ObserverRunTests {
  let context = Context()
  let group: Group
  let entity: Entity
  let told = Recorder<String>()

  init() {
    group = context.group(Health.matcher)
    entity = context.createEntity(with: Health(points: 1), Name("a"))
  }

  private func observe(_ label: String, _ also: @escaping @Sendable () -> Void = {}) -> Subscription
  {
    group.observeChanges(of: Health.self) { [told] _, old, new in
      told.append("\(label) \(old?.points ?? 0) \(new?.points ?? 0)")
      also()
    }
  }

  @Test func `Observers of values, of other values and of changes are notified in their order`() {
    let subscriptions = [
      observe("a"), observe("b"),
      group.observeChanges { [told] change in told.append("change \(change.kind)") },
      observe("c"),
      group.observeChanges(of: Name.self) { [told] _, old, new in
        told.append("name \(old?.text ?? "-") \(new?.text ?? "-")")
      },
      observe("d"),
    ]
    entity.set(Health(points: 2))
    expectEqual(told.take(), ["a 1 2", "b 1 2", "change updated", "c 1 2", "name - -", "d 1 2"])
    entity.destroy()
    expectEqual(told.take(), ["a 2 0", "b 2 0", "change removed", "c 2 0", "name a -", "d 2 0"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Observers of an entity skip what does not concern their component`() {
    let subscriptions = (0..<3).map { number in
      entity.observeChanges(of: Health.self) { [told] _, _, new in
        told.append("\(number) \(new?.points ?? 0)")
      }
    }
    entity.set(Name("b"))
    expectTrue(told.items.isEmpty)
    entity.set(Health(points: 5))
    expectEqual(told.items, ["0 5", "1 5", "2 5"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `An observer ends others of its run, in front of it and behind it`() {
    let tokens = Recorder<Subscription>()
    let ending = Recorder<Int>()
    tokens.append(observe("a"))
    let middle = observe("b") {
      if ending.count == 1 { for token in tokens.items { token.cancel() } }
    }
    tokens.append(observe("c"))
    let last = observe("d")
    entity.set(Health(points: 2))
    expectEqual(told.take(), ["a 1 2", "b 1 2", "c 1 2", "d 1 2"])
    ending.append(1)
    entity.set(Health(points: 3))
    expectEqual(told.take(), ["a 2 3", "b 2 3", "d 2 3"])
    entity.set(Health(points: 4))
    expectEqual(told.take(), ["b 3 4", "d 3 4"])
    withExtendedLifetime((middle, last)) {}
  }

  @Test func `An observer that makes the change void is the last to be notified`() {
    let subscriptions = [
      observe("a"), observe("b") { [entity] in entity.remove(Health.self) }, observe("c"),
    ]
    entity.set(Health(points: 2))
    // All are notified of the end; the update is void for the last one.
    expectEqual(told.items, ["a 1 2", "b 1 2", "a 2 0", "b 2 0", "c 2 0"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Owners that are gone leave their run`() {
    final class Owner: Sendable {}
    var owner: Owner? = Owner()
    let first = observe("a")
    if let owner {
      group.observeChanges(of: Health.self, by: owner) { [told] _, _, _, new in
        told.append("owner \(new?.points ?? 0)")
      }
    }
    let last = observe("b")
    entity.set(Health(points: 2))
    expectEqual(told.take(), ["a 1 2", "owner 2", "b 1 2"])
    owner = nil
    entity.set(Health(points: 3))
    expectEqual(told.take(), ["a 2 3", "b 2 3"])
    withExtendedLifetime((first, last)) {}
  }

  @Test(arguments: [false, true])
  func `Journals learn which one of a run made a change`(beginsInside: Bool) {
    let journals = Recorder<Subscription>()
    let causes = Recorder<String>()
    let context = context
    let other = context.createEntity()
    let begin: @Sendable () -> Void = {
      guard journals.count == 0 else { return }
      journals.append(
        context.journal().observe { commit in causes.append("\(commit.map(\.cause.name).suffix(2))")
        }
      )
    }
    if !beginsInside { begin() }
    let names = ["first", "second", "third"]
    let subscriptions = names.map { name in
      group.observeChanges(of: Health.self, .updated, name: name) { _, _, _ in
        if name == "first" { begin() } else { other.set(Tag()) }
      }
    }
    entity.set(Health(points: 2))
    expectEqual(causes.items, [#"["second", "third"]"#])
    withExtendedLifetime(subscriptions) {}
  }

  /// Runs a random program with observers of values; the ones between them that are notified of
  /// nothing of interest keep them from being called together.
  private func play(seed: UInt64, separated: Bool) -> [String] {
    let context = Context()
    let group = context.group(Health.matcher)
    let told = Recorder<String>()
    let tokens = Recorder<[Subscription]>()
    tokens.append([])
    var random = SplitMix64(seed: seed)
    let entities = (0..<4).map { context.createEntity(with: Health(points: Int32($0)), Name("n")) }
    var others: [Subscription] = []
    var count = 0
    func observe() {
      let (number, deed) = (count, random.below(12))
      count += 1
      let kinds: ChangeKinds = [.addedUpdatedOrRemoved, .updated, .removed, .added][random.below(4)]
      let victim = random.below(count)
      if separated { others.append(group.observeChanges(kinds) { _ in }) }
      let token = group.observeChanges(of: Health.self, kinds) { entity, old, new in
        let place = entities.firstIndex(of: entity) ?? -1
        told.append("\(number): \(place) \(old?.points ?? -1) \(new?.points ?? -1)")
        switch deed {
        case 0: tokens.items[0][min(victim, tokens.items[0].count - 1)].cancel()
        case 1: entity.remove(Health.self)
        case 2 where (new?.points ?? 99) < 5: entity.set(Health(points: (new?.points ?? 0) + 1))
        case 3 where !entity.has(Health.self): entity.set(Health(points: 9))
        default: break
        }
      }
      tokens.append((tokens.take().first ?? []) + [token])
    }
    for _ in 0..<40 {
      switch random.below(5) {
      case 0: observe()
      case 1 where count > 0: tokens.items[0][random.below(count)].cancel()
      default:
        context.perform {
          for _ in 0..<random.below(4) {
            let entity = entities[random.below(entities.count)]
            switch random.below(4) {
            case 0: entity.remove(Health.self)
            case 1: entity.set(Name("m"))
            default: entity.set(Health(points: Int32(random.below(8))))
            }
          }
        }
      }
    }
    withExtendedLifetime(others) {}
    return told.items
  }

  @Test func `Observers of values are notified of the same whatever is between them`() {
    var count = 0
    for seed in 0..<60 as Range<UInt64> {
      let together = play(seed: seed, separated: false)
      expectEqual(together, play(seed: seed, separated: true), "seed \(seed)")
      count += together.count
    }
    expectGreaterThan(count, 500)
  }
}
