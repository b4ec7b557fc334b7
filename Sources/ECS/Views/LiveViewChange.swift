/// A change of a live view, as its observers get it.
public struct LiveViewChange: Sendable {
  /// The view.
  public let view: LiveView

  /// Whether the observer runs for the first time: all contents are then insertions.
  public let isInitial: Bool

  let details: LiveViewDetails

  /// How the contents differ from those of the observer's previous notice.
  public var difference: LiveViewDifference { details.difference }
}

extension LiveViewChange: CustomReflectable {
  /// The view, whether the observer runs for the first time, and the difference.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["view": view, "isInitial": isInitial, "difference": difference],
      displayStyle: .struct)
  }
}

/// The difference that the observers of a view get, which they share.
final class LiveViewDetails: ChangeDetails, @unchecked Sendable {
  let difference: LiveViewDifference

  init(_ difference: LiveViewDifference) { self.difference = difference }

  /// What observers get that are notified of nothing else than that there was a change.
  static let none = LiveViewDetails(LiveViewDifference())
}
