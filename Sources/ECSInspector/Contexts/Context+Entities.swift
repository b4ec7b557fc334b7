#if Inspector
  import ECS
  import ECSSnapshots
  import JSONValues

  extension Context {
    var inspection: ContextInspection { ContextInspection(self) }

    /// The components that entities have, or have had since tables without entities were freed.
    var shownNames: ComponentNames { ComponentNames(Set(inspection.tables.flatMap(\.components))) }

    /// A page of entities.
    func shownEntities(_ question: Question, limit: Duration) throws(Failure) -> JSONValue {
      let query = try EntityQuery(question, shownNames)
      var search = EntitySearch(self, query, limit: limit)
      let result = search.run()
      return [
        "total": .count(result.total), "complete": .bool(result.isComplete),
        "from": .count(query.range.lowerBound),
        "rows": .array(result.page.compactMap { row($0, query) }),
      ]
    }

    private func row(_ entity: Entity, _ query: EntityQuery) -> JSONValue? {
      // One after the other: what was destroyed since is left out.
      let (components, values) = perform {
        let components = inspection.components(of: entity)
        return (
          components,
          query.shown(of: components).compactMap { cid in cid.value(of: entity).map { (cid, $0) } }
        )
      }
      guard entity.isAlive || !components.isEmpty else { return nil }
      var shown: JSONObject = [:]
      for (cid, value) in values { shown[cid.name] = .shown(value) }
      return [
        "id": .string(entity.label),
        "components": .array(components.map { .string($0.name) }.sorted { "\($0)" < "\($1)" }),
        "values": .object(shown),
      ]
    }

    /// An entity by its slot and generation.
    func shownEntity(_ label: String) throws(Failure) -> Entity {
      let name = try EntityName(label)
      guard let entity = inspection.entity(slot: name.slot, generation: name.generation) else {
        throw Failure(410, "the entity \(name.slot).\(name.generation) is dead")
      }
      return entity
    }

    /// All of an entity, with its links.
    func shownDetails(of entity: Entity, _ schema: Schema?) throws(Failure) -> JSONObject {
      let seen = perform {
        entity.isAlive
          ? (components: entity.components(), links: entity.linksOfBothEnds()) : nil
      }
      guard let seen else { throw Failure(410, "the entity \(entity.label) is dead") }
      let components = seen.components.sorted { $0.shownName < $1.shownName }
      var (links, backlinks): ([JSONValue], [JSONValue]) = ([], [])
      var more = 0
      for link in seen.links {
        let isOwn = link.source == entity
        guard (isOwn ? links.count : backlinks.count) < EntityQuery.largestPage else {
          more += 1
          continue
        }
        let other = isOwn ? link.target : link.source
        let shown: JSONValue = [
          "relation": .string("\(link.relation)"), isOwn ? "to" : "from": .string(other.label),
          "label": .string(ValueText(other).text),
        ]
        if isOwn { links.append(shown) } else { backlinks.append(shown) }
      }
      return [
        "id": .string(entity.label),
        "components": .array(
          components.map { component in
            let value = JSONValue.shown(component, schema)
            return [
              "name": .string(component.shownName), "value": value,
              "editable": .bool(value["json"] != nil),
            ]
          }),
        "links": .array(links), "backlinks": .array(backlinks), "moreLinks": .count(more),
      ]
    }
  }

  extension Component {
    var shownName: String { Self.cid.name }
  }
#endif
