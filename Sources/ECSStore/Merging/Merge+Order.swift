#if SQLite
  extension Array where Element: Hashable {
    /// The targets of a source that both sides have changed, and their order.
    ///
    /// What one side has added or removed, it has in the end; what both have kept is in the order
    /// of the side that has moved it: as saved, if both have. What comes in between on the other
    /// side comes behind the same one.
    static func merged(_ base: [Element], _ local: [Element], _ stored: [Element]) -> [Element] {
      let (before, here, there) = (Set(base), Set(local), Set(stored))
      func common(_ all: [Element]) -> [Element] {
        all.filter { before.contains($0) && here.contains($0) && there.contains($0) }
      }
      let isMovedHere = common(local) != common(base) && common(stored) == common(base)
      let (leading, other) = isMovedHere ? (local, stored) : (stored, local)
      let (known, present) = (Set(leading), Set(other))
      var merged = leading.filter { !before.contains($0) || present.contains($0) }
      func isNew(_ target: Element) -> Bool { !before.contains(target) && !known.contains(target) }
      let last = other.reversed().prefix(while: isNew).count
      for (index, target) in other.dropLast(last).enumerated() where isNew(target) {
        let previous = index == 0 ? nil : merged.firstIndex(of: other[index - 1])
        merged.insert(target, at: index == 0 ? 0 : previous.map { $0 + 1 } ?? merged.count)
      }
      return merged + other.suffix(last)
    }
  }
#endif
