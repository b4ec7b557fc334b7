/// A first-in, first-out queue.
struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var first = 0

  var count: Int { elements.count - first }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Takes out all elements but so many of the first ones.
  mutating func removeAll(beyond count: Int) {
    guard count < self.count else { return }
    elements.removeLast(self.count - count)
    if first == elements.count {
      elements.removeAll(keepingCapacity: true)
      first = 0
    }
  }

  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements = elements[first...].filter { element in element.map { !isUnwanted($0) } ?? false }
    first = 0
  }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    // PERFORMANCE: V3: mostly there is one.
    if elements.count == 1 { return elements.removeLast() }
    let element = elements[first]
    elements[first] = nil
    first += 1
    if first == elements.count {
      elements.removeAll(keepingCapacity: first < 1024)
      first = 0
    } else if first >= 1024, first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
