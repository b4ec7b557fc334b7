/// A change of a live view, as its observers get it.
public struct LiveViewChange: Sendable {
  /// The view.
  public let view: LiveView

  /// Whether the observer runs for the first time: all contents are then insertions.
  public let isInitial: Bool

  /// How the contents differ from those of the observer's previous notice.
  public let difference: LiveViewDifference
}
