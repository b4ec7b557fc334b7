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
