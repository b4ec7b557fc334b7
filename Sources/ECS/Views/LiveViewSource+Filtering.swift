extension LiveViewSource {
  /// A live view of the entities that have a component and pass a test on it, in the same order.
  ///
  /// - Parameter isIncluded: Runs when the component has changed, before the view can be seen,
  ///   in the context's critical section, and must not change the context, which stops with a
  ///   message. It must depend only on the component.
  /// - Returns: A new view; this one does not change.
  @inlinable
  public func filtered<C: Component>(
    _ isIncluded: @escaping @Sendable (C) -> Bool
  ) -> LiveView {
    var definition = view().definition
    definition.filters.append(
      LiveViewDefinition.Filter(mentioned: [C.cid]) { _ in
        { core, handle in
          guard let value = core.value(of: C.self, handle) else { return false }
          return isIncluded(value)
        }
      })
    return LiveView(definition)
  }

  /// A live view of the entities that have several components and pass a test on them, in the same
  /// order.
  ///
  /// See ``filtered(_:)-((C)->Bool)``.
  @inlinable
  public func filtered<A: Component, B: Component, each C: Component>(
    _ isIncluded: @escaping @Sendable ((A, B, repeat each C)) -> Bool
  ) -> LiveView {
    var mentioned = [A.cid, B.cid]
    repeat mentioned.append((each C).cid)
    var definition = view().definition
    definition.filters.append(
      LiveViewDefinition.Filter(mentioned: mentioned) { _ in
        { core, handle in
          do throws(MissingComponent) {
            return isIncluded(
              (
                try core.existingValue(handle), try core.existingValue(handle),
                repeat try core.existingValue(handle) as each C
              ))
          } catch {
            return false
          }
        }
      })
    return LiveView(definition)
  }

  /// A live view of the entities that pass a test on what the values under them come to in an
  /// aggregate, in the same order.
  ///
  /// ```swift
  /// let regular = context.group(Customer.matcher).filtered(by: turnover) { ($0 ?? 0) > 100_00 }
  /// ```
  ///
  /// See ``LiveViewSource/sorted(by:_:)-(Aggregate<Entity,Value>,_)``.
  ///
  /// - Parameters:
  ///   - aggregate: An aggregate whose keys are entities.
  ///   - isIncluded: What to test, nil where there are no values. It has to keep to what
  ///     ``filtered(_:)-((C)->Bool)`` says, and to depend only on what it gets.
  /// - Returns: A new view; this one does not change.
  /// - Precondition: The aggregate belongs to the same context.
  @inlinable
  public func filtered<Value: Sendable>(
    by aggregate: Aggregate<Entity, Value>, _ isIncluded: @escaping @Sendable (Value?) -> Bool
  ) -> LiveView {
    var definition = view().definition
    definition.depend(on: aggregate)
    definition.filters.append(
      LiveViewDefinition.Filter(mentioned: []) { _ in
        { core, handle in
          isIncluded(aggregate.state.result(Entity(core: core, handle: handle)))
        }
      })
    return LiveView(definition)
  }
}

extension LiveViewDefinition {
  /// Adds an aggregate to what decides what the view shows.
  @usableFromInline
  mutating func depend<Value>(on aggregate: Aggregate<Entity, Value>) {
    require(
      aggregate.core == core,
      "A view was to depend on \(aggregate), which belongs to another context: use one of the view's context."
    )
    add(ViewDependency(on: aggregate))
  }
}
