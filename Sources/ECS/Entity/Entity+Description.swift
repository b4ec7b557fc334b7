extension Entity {
  /// All components of the entity, in the order of their identifiers; empty if it is dead.
  ///
  /// For debugging and tools: every value is copied into an existential.
  public func components() -> [any Component] {
    core.read { core.components(of: handle) }
  }

  /// Whether the entity has no components.
  ///
  /// True if it is dead.
  public var isEmpty: Bool {
    core.read { core.componentIDs(of: handle).isEmpty }
  }
}

extension Entity {
  /// The slot and the generation, such as `3.1`.
  package var label: String { "\(numbers.slot).\(numbers.generation)" }

  /// The slot, and how many entities have had it before.
  package var numbers: (slot: UInt32, generation: UInt32) {
    (handle.index, handle.generation / 2)
  }
}

extension Entity: CustomStringConvertible {
  /// The entity's slot and generation and the names of its components, such as
  /// `Entity 3.1 (Position, Velocity)`.
  public var description: String {
    let name = "Entity \(label)"
    let cids = core.read { core.isSeenAlive(handle) ? core.componentIDs(of: handle) : nil }
    guard let cids else { return "\(name) (dead)" }
    let names = cids.map(\.name)
    return "\(name) (\(names.joined(separator: ", ")))"
  }
}
