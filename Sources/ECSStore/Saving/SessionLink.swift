#if SQLite
  import ECS

  /// A relation in a session: the links as they are in the file, by their sources.
  // Guarded by the lock of the hub.
  final class SessionLink {
    let plan: LinkPlan

    /// The numbers of the tables of the relation's sources and targets.
    let source: Int
    let target: Int
    let relation: RelationPort

    /// Whether the one whose recipe nests is the source.
    let isFromOwner: Bool

    /// Whether another table keeps links of the relation from the same sources.
    var isShared = false

    /// The addresses of the targets in the file, in order; of no entity none.
    private(set) var shadow = EntityMap<[RowKey]>()

    /// Those of them that no link stands for in the context: a row that is not here, or a circle
    /// where there must be none.
    ///
    /// Their absence is no change: a save leaves them as they are.
    // INVARIANT: They are targets of the shadow, of the same source.
    private(set) var absent = EntityMap<[RowKey]>()

    /// The values of links in the file, by their sources and the addresses of their targets; none
    /// if links have no values.
    // INVARIANT: There is one for each target of the shadow, if links have values.
    private(set) var values = EntityMap<StoredLinkValues>()

    init(_ plan: LinkPlan, _ relation: any Relation.Type, isFromOwner: Bool) {
      (self.plan, self.isFromOwner) = (plan, isFromOwner)
      self.relation = RelationPort.of(relation)
      (source, target) = isFromOwner ? (plan.owner, plan.nested) : (plan.nested, plan.owner)
    }

    /// The places of its columns among those of links; nil if it has a table of pairs.
    var columns: [Int]? { if case .columns(let columns) = plan.storage { columns } else { nil } }

    var pairs: LinkPlan.PairTable? {
      if case .pairs(let table) = plan.storage { table } else { nil }
    }

    /// What it is called in messages.
    var name: String { "\(plan.relation.path)" }

    func targets(of entity: Entity, _ tables: [SessionTable]) -> [Entity] {
      let all = relation.targets(entity)
      return isShared ? all.filter { $0.has(tables[target].plan.root) } : all
    }

    // MARK: Links that can't stay beside each other

    /// Whether the file may have links that can't all be links of the context.
    ///
    /// A column has one target, so that another column, table of pairs or row has the other one.
    var mayHaveRivals: Bool {
      relation.isToOne && (isShared || pairs != nil) || relation.isOneToOne
    }

    /// Whether it keeps other links of the same relation from the same sources.
    func isRival(of other: SessionLink) -> Bool {
      self !== other && relation.isToOne && relation.id == other.relation.id
        && source == other.source
    }

    /// Whether the context has a link that would give way to one between two entities.
    func hasRival(_ source: Entity, _ target: Entity) -> Bool {
      mayHaveRivals && !(relation.targets(source).isEmpty && rivals(of: source, at: target).isEmpty)
    }

    /// The other sources of a target that can have one only.
    func rivals(of source: Entity, at target: Entity) -> [Entity] {
      relation.isOneToOne ? relation.sources(target).filter { $0 != source } : []
    }

    // MARK: The file

    func setShadow(
      _ targets: [RowKey], absent: [RowKey] = [], values: StoredLinkValues = [:], of entity: Entity
    ) {
      shadow[entity] = targets.isEmpty ? nil : targets
      if columnsOfValues != nil { self.values[entity] = values.isEmpty ? nil : values }
      setAbsent(absent, of: entity)
    }

    // PERFORMANCE: K3: mostly none is absent, which takes no step here.
    func addShadow(_ target: RowKey, _ value: [RowValue], of entity: Entity) {
      shadow[entity, default: []].append(target)
      if columnsOfValues != nil { values[entity, default: [:]][target] = value }
    }

    func setAbsent(_ targets: [RowKey], of entity: Entity) {
      if targets.isEmpty, absent.isEmpty { return }
      absent[entity] = targets.isEmpty ? nil : targets
    }

    func addAbsent(_ target: RowKey, of entity: Entity) {
      absent[entity, default: []].append(target)
    }

    /// Gives an entity what another one had.
    func move(from former: Entity, to entity: Entity) {
      if let targets = shadow.removeValue(for: former) { shadow[entity] = targets }
      if let targets = absent.removeValue(for: former) { absent[entity] = targets }
      if let values = values.removeValue(for: former) { self.values[entity] = values }
    }

    func forget(_ entity: Entity) {
      shadow[entity] = nil
      absent[entity] = nil
      if columnsOfValues != nil { values[entity] = nil }
    }

    /// The targets in the file that links of the context stand for, unless some were removed.
    func linked(_ entity: Entity) -> [RowKey] {
      let targets = shadow[entity] ?? []
      guard let absent = absent[entity] else { return targets }
      return targets.filter { !absent.contains($0) }
    }

    /// What the file is to have of a source's targets: those of the context, and those that are
    /// absent, in their places.
    func kept(_ present: [RowKey], of entity: Entity) -> [RowKey] {
      kept(present, shadow[entity] ?? [], absent: absent[entity] ?? [])
    }

    func kept(_ present: [RowKey], _ shadow: [RowKey], absent: [RowKey]) -> [RowKey] {
      if absent.isEmpty { return present }
      let gone = Set(absent)
      let linked = shadow.filter { !gone.contains($0) }
      // Another one was put in its place.
      if relation.isToOne, present != linked { return present.isEmpty ? absent : present }
      return [RowKey].merged(linked, present, shadow)
    }
  }
#endif
