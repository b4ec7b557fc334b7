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
}
