extension Change {
  /// The context in which it happened; nil if that is gone.
  public var context: Context? {
    let core = entity.core
    return core.read { core.incarnation == incarnation ? core.client?.context : nil }
  }
}
