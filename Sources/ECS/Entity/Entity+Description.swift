extension Entity {
  /// All components of the entity, in the order of their identifiers; empty if it is dead.
  ///
  /// For debugging and tools: every value is copied into an existential.
  public func components() -> [any Component] {
    core.enter()
    defer { core.leaveReading() }
    return core.components(of: handle)
  }

  /// Whether the entity has no components.
  ///
  /// True if it is dead.
  public var isEmpty: Bool {
    core.enter()
    defer { core.leaveReading() }
    return core.componentIDs(of: handle).isEmpty
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
    core.enter()
    defer { core.leaveReading() }
    let name = "Entity \(label)"
    guard core.isSeenAlive(handle) else { return "\(name) (dead)" }
    let names = core.componentIDs(of: handle).map(\.name)
    return "\(name) (\(names.joined(separator: ", ")))"
  }
}
