/// A source that live views can be made of: a group, the entities related to an entity, or another
/// view.
///
/// ```swift
/// let young = context.group(Person.matcher).filtered { (age: Age) in age.value < 20 }
/// let byName = young.sorted(by: \Name.text)
/// let best = author.sources(WrittenBy.self).sorted(by: \Score.points, .descending)
/// ```
public protocol LiveViewSource: Sendable {
  /// A live view of all entities, in their own order.
  ///
  /// That is the order of creation for a group, the order of links for related entities, and the
  /// view's own order for a view.
  func view() -> LiveView
}

extension LiveView: LiveViewSource {
  /// This view.
  public func view() -> LiveView { self }
}

extension Group: LiveViewSource {
  /// A live view of all entities of the group, in the order of their creation.
  public func view() -> LiveView { LiveView(LiveViewDefinition(.group(self))) }
}
