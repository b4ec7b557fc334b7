/// Copies of the values that a change ended or brought, made only if somebody is to be told.
struct ChangeValues: Sendable {
  /// The component type whose write made the change; nil if it was a creation or destruction.
  var cause: CID?
  var old: [any Component] = []
  var new: [any Component] = []
}
