extension Entity {
  /// The context that the entity lives in; nil if it is dead.
  public var context: Context? {
    let isOutermost = core.enterBriefly()
    defer { core.leaveBriefly(isOutermost) }
    guard core.isAlive(handle) else { return nil }
    return core.client?.context
  }
}

extension Entity {
  /// Whether the slot is one of a context that lives; asks neither for its lock nor whether the
  /// entity is alive.
  package func belongs(to context: Context) -> Bool { core == context.core }
}
