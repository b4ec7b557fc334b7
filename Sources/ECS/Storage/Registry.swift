/// Something that is in a ``Registry``, in one at a time.
protocol Registrable: AnyObject {
  /// Where it is in its registry, which keeps it up to date.
  var registryPlace: Int { get set }
}

/// Objects in the order in which they came, each of which can go in constant time.
///
/// What goes leaves a gap; when most places are gaps, the others close up.
struct Registry<Element: Registrable> {
  // INVARIANT: an element in `places[place]` has this place as its `registryPlace`.
  private var places: ContiguousArray<Element?> = []

  /// The number of objects.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Adds an object, as the last one, that is in no registry.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(_ element: Element) {
    element.registryPlace = places.count
    places.append(element)
    count += 1
  }

  /// Removes an object; false, having done nothing, if it is not here.
  ///
  /// - Complexity: O(1), amortised.
  mutating func remove(_ element: Element) -> Bool {
    let place = element.registryPlace
    guard place < places.count, places[place] === element else { return false }
    places[place] = nil
    count -= 1
    if count * 2 + 16 < places.count { closeUp() }
    return true
  }

  private mutating func closeUp() {
    var kept = ContiguousArray<Element?>()
    kept.reserveCapacity(count)
    for element in self {
      element.registryPlace = kept.count
      kept.append(element)
    }
    places = kept
  }

  mutating func removeAll() { self = Registry() }
}

extension Registry: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate let places: ContiguousArray<Element?>
    fileprivate var position = 0

    mutating func next() -> Element? {
      while position < places.count {
        defer { position += 1 }
        if let element = places[position] { return element }
      }
      return nil
    }
  }

  /// Visits the objects that are there now, in the order in which they came.
  func makeIterator() -> Iterator { Iterator(places: places) }
}
