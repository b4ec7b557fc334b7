/// The links that lead to the entities of a live view from an owner.
protocol LinkedSource: Sendable {
  /// The entity that they are linked to.
  var owner: Entity { get }

  /// What they are called in descriptions.
  var name: String { get }

  /// Fills a view and keeps it up to date from here on; false if the owner is dead.
  func register(_ sink: LiveViewSink) -> Bool

  /// Ceases to keep a view up to date.
  func unregister(_ sink: LiveViewSink)

  /// Visits the linked entities, in their order; none if the owner is dead.
  func forEach(_ body: (Handle) -> Void)
}
