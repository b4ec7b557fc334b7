// Components that others require, which rows may need to get, or which may have to stay.
extension Table {
  /// Whether the row of an entity does not simply go where an edge leads: more components come with
  /// that of the edge than the table has, or others may have to go with it.
  func hasRequirements(on edge: UnsafeMutablePointer<Edge>) -> Bool {
    guard let cid = unsafe edge.pointee.cid else { return false }
    return unsafe edge.pointee.column == nil ? lacksRequired(by: cid) : hasRule(for: cid)
  }

  /// Whether a component would bring others along.
  func lacksRequired(by cid: CID) -> Bool {
    guard let requirements = cid.requirements else { return false }
    return requirements.components(of: cid).contains { unsafe column(of: $0.cid) == nil }
  }

  /// Whether one of the components has a rule for removing another one.
  func hasRule(for cid: CID) -> Bool {
    hasRemovalRules
      && signature.contains { $0.requirements.map { $0.rule(for: cid.key) != .free } == true }
  }
}
