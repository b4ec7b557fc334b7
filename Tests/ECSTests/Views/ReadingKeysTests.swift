import ECS
import ECSTestSupport
import Testing

/// Keys and filters that read the view they belong to.
@Suite struct ReadingKeysTests {
  /// The view that keys read.
  // Set before there are changes, on the thread that makes them.
  private final class Place: @unchecked Sendable {
    var view: LiveView?
    func look() { _ = view?.count }
  }

  private struct Rank: Component {
    let place: Place
    var number: Int

    var key: Int {
      place.look()
      return number
    }

    var ownKey: Key { Key(place: place, number: number) }

    var isShown: Bool {
      place.look()
      return number >= 0
    }
  }

  /// Says which comes first by code of its own.
  private struct Key: Comparable, Sendable {
    let place: Place
    let number: Int

    static func < (left: Key, right: Key) -> Bool {
      left.place.look()
      return left.number < right.number
    }

    static func == (left: Key, right: Key) -> Bool { left.number == right.number }
  }

  @Test(arguments: 0..<3, [false, true])
  func `What has waited is in its place before a change in a transaction is`(
    way: Int, isTakenBack: Bool
  ) {
    struct Refusal: Error {}
    let context = Context()
    let place = Place()
    let group = context.group(Rank.matcher)
    let view =
      switch way {
      case 0: group.sorted(by: \Rank.key)
      case 1: group.sorted(by: \Rank.ownKey)
      default: group.filtered { (rank: Rank) in rank.isShown }.sorted(by: \Rank.number)
      }
    view.start()
    let entities = (0..<100).map { context.createEntity(with: Rank(place: place, number: $0 % 7)) }
    place.view = view
    // Components hold the view, and the view its context.
    defer { place.view = nil }
    var random = SplitMix64(seed: UInt64(way))
    for _ in 0..<200 {
      context.perform {
        // These wait.
        for _ in 0...random.below(3) {
          entities[random.below(100)].set(Rank(place: place, number: random.below(9) - 1))
        }
        try? context.transaction {
          entities[random.below(100)].set(Rank(place: place, number: random.below(9) - 1))
          if isTakenBack { throw Refusal() }
        }
      }
      let numbers = entities.map { ($0, $0.get(Rank.self)?.number ?? 0) }
      let expected = numbers.filter { way < 2 || $0.1 >= 0 }.enumerated()
        .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
      expectEqual(Array(view), expected)
    }
  }
}
