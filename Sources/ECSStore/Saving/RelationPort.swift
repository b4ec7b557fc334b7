#if SQLite
  import ECS

  /// The operations of a session on a relation, whatever it is.
  struct RelationPort: Sendable {
    let id: ObjectIdentifier
    let isToOne: Bool
    let isOneToOne: Bool
    let targets: @Sendable (Entity) -> [Entity]
    let sources: @Sendable (Entity) -> [Entity]

    /// Links two entities, with a value if links have values, which replaces the one that is there;
    /// false if that would make a circle where there must be none.
    let link: @Sendable (_ source: Entity, _ target: Entity, (any Component)?) -> Bool

    /// The value of a link; nil if there is none.
    let value: @Sendable (_ source: Entity, _ target: Entity) -> (any Component)?
    let unlink: @Sendable (_ source: Entity, _ target: Entity) -> Void

    /// Makes a target of a source its last one.
    let moveLast: @Sendable (_ source: Entity, _ target: Entity) -> Void
    let collect: @Sendable (Collector) -> Void

    static func of(_ relation: any Relation.Type) -> RelationPort {
      if let hierarchy = relation as? any Hierarchy.Type { return hierarchyPort(hierarchy) }
      return port(relation)
    }

    private static func port<R: Relation>(_ relation: R.Type) -> RelationPort {
      RelationPort(
        relation,
        link: { source, target, value in
          source.relate(R.self, to: target, anyValue: value)
          return true
        })
    }

    private static func hierarchyPort<R: Hierarchy>(_ hierarchy: R.Type) -> RelationPort {
      RelationPort(
        hierarchy,
        link: { child, parent, value in
          do throws(HierarchyCycle) {
            try child.setParent(parent, in: R.self, anyValue: value)
            return true
          } catch {
            return false
          }
        })
    }

    private init<R: Relation>(
      _ relation: R.Type,
      link: @escaping @Sendable (Entity, Entity, (any Component)?) -> Bool
    ) {
      id = ObjectIdentifier(relation)
      isToOne = relation is any ToOneRelation.Type
      isOneToOne = relation is any OneToOneRelation.Type
      targets = { Array($0.targets(R.self).entities()) }
      sources = { Array($0.sources(R.self).entities()) }
      self.link = link
      value = { $0.anyValue(of: R.self, to: $1) }
      unlink = { $0.unrelate(R.self, from: $1) }
      moveLast = { $0.targets(R.self).move($1, before: nil) }
      collect = { $0.collectLinks(of: R.self) }
    }
  }
#endif
