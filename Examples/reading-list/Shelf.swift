import ECS

/// A list on a screen: it has rows of its own, and takes over differences.
///
/// A table view would be given the same insertions, removals and moves, and animate them.
final class Shelf: Sendable {
  private let view: LiveView
  private let subscription: Subscription

  init(_ view: LiveView) {
    self.view = view
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

  /// Draws the rows as they are now, with how far each book is read.
  func draw() {
    for book in view {
      let share = book.get(Bookmark.self)?.share ?? 0
      let bar = String(repeating: "█", count: share / 5)
      let rest = String(repeating: "░", count: 20 - share / 5)
      let padding = String(repeating: " ", count: max(0, 14 - book.label.count))
      print("    \(book.label)\(padding) \(bar)\(rest) \(share) %")
    }
  }
}
