#if Inspector
  import ECS
  import ECSSnapshots
  import JSONValues

  /// The numbers and the lists of a context.
  struct ContextLists {
    private let context: Context
    private let inspection: ContextInspection

    init(_ context: Context) {
      (self.context, inspection) = (context, ContextInspection(context))
    }

    /// The numbers of the context, by the names that `Context.Statistics` has for them.
    var statistics: JSONValue {
      let statistics = context.statistics
      return [
        "entities": .count(statistics.entities), "tables": .count(statistics.tables),
        "groups": .count(statistics.groups), "indexes": .count(statistics.indexes),
        "collectors": .count(statistics.collectors), "backlog": .count(statistics.backlog),
        "largestBacklog": statistics.largestBacklog.map(ContextLists.shown) ?? .null,
        "views": .count(statistics.views), "observers": .count(statistics.observers),
        "runaways": .count(statistics.runaways),
        "droppedElements": .count(statistics.droppedElements),
        "staleWrites": .count(statistics.staleWrites), "lastCommit": .count(context.lastCommit),
      ]
    }

    /// The components that entities have.
    func components(_ schema: Schema?) -> JSONValue {
      let editable = Set(schema?.cids ?? [])
      var counts: [CID: Int] = [:]
      for table in inspection.tables {
        for cid in table.components { counts[cid, default: 0] += table.entities }
      }
      return .array(
        counts.sorted { ($0.key.name, $0.key) < ($1.key.name, $1.key) }.map { cid, count in
          [
            "name": .string(cid.name), "entities": .count(count),
            "editable": .bool(editable.contains(cid)),
            "unique": .bool(cid.isUnique),
          ]
        })
    }

    /// A list by its name; nil if there is none of that name.
    func list(_ name: String) -> JSONValue? {
      switch name {
      case "tables": tables
      case "groups":
        ContextLists.shown(
          inspection.groups.map { (matcher, count) in
            (count, "\(matcher)", ["matcher": .short("\(matcher)"), "entities": .count(count)])
          })
      case "collectors":
        ContextLists.shown(
          inspection.backlogs.map { ($0.count, "\($0.matcher)", ContextLists.shown($0)) })
      case "indexes": ContextLists.shown(keyed(aggregates: false) + ordered)
      case "aggregates": ContextLists.shown(keyed(aggregates: true))
      default: nil
      }
    }

    private var tables: JSONValue {
      ContextLists.shown(
        inspection.tables.filter { $0.entities > 0 || $0.bytes > 0 }.map { table in
          let names = table.components.map(\.name).sorted()
          return (
            table.entities, names.joined(separator: ", "),
            [
              "components": .array(names.map { .string($0) }),
              "entities": .count(table.entities), "bytes": .count(table.bytes),
            ]
          )
        })
    }

    private func keyed(aggregates: Bool) -> [(Int, String, JSONValue)] {
      inspection.keyedContents(largest: 20).filter { $0.contents.isAggregate == aggregates }.map {
        found in
        let contents = found.contents
        let kind = found.isPrimary ? "\(found.component), one for each" : "\(found.component)"
        let key = found.path.isEmpty ? contents.keyType : found.path.joined(separator: ", ")
        let name = "\(kind) by \(key)"
        if aggregates {
          return (contents.entities, name, ContextLists.shown(contents, name, found.component))
        }
        let largest = contents.largest.map { entry -> JSONValue in
          [
            "key": .short(ValueText(entry.key, limit: ValueText.shortest).text),
            "entities": .count(entry.entities),
          ]
        }
        return (
          contents.entities, name,
          [
            "name": .short(name), "keys": .count(contents.keys),
            "entities": .count(contents.entities), "largest": .array(largest),
          ]
        )
      }
    }

    private var ordered: [(Int, String, JSONValue)] {
      inspection.orderedIndexes.map { found in
        func text(_ key: Any?) -> JSONValue {
          key.map { .short(ValueText($0, limit: ValueText.shortest).text) } ?? .null
        }
        let name = "\(found.component) by \(found.keyType), in order"
        return (
          found.entities, name,
          [
            "name": .short(name), "entities": .count(found.entities),
            "lowest": text(found.lowest), "highest": text(found.highest),
          ]
        )
      }
    }

    private static func shown(
      _ contents: KeyedContents, _ name: String, _ component: CID
    ) -> JSONValue {
      let total =
        contents.total.map { JSONValue.short(ValueText($0, limit: ValueText.shortest).text) }
        ?? .null
      guard contents.keyType != "AllEntities" else {
        return ["name": .string("\(component)"), "value": total]
      }
      let largest = contents.largest.map { entry -> JSONValue in
        [
          "key": .short(ValueText(entry.key, limit: ValueText.shortest).text),
          "value": entry.value.map { .short(ValueText($0, limit: ValueText.shortest).text) }
            ?? .null,
        ]
      }
      return [
        "name": .short(name), "value": total, "keys": .count(contents.keys),
        "largest": .array(largest),
      ]
    }

    private static func shown(_ backlog: Context.Statistics.Backlog) -> JSONValue {
      let kinds: [(ChangeKinds, String)] = [
        (.added, "added"), (.updated, "updated"), (.removed, "removed"),
      ]
      let names = kinds.filter { backlog.type.contains($0.0) }.map(\.1)
      return [
        "matcher": .short("\(backlog.matcher)"),
        "kinds": .string(names.joined(separator: ", ")), "entities": .count(backlog.count),
      ]
    }

    /// Rows by size, the largest first, as many as a page has.
    private static func shown(_ rows: [(size: Int, name: String, row: JSONValue)]) -> JSONValue {
      let sorted = rows.sorted { ($1.size, $0.name) < ($0.size, $1.name) }
      return [
        "rows": .array(sorted.prefix(EntityQuery.largestPage).map(\.row)),
        "more": .count(max(0, rows.count - EntityQuery.largestPage)),
      ]
    }
  }
#endif
