/// What observers of a live view are told.
public struct LiveViewChange: Sendable {
  /// The view.
  public let view: LiveView

  /// Whether the observer runs for the first time: all contents are insertions then.
  public let isInitial: Bool

  /// How the contents differ from what the observer was told last.
  public let difference: LiveViewDifference
}
