/// The sections of a live view at one moment: its entities in order, divided by a key.
///
/// ```swift
/// let byName = context.group(Show.matcher).sorted(by: \Show.title)
/// let sections = byName.sections(by: \Show.title.first)
/// for section in sections { print(section.key ?? "-", byName[section.positions].count) }
/// ```
///
/// It says which positions belong together. The view has the entities: `view[section.positions]`.
/// Both agree until the view changes, so ask for sections where you use them: in the view's
/// observer, or in ``Context/perform(_:)``.
///
/// To tell a list which sections came and went, compare the keys with those of the previous notice,
/// and find out with ``place(of:)`` where the entities of a ``LiveViewDifference`` are:
///
/// ```swift
/// view.observe(by: list) { list, change in
///   let sections = change.view.sections(by: \Show.title.first)
///   let differences = sections.keys.difference(from: list.sections.keys)
///   list.sections = sections
/// }
/// ```
public struct LiveViewSections<Key: Hashable & Sendable>: Hashable, Sendable {
  /// Entities of a view that have the same key.
  public struct Section: Hashable, Sendable {
    /// The key; nil for the entities that have none.
    public let key: Key?

    /// The positions of the entities in the view.
    public let positions: Range<Int>
  }

  /// The keys of the sections, in order; nil is that of entities that have none.
  public let keys: [Key?]

  /// The number of entities of all sections.
  public let entityCount: Int

  /// The first position of each section.
  // INVARIANT: ascending, from 0 on, below `entityCount`, as many as keys.
  private let starts: [Int]

  init(keys: [Key?], starts: [Int], entityCount: Int) {
    self.keys = keys
    self.starts = starts
    self.entityCount = entityCount
  }

  /// The section of a position, and how far behind the section's first one it is, as lists with
  /// sections count; nil if there are not that many entities.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  public func place(of position: Int) -> (section: Int, offset: Int)? {
    guard position >= 0, position < entityCount else { return nil }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return (low, position - starts[low])
  }
}

extension LiveViewSections: RandomAccessCollection {
  /// The number of the first section: 0.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { keys.count }

  /// The section with a number.
  ///
  /// - Complexity: O(1).
  public subscript(number: Int) -> Section {
    let end = number + 1 < starts.count ? starts[number + 1] : entityCount
    return Section(key: keys[number], positions: starts[number]..<end)
  }
}

extension LiveView {
  /// The sections of the view at this moment, by what a closure makes of a component.
  ///
  /// ```swift
  /// let tasks = context.group(Task.matcher).sorted(by: \Task.due)
  /// tasks.sections(by: \Task.day).count
  /// tasks.sections { (task: Task) in task.due / 86_400 }
  /// ```
  ///
  /// Entities with equal keys have to follow each other, so sort the view by what the key is made
  /// of, or by the key itself. Builds for debugging look at all entities and stop if it is not so;
  /// in optimized ones sections still are ranges that cover all positions, but entities may be in
  /// the section of another key. Entities without a key (the component is missing, or the closure
  /// returns nil) have a section of their own: the last one, if the view is sorted by a property of
  /// that component. Inside an iteration, the order is that of its beginning, and keys are those of
  /// the moment: divide the view when the iteration has ended.
  ///
  /// Nothing is kept up to date for it: the view looks for the ends of sections in its order.
  ///
  /// - Parameter key: What to divide by. It runs in the context's critical section, for some
  ///   entities of each section, must depend only on the component, and must not change the
  ///   context, which stops with a message.
  /// - Returns: The sections at this moment.
  /// - Complexity: O(*s* log *m* log *n*) once the view is started, where *s* is the number of
  ///   sections, *m* that of entities of the largest one, and *n* that of all; otherwise O(*n* log
  ///   *n*).
  @inlinable
  public func sections<C: Component, Key: Hashable & Sendable>(
    by key: (C) -> Key?
  ) -> LiveViewSections<Key> {
    sections { core, handle in core.value(of: C.self, handle).flatMap(key) }
  }

  @usableFromInline
  func sections<Key: Hashable & Sendable>(
    _ key: (Core, Handle) -> Key?
  ) -> LiveViewSections<Key> {
    core.readingSection {
      guard let contents = contents() else {
        return LiveViewSections(keys: [], starts: [], entityCount: 0)
      }
      contents.settle()
      return core.refusingChanges(.sorting) {
        contents.sections {
          // What is not even equal to itself, such as NaN, is no key, as in sorting.
          guard let key = key(core, $0), key == key else { return nil }
          return key
        }
      }
    }
  }
}

extension LiveViewSink {
  fileprivate func sections<Key: Hashable & Sendable>(
    _ key: (Handle) -> Key?
  ) -> LiveViewSections<Key> {
    let end = count
    func keyOfEntity(at position: Int) -> Key? { key(nodes[nodes.node(at: position)].handle) }
    var (keys, starts): ([Key?], [Int]) = ([], [])
    var start = 0
    while start < end {
      let current = keyOfEntity(at: start)
      keys.append(current)
      starts.append(start)
      start = firstPosition(in: start + 1..<end) { keyOfEntity(at: $0) != current }
    }
    let sections = LiveViewSections(keys: keys, starts: starts, entityCount: end)
    assert(
      core.pointer.pointee.section.mode.contains(.iterating)
        || Set(keys).count == keys.count
          && sections.allSatisfy { section in
            section.positions.allSatisfy { keyOfEntity(at: $0) == section.key }
          },
      "Entities of a view that have the same section key do not follow each other: sort the view by what the key is made of, or by the key itself."
    )
    return sections
  }

  /// The first position of a range from which on all pass a test; its end if none does.
  ///
  /// Takes longer steps the further it gets, then halves the last one.
  private func firstPosition(in positions: Range<Int>, passing: (Int) -> Bool) -> Int {
    var (low, high, step) = (positions.lowerBound, positions.upperBound, 1)
    while low + step <= high {
      guard !passing(low + step - 1) else {
        high = low + step - 1
        break
      }
      low += step
      step *= 2
    }
    while low < high {
      let middle = (low + high) / 2
      if passing(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
