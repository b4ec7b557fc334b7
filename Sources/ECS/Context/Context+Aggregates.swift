extension Context {
  /// Keeps count of the entities that have a component, by key.
  ///
  /// ```swift
  /// let tasks = context.count(by: \Task.state, in: context.group(Matcher(all: [Task.cid], none: [Archived.cid])))
  /// tasks[.done] ?? 0
  /// ```
  ///
  /// - Parameters:
  ///   - key: Computes the key, from the component only. It runs in the context's critical section
  ///     and must not change the context, which stops with a message, nor ask the aggregate; so it
  ///     is for all closures of aggregates.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: The group is one of this context, and its matcher demands the component.
  /// - Returns: The counts, which are kept as long as it is referenced or observed.
  /// - Complexity: O(*n*), where *n* is the number of entities; O(1) on average for each change
  ///   afterwards.
  @inlinable
  public func count<C: Component, Key: Hashable & Sendable>(
    by key: @escaping @Sendable (C) -> Key, in group: Group? = nil
  ) -> Aggregate<Key, Int> {
    aggregate(group, key, { (_: C) in true }, { CountCell() })
  }

  /// Keeps the sums of integers, by key.
  ///
  /// ```swift
  /// let hours = context.sum(of: \Task.hours, by: \Task.owner)
  /// ```
  ///
  /// Sums have more digits than their values, so none is ever lost. One that does not fit into an
  /// `Int` is given as the `Int` that is nearest to it.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - key: Computes the key, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The sums, which are kept as long as it is referenced or observed.
  /// - Complexity: As of ``count(by:in:)``.
  @inlinable
  public func sum<C: Component, Key: Hashable & Sendable>(
    of value: @escaping @Sendable (C) -> Int, by key: @escaping @Sendable (C) -> Key,
    in group: Group? = nil
  ) -> Aggregate<Key, Int> {
    aggregate(group, key, value, { IntegerSumCell() })
  }

  /// Keeps the sums of floating-point values, by key.
  ///
  /// A sum is exact until it is read, which rounds it to the nearest value: so it depends neither
  /// on the order of changes nor on what was there once, and is 0 if values cancel out. Infinite
  /// values, and those that are no numbers, have the effect that they have when one adds, as long
  /// as they are there.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - key: Computes the key, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The sums, which are kept as long as it is referenced or observed. They take half a
  ///   kilobyte a key.
  /// - Complexity: As of ``count(by:in:)``.
  @inlinable
  public func sum<C: Component, Key: Hashable & Sendable>(
    of value: @escaping @Sendable (C) -> Double, by key: @escaping @Sendable (C) -> Key,
    in group: Group? = nil
  ) -> Aggregate<Key, Double> {
    aggregate(group, key, value, { SumCell() })
  }

  /// Keeps averages, by key.
  ///
  /// An average is the sum, as exact as that of ``sum(of:by:in:)-((C)->Double,_,_)``, divided by
  /// the number of values.
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - key: Computes the key, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The averages, which are kept as long as it is referenced or observed.
  /// - Complexity: As of ``count(by:in:)``.
  @inlinable
  public func average<C: Component, Key: Hashable & Sendable>(
    of value: @escaping @Sendable (C) -> Double, by key: @escaping @Sendable (C) -> Key,
    in group: Group? = nil
  ) -> Aggregate<Key, Double> {
    aggregate(group, key, value, { AverageCell() })
  }

  /// Keeps the lowest and the highest value, by key.
  ///
  /// Entities whose value does not equal itself (not a number) do not count.
  ///
  /// ```swift
  /// let due = context.extremes(of: \Task.due, by: \Task.owner)
  /// due["ada"]?.lowerBound
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only.
  ///   - key: Computes the key, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The extremes, which are kept as long as it is referenced or observed.
  /// - Complexity: O(*n*), where *n* is the number of entities; O(log *n*) for each change
  ///   afterwards.
  @inlinable
  public func extremes<C: Component, Key: Hashable & Sendable, Value: Comparable & Sendable>(
    of value: @escaping @Sendable (C) -> Value, by key: @escaping @Sendable (C) -> Key,
    in group: Group? = nil
  ) -> Aggregate<Key, ClosedRange<Value>> {
    aggregate(
      group, key,
      { (component: C) in
        let value = value(component)
        return value == value ? value...value : nil
      },
      {
        CombiningCell {
          Swift.min($0.lowerBound, $1.lowerBound)...Swift.max($0.upperBound, $1.upperBound)
        }
      })
  }

  /// Keeps what a closure combines values to, by key.
  ///
  /// ```swift
  /// let flags = context.aggregate(of: \Task.flags, by: \Task.owner) { $0.union($1) }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the value, from the component only; nil if the entity does not count.
  ///   - key: Computes the key, from the component only.
  ///   - group: Whose entities count; nil if these are all that have the component.
  ///   - combine: Combines two values, in any order and any pairs: what it returns has to be the
  ///     same for all of these.
  /// - Precondition: As of ``count(by:in:)``.
  /// - Returns: The combined values, which are kept as long as it is referenced or observed.
  /// - Complexity: O(*n*), where *n* is the number of entities; O(log *n*) for each change
  ///   afterwards, which calls `combine` as often.
  @inlinable
  public func aggregate<C: Component, Key: Hashable & Sendable, Value: Sendable>(
    of value: @escaping @Sendable (C) -> Value?, by key: @escaping @Sendable (C) -> Key,
    in group: Group? = nil, combining combine: @escaping @Sendable (Value, Value) -> Value
  ) -> Aggregate<Key, Value> {
    aggregate(group, key, value, { CombiningCell(combine) })
  }

  @inlinable
  @inline(__always)
  func aggregate<C: Component, Key: Hashable & Sendable, Cell: AggregateCell>(
    _ group: Group?, _ key: @escaping @Sendable (C) -> Key,
    _ value: @escaping @Sendable (C) -> Cell.Value?, _ makeCell: @escaping @Sendable () -> Cell
  ) -> Aggregate<Key, Cell.Result> {
    if let group { checkDemands(group, C.cid) }
    let storage = AggregateStorage<Key, Cell>(makeCell)
    let sink = IndexSink(
      C.self, in: group?.tables, history: storage,
      update: { handle, address in
        let component = address.value(of: C.self)
        if let value = value(component) {
          storage.put(value, of: handle.index, under: key(component))
        } else {
          storage.remove(handle.index)
        }
      },
      remove: { storage.remove($0.index) },
      clear: { storage.removeAll() })
    return Aggregate(core, storage, sink)
  }

  @usableFromInline
  func checkDemands(_ group: Group, _ cid: CID) {
    require(group.core == core, "An aggregate was to be made of a group of another context.")
    require(
      group.matcher.all.contains(cid),
      "An aggregate of \(cid) was to be made of \(group), not all of whose entities have that: name it in `all` of the matcher."
    )
  }
}
