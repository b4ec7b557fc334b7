extension Entity {
  /// Describes the entity at this moment, in some lines, for logs and debuggers: its components
  /// with their values, and its links with theirs.
  ///
  /// ```swift
  /// print(entity.dump())
  /// // Entity 3.1
  /// //   Health(points: 5)
  /// //   Tag()
  /// //   ChildOf -> Entity 1.1 (Health)
  /// //   Entity 7.1 (Health) -> ChildOf
  /// ```
  ///
  /// It is for reading: its form may change. Entities in components are shown by their
  /// ``description``, so that entities may refer to each other in circles; for the same reason the
  /// values are not a part of what debuggers and `Swift.dump` show of a handle.
  ///
  /// - Parameter limit: The number of links that are shown, those that it has before those that
  ///   others have to it; of others, that there are some. What a single value is, is not cut.
  /// - Returns: The text; a dead entity has its number alone.
  /// - Complexity: O(*k* + *l*), where *k* is the number of its components, and *l* that of its
  ///   links. Values are described when the call has left the context's critical section.
  public func dump(limit: Int = 20) -> String {
    let seen = core.readingSection(keepsNothing: true) {
      isAlive ? (components: components(), links: linksOfBothEnds()) : nil
    }
    guard let (components, links) = seen else { return description }
    var lines = ["Entity \(label)"]
    lines += components.map { "  \($0)" }
    let ordered = links.filter { $0.source == self } + links.filter { $0.source != self }
    lines += ordered.prefix(max(0, limit)).map { link in
      let relation = "\(link.relation)"
      let value = link.value.map { ": \($0)" } ?? ""
      return link.source == self
        ? "  \(relation) -> \(link.target)\(value)" : "  \(link.source) -> \(relation)\(value)"
    }
    if ordered.count > limit { lines.append("  and \(ordered.count - max(0, limit)) more") }
    return lines.joined(separator: "\n")
  }
}
