#if SQLite
  import ECS

  /// The columns of the values of a source's links, by the addresses of the targets.
  typealias StoredLinkValues = [RowKey: [RowValue]]

  extension SessionLink {
    /// How values are put into columns; nil if links have none.
    var columnsOfValues: LinkColumns? { pairs?.values }

    /// Makes a link that the file has at an address; false if it can't be: it would close a circle
    /// where there must be none, or its value can't be read.
    func make(_ source: Entity, _ target: Entity, at address: RowKey?) -> Bool {
      guard let columns = columnsOfValues else { return relation.link(source, target, nil) }
      guard let address, let stored = values[source]?[address],
        let value = try? columns.read(stored)
      else { return false }
      return relation.link(source, target, value)
    }

    /// What a link of the context has in its columns, nil where there is no form for it; nil if
    /// there is no link.
    func present(_ source: Entity, _ target: Entity) -> [RowValue?]? {
      guard let columns = columnsOfValues else { return nil }
      return relation.value(source, target).map { columns.forms($0) }
    }

    /// The value of a link of the context with what some columns stand for; nil if there is no such
    /// link, or they can't be read.
    func merged(
      _ changed: ColumnSet, of stored: [RowValue], _ source: Entity, _ target: Entity
    ) -> (any Component)? {
      guard let columns = columnsOfValues, let value = relation.value(source, target) else {
        return nil
      }
      return try? columns.merge(value, stored, changed)
    }

    /// Gives a link of the context what some columns stand for; false if there is no such link, or
    /// they can't be read.
    func take(
      _ changed: ColumnSet, of stored: [RowValue], _ source: Entity, _ target: Entity
    ) -> Bool {
      guard let merged = merged(changed, of: stored, source, target) else { return false }
      return relation.link(source, target, merged)
    }

    /// Whether the file has a pair whose value can't be read, so that no link stands for it.
    func isUnreadable(_ stored: [RowValue]) -> Bool {
      guard let columns = columnsOfValues else { return false }
      return (try? columns.read(stored)) == nil
    }

    /// Gives the links of a source the values that they have in the file.
    func restoreValues(of source: Entity, _ tables: [SessionTable]) {
      if columnsOfValues == nil { return }
      for (address, stored) in values[source] ?? [:] {
        guard let target = tables[target].entityOrFault(at: address),
          let present = present(source, target)
        else { continue }
        let changed = LinkColumns.difference(stored, present)
        if !changed.isEmpty { _ = take(changed, of: stored, source, target) }
      }
    }

    /// Whether links of a source have other values than in the file.
    func hasOtherValues(_ source: Entity, _ tables: [SessionTable]) -> Bool {
      if columnsOfValues == nil { return false }
      return (values[source] ?? [:]).contains { address, stored in
        guard let target = tables[target].entityOrFault(at: address),
          let present = present(source, target)
        else { return false }
        return !LinkColumns.difference(stored, present).isEmpty
      }
    }

    /// Whether values are the same, byte by byte.
    static func areSame(_ one: StoredLinkValues, _ other: StoredLinkValues) -> Bool {
      one.count == other.count
        && one.allSatisfy { key, values in
          other[key].map { LinkColumns.difference(values, $0).isEmpty } ?? false
        }
    }
  }
#endif
