/// Elements, the first of which is the least.
struct PriorityQueue<Element: Comparable> {
  // INVARIANT: A binary heap: none is less than the one at half its position.
  private var elements: [Element] = []

  /// The least element; nil if there is none.
  var first: Element? { elements.first }

  /// - Complexity: O(log *n*).
  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the least element away; nil if there is none.
  ///
  /// - Complexity: O(log *n*).
  mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    elements[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
        if elements[child] < elements[least] { least = child }
      }
      if least == parent { return first }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}
