import ECS

/// A list on a screen: it has rows of its own, and takes over differences.
///
/// A table view would be given the same insertions, removals and moves, and animate them.
final class Shelf: Sendable {
  private let subscription: Subscription

  init(_ view: LiveView) {
    subscription = view.observe(initial: true) { change in
      let difference = change.difference
      for place in difference.removals { print("  - row \(place.offset): \(place.entity.label)") }
      for move in difference.moves {
        print("  ~ row \(move.from) to row \(move.to): \(move.entity.label)")
      }
      for place in difference.insertions { print("  + row \(place.offset): \(place.entity.label)") }
      for place in difference.updates { print("  . row \(place.offset): \(place.entity.label)") }
    }
  }
}
