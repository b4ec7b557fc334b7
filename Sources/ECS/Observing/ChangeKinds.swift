/// A choice of kinds of changes.
public struct ChangeKinds: OptionSet, Hashable, Sendable {
  /// A bit for each kind.
  public let rawValue: UInt8

  /// Makes a choice from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Entities that come to match.
  public static let added = ChangeKinds(rawValue: 1)

  /// Entities that keep matching and have a mentioned component replaced.
  public static let updated = ChangeKinds(rawValue: 2)

  /// Entities that no longer match, or are destroyed.
  public static let removed = ChangeKinds(rawValue: 4)

  /// Entities that come to match, or keep matching and have a mentioned component replaced.
  public static let addedOrUpdated: ChangeKinds = [.added, .updated]

  /// All changes.
  public static let addedUpdatedOrRemoved: ChangeKinds = [.added, .updated, .removed]

  func contains(_ kind: Change.Kind) -> Bool {
    switch kind {
    case .added: contains(ChangeKinds.added)
    case .updated: contains(ChangeKinds.updated)
    case .removed, .destroyed: contains(ChangeKinds.removed)
    }
  }

  @inline(__always)
  func contains(_ kind: ReactionKind) -> Bool { rawValue & kind.bit != 0 }

  @inline(__always)
  init(_ kind: ReactionKind) { self.init(rawValue: kind.bit) }

  var reactionKinds: [ReactionKind] {
    [ReactionKind.added, .updated, .removed].filter { contains(ChangeKinds($0)) }
  }
}
