extension Context {
  /// Describes the contents of the context at this moment, in some lines, for logs and debuggers.
  ///
  /// The first line has counts of ``statistics``. Then come the largest tables with the memory of
  /// their rows, groups, and collectors with what waits in them. Tables without entities and memory
  /// are only counted.
  ///
  /// ```swift
  /// print(context.dump())
  /// // shop: 3 entities, 3 tables, 1 group, 0 indexes, 1 collector, 0 views, 0 observers
  /// // tables:
  /// //   2 entities, 2,048 bytes: Order, Paid
  /// //   1 entity, 1,024 bytes: Order
  /// // groups:
  /// //   3 entities: all(Order)
  /// // collectors:
  /// //   1 entity waits: all(Paid)
  /// ```
  ///
  /// It is for reading: its form may change. What single entities are is said by
  /// ``Entity/dump(limit:)``.
  ///
  /// - Parameter limit: The number of tables, of groups and of collectors that are shown, the
  ///   largest ones first; of others, that there are some.
  /// - Returns: The text; no value of a component is in it.
  /// - Complexity: O(*t* log *t* + *g* log *g* + *c* log *c*), where *t* is the number of tables,
  ///   *g* that of groups, and *c* that of collectors, in one section.
  public func dump(limit: Int = 10) -> String {
    core.readingSection {
      let statistics = statistics
      var lines = ["\(name): \(statistics.summary)"]
      func add(_ title: String, _ parts: [(size: Int, text: String)]) {
        if parts.isEmpty { return }
        lines.append("\(title):")
        // In an order that is the same each time, also among those of one size.
        let sorted = parts.sorted { ($1.size, $0.text) < ($0.size, $1.text) }
        lines += sorted.prefix(max(0, limit)).map { "  \($0.text)" }
        if parts.count > limit { lines.append("  and \(parts.count - max(0, limit)) more") }
      }
      add(
        "tables",
        core.tableSizes.filter { $0.count > 0 || $0.bytes > 0 }.map { size, bytes, cids in
          let names = cids.isEmpty ? "no components" : cids.map(\.name).joined(separator: ", ")
          return (
            size, "\(quantity(size, "entity", "entities")), \(grouped(bytes)) bytes: \(names)"
          )
        })
      add(
        "groups",
        state.groups.values.map { group in
          (group.count, "\(quantity(group.count, "entity", "entities")): \(group.matcher)")
        })
      add(
        "collectors",
        core.backlogs.map { backlog in
          let waiting = quantity(backlog.count, "entity waits", "entities wait")
          return (backlog.count, "\(waiting): \(backlog.matcher)")
        })
      return lines.joined(separator: "\n")
    }
  }
}

extension Context.Statistics {
  fileprivate var summary: String {
    [
      quantity(entities, "entity", "entities"), quantity(tables, "table", "tables"),
      quantity(groups, "group", "groups"), quantity(indexes, "index", "indexes"),
      quantity(collectors, "collector", "collectors"), quantity(views, "view", "views"),
      quantity(observers, "observer", "observers"),
    ].joined(separator: ", ")
  }
}

private func quantity(_ count: Int, _ one: String, _ several: String) -> String {
  "\(grouped(count)) \(count == 1 ? one : several)"
}

/// A number with a comma before each three digits.
private func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0, index.isMultiple(of: 3) { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}
