extension Context {
  /// Keeps the sum of integers of all entities, without keys: its ``Aggregate/total``.
  ///
  /// ```swift
  /// let hours = context.sum(of: \Task.hours)
  /// hours.total ?? 0
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The sum, which is kept as long as it is referenced or observed.
  /// - Complexity: As of ``count(by:in:)``.
  @inlinable
  public func sum<C: Component>(
    of value: @escaping @Sendable (C) -> Int, in group: Group? = nil
  ) -> Aggregate<AllEntities, Int> {
    sum(of: value, by: { (_: C) in .all }, in: group)
  }

  /// Keeps the sum of floating-point values of all entities, without keys: its ``Aggregate/total``.
  ///
  /// It is as exact as that of ``sum(of:by:in:)-((C)->Double,_,_)``.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The sum, which is kept as long as it is referenced or observed.
  /// - Complexity: As of ``count(by:in:)``.
  @inlinable
  public func sum<C: Component>(
    of value: @escaping @Sendable (C) -> Double, in group: Group? = nil
  ) -> Aggregate<AllEntities, Double> {
    sum(of: value, by: { (_: C) in .all }, in: group)
  }

  /// Keeps the average of all entities, without keys: its ``Aggregate/total``.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The average, which is kept as long as it is referenced or observed.
  /// - Complexity: As of ``count(by:in:)``.
  @inlinable
  public func average<C: Component>(
    of value: @escaping @Sendable (C) -> Double, in group: Group? = nil
  ) -> Aggregate<AllEntities, Double> {
    average(of: value, by: { (_: C) in .all }, in: group)
  }

  /// Keeps the lowest and the highest value of all entities, without keys: its ``Aggregate/total``.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The extremes, which are kept as long as it is referenced or observed.
  /// - Complexity: As of ``extremes(of:by:in:)``.
  @inlinable
  public func extremes<C: Component, Value: Comparable & Sendable>(
    of value: @escaping @Sendable (C) -> Value, in group: Group? = nil
  ) -> Aggregate<AllEntities, ClosedRange<Value>> {
    extremes(of: value, by: { (_: C) in .all }, in: group)
  }

  /// Keeps what a closure combines the values of all entities to, without keys: its
  /// ``Aggregate/total``.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only; nil if the entity does not count.
  ///   - group: Whose entities count; nil if these are all that have the component.
  ///   - combine: Combines two values, in any order and any pairs: what it returns has to be the
  ///     same for all of these.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The combined value, which is kept as long as it is referenced or observed.
  /// - Complexity: As of ``aggregate(of:by:in:combining:)``.
  @inlinable
  public func aggregate<C: Component, Value: Sendable>(
    of value: @escaping @Sendable (C) -> Value?, in group: Group? = nil,
    combining combine: @escaping @Sendable (Value, Value) -> Value
  ) -> Aggregate<AllEntities, Value> {
    aggregate(of: value, by: { (_: C) in .all }, in: group, combining: combine)
  }
}

// Totals by what entities are linked to.
extension Context {
  /// Keeps count of the entities that have a component, by what they are linked to.
  ///
  /// ```swift
  /// let unread = context.count(of: Mail.self, byTarget: In.self, where: { !$0.isRead })
  /// unread[inbox] ?? 0
  /// let folders = context.group(Folder.matcher).sorted(by: unread, .descending)
  /// ```
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - relation: The relation that leads from the entities to the keys.
  ///   - further: Relations that lead on from there, in their order.
  ///   - isIncluded: Whether an entity counts, by the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The counts, as of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``.
  /// - Complexity: As of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``.
  @inlinable
  public func count<C: Component, R: Relation, each Further: ToOneRelation>(
    of component: C.Type, byTarget relation: R.Type, _ further: repeat (each Further).Type,
    where isIncluded: @escaping @Sendable (C) -> Bool = { _ in true }, in group: Group? = nil
  ) -> Aggregate<Entity, Int> {
    aggregate(
      group, relation, repeat each further,
      value: { (component: C) in isIncluded(component) ? true : nil }, cell: { CountCell() })
  }

  /// Keeps the sums of integers, by what the entities are linked to.
  ///
  /// ```swift
  /// let totals = context.sum(of: \Line.cents, byTarget: LineOf.self)
  /// let turnover = context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
  /// totals[order]
  /// turnover[customer]  // nil if no line is of an order of the customer
  /// ```
  ///
  /// The keys are entities: the targets of a relation, or what further relations lead to from
  /// there. Where an entity has several targets, its value counts under each of them, and as often
  /// in ``Aggregate/total`` and ``Aggregate/count``; one that leads nowhere does not count. Sums
  /// are as those of ``sum(of:by:in:)-((C)->Int,_,_)`` otherwise, and exact when links come, go or
  /// lead elsewhere, and when entities at either end are destroyed.
  ///
  /// Views may be sorted and filtered by them: see
  /// ``LiveViewSource/sorted(by:_:)-(Aggregate<Entity,Value>,_)``. Contexts without such totals do
  /// nothing for them; in others, only changes of the component, or of what the group's matcher
  /// mentions, and links of these relations take longer.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only. It runs for each of the targets.
  ///   - relation: The relation that leads from the entities to the keys.
  ///   - further: Relations that lead on from there, in their order.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The sums, which are kept as long as it is referenced or observed.
  /// - Complexity: O(*n* + *k*), where *n* is the number of entities and *k* that of their links;
  ///   O(*t*) on average for each change of a component afterwards, where *t* is the number of
  ///   targets of the entity, O(1) for each link of the first relation, and O(*m*) for each one of
  ///   the further relations, where *m* is the number of links of the first one that lead to it.
  @inlinable
  public func sum<C: Component, R: Relation, each Further: ToOneRelation>(
    of value: @escaping @Sendable (C) -> Int, byTarget relation: R.Type,
    _ further: repeat (each Further).Type, in group: Group? = nil
  ) -> Aggregate<Entity, Int> {
    aggregate(group, relation, repeat each further, value: value, cell: { IntegerSumCell() })
  }

  /// Keeps the sums of floating-point values, by what the entities are linked to.
  ///
  /// They are as exact as those of ``sum(of:by:in:)-((C)->Double,_,_)``.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - relation: The relation that leads from the entities to the keys.
  ///   - further: Relations that lead on from there, in their order.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The sums, as of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``.
  /// - Complexity: As of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``.
  @inlinable
  public func sum<C: Component, R: Relation, each Further: ToOneRelation>(
    of value: @escaping @Sendable (C) -> Double, byTarget relation: R.Type,
    _ further: repeat (each Further).Type, in group: Group? = nil
  ) -> Aggregate<Entity, Double> {
    aggregate(group, relation, repeat each further, value: value, cell: { SumCell() })
  }

  /// Keeps averages, by what the entities are linked to.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - relation: The relation that leads from the entities to the keys.
  ///   - further: Relations that lead on from there, in their order.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The averages, as of ``average(of:by:in:)``.
  /// - Complexity: As of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``.
  @inlinable
  public func average<C: Component, R: Relation, each Further: ToOneRelation>(
    of value: @escaping @Sendable (C) -> Double, byTarget relation: R.Type,
    _ further: repeat (each Further).Type, in group: Group? = nil
  ) -> Aggregate<Entity, Double> {
    aggregate(group, relation, repeat each further, value: value, cell: { AverageCell() })
  }

  /// Keeps the lowest and the highest value, by what the entities are linked to.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - relation: The relation that leads from the entities to the keys.
  ///   - further: Relations that lead on from there, in their order.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The extremes, as of ``extremes(of:by:in:)``.
  /// - Complexity: As of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``, times O(log *n*).
  @inlinable
  public func extremes<
    C: Component, R: Relation, each Further: ToOneRelation, Value: Comparable & Sendable
  >(
    of value: @escaping @Sendable (C) -> Value, byTarget relation: R.Type,
    _ further: repeat (each Further).Type, in group: Group? = nil
  ) -> Aggregate<Entity, ClosedRange<Value>> {
    aggregate(
      group, relation, repeat each further,
      value: { (component: C) in
        let value = value(component)
        return value == value ? value...value : nil
      },
      cell: {
        CombiningCell {
          Swift.min($0.lowerBound, $1.lowerBound)...Swift.max($0.upperBound, $1.upperBound)
        }
      })
  }

  /// Keeps what a closure combines values to, by what the entities are linked to.
  ///
  /// ```swift
  /// let latest = context.aggregate(of: \Mail.day, byTarget: In.self, combining: max)
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only; nil if the entity does not count.
  ///   - relation: The relation that leads from the entities to the keys.
  ///   - further: Relations that lead on from there, in their order.
  ///   - group: Whose entities count; nil if these are all that have the component.
  ///   - combine: Combines two values, as of ``aggregate(of:by:in:combining:)``.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The combined values, which are kept as long as it is referenced or observed.
  /// - Complexity: As of ``sum(of:byTarget:_:in:)-((C)->Int,_,_,_)``, times O(log *n*).
  @inlinable
  public func aggregate<C: Component, R: Relation, each Further: ToOneRelation, Value: Sendable>(
    of value: @escaping @Sendable (C) -> Value?, byTarget relation: R.Type,
    _ further: repeat (each Further).Type, in group: Group? = nil,
    combining combine: @escaping @Sendable (Value, Value) -> Value
  ) -> Aggregate<Entity, Value> {
    aggregate(
      group, relation, repeat each further, value: value, cell: { CombiningCell(combine) })
  }

  @inlinable
  @inline(__always)
  func aggregate<C: Component, R: Relation, each Further: ToOneRelation, Cell: AggregateCell>(
    _ group: Group?, _ relation: R.Type, _ further: repeat (each Further).Type,
    value: @escaping @Sendable (C) -> Cell.Value?, cell makeCell: @escaping @Sendable () -> Cell
  ) -> Aggregate<Entity, Cell.Result> {
    if let group { checkDemands(group, C.cid) }
    let storage = AggregateStorage<Entity, Cell>(makeCell)
    var path: [any Relation.Type] = [relation]
    repeat path.append(each further)
    let core = core
    return Aggregate(
      core, storage, of: C.cid, in: group, along: path,
      put: { source, link, target, address in
        let component = address?.value(of: C.self) ?? core.value(of: C.self, source)
        if let component, let value = value(component) {
          storage.put(value, of: link, under: Entity(core: core, handle: target))
        } else {
          storage.remove(link)
        }
      },
      remove: { storage.remove($0) },
      clear: { storage.removeAll() })
  }
}
