extension Entity {
  /// The context that the entity lives in; nil if it is dead.
  public var context: Context? {
    let isOutermost = core.enterBriefly()
    defer { core.leaveBriefly(isOutermost) }
    guard core.isAlive(handle) else { return nil }
    return core.context
  }
}
