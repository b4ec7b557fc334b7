extension PrimaryIndex {
  /// The context whose entities the index finds; nil if it is gone.
  public var context: Context? {
    core.read { isOfPresentContext ? core.client?.context : nil }
  }
}
