#if Inspector
  import ECS
  import ECSSnapshots
  import JSONValues

  /// The entities of a context, in pages and one by one.
  struct EntityPages {
    private let context: Context
    private let inspection: ContextInspection

    init(_ context: Context) {
      (self.context, inspection) = (context, ContextInspection(context))
    }

    /// The components that entities have, or have had since tables without entities were freed.
    var cids: Set<CID> { Set(inspection.tables.flatMap(\.components)) }

    /// A page of entities.
    func page(_ question: Question, limit: Duration) throws(Failure) -> JSONValue {
      let query = try EntityQuery(question, ComponentNames(cids))
      var search = EntitySearch(context, query, limit: limit)
      let result = try search.run()
      var (rows, size): ([JSONValue], Int) = ([], 0)
      for entity in result.page {
        let limit = size < EntityPages.largestAnswer ? ValueText.shortest : 20
        guard let row = row(entity, query, limit: limit) else { continue }
        size += row.data().count
        rows.append(row)
      }
      return [
        "total": .count(result.total), "complete": .bool(result.isComplete),
        "from": .count(query.range.lowerBound), "rows": .array(rows),
      ]
    }

    /// How many bytes a page of entities has before the texts of the others are cut to a few
    /// characters.
    private static var largestAnswer: Int { 1 << 20 }

    private func row(_ entity: Entity, _ query: EntityQuery, limit: Int) -> JSONValue? {
      // One after the other: what was destroyed since is left out.
      let (components, values) = context.reading {
        let components = inspection.components(of: entity)
        return (
          components,
          query.shown(of: components).compactMap { cid in cid.value(of: entity).map { (cid, $0) } }
        )
      }
      guard entity.isAlive || !components.isEmpty else { return nil }
      var shown: JSONObject = [:]
      for (cid, value) in values { shown[cid.name] = .shown(value, in: context, limit: limit) }
      return [
        "id": .string(entity.label),
        "components": .array(components.map { .string($0.name) }.sorted { "\($0)" < "\($1)" }),
        "values": .object(shown),
      ]
    }

    /// An entity by its slot and generation.
    func entity(_ label: String) throws(Failure) -> Entity {
      let name = try EntityName(label)
      guard let entity = inspection.entity(slot: name.slot, generation: name.generation) else {
        throw Failure(410, "the entity \(name.slot).\(name.generation) is dead")
      }
      return entity
    }

    /// All of an entity, with its links; what is past can't be edited.
    func details(
      of entity: Entity, _ schema: Schema?, isPast: Bool
    ) throws(Failure) -> JSONObject {
      let seen = context.reading {
        entity.isAlive
          ? (
            components: entity.components(),
            links: entity.linksOfBothEnds(limit: EntityQuery.largestPage)
          ) : nil
      }
      guard let seen else { throw Failure(410, "the entity \(entity.label) is dead") }
      let components = seen.components.sorted { $0.shownName < $1.shownName }
      var (links, backlinks): ([JSONValue], [JSONValue]) = ([], [])
      var more = seen.links.more
      for link in seen.links.links {
        let isOwn = link.source == entity
        guard (isOwn ? links.count : backlinks.count) < EntityQuery.largestPage else {
          more += 1
          continue
        }
        let other = isOwn ? link.target : link.source
        var shown: JSONObject = [
          "relation": .short("\(link.relation)"), isOwn ? "to" : "from": .string(other.label),
          "label": .short("\(other)"),
        ]
        if let value = link.value { shown["value"] = .short("\(value)") }
        if isOwn { links.append(.object(shown)) } else { backlinks.append(.object(shown)) }
      }
      return [
        "id": .string(entity.label),
        "components": .array(
          components.map { component in
            let editable = isPast ? nil : EditableValue(component, in: context, schema)
            var shown: JSONObject = [
              "name": .string(component.shownName),
              "value": .shown(component, in: context, editable),
              "editable": .bool(editable != nil),
            ]
            if let editable { shown["version"] = .string(editable.version) }
            return .object(shown)
          }),
        "links": .array(links), "backlinks": .array(backlinks), "moreLinks": .count(more),
      ]
    }
  }

  extension Component {
    var shownName: String { Self.cid.name }
  }
#endif
