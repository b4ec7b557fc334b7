extension RelationStore {
  /// Links two slots with a value, or replaces that of the link that they have, and has this
  /// notified.
  func addLink(
    source: UInt32, target: UInt32, _ value: some Component, in relations: Relations
  ) {
    let isUpdate = link(source: source, target: target, value) { relations.noteChange(self, $0) }
    if isUpdate { relations.noteValue(self, source, target) }
  }
}
