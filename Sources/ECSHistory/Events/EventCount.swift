/// Something, and how many events it has.
public struct EventCount: Hashable, Sendable {
  /// The name.
  public let name: String

  /// How many events it has.
  public let count: Int

  /// The name of the context of an entity; nil of what is no entity, and of entities of contexts
  /// that are not logged.
  public let context: String?

  /// The loop of a system; nil of what is no system, and of systems that are logged without a loop.
  public let loop: String?

  package init(name: String, count: Int, context: String? = nil, loop: String? = nil) {
    self.loop = loop
    self.name = name
    self.count = count
    self.context = context
  }
}
