public import ECS

/// The first thing that systems did otherwise than it was recorded.
public struct ReplayDifference: Hashable, Sendable {
  /// The number of the recorded commit; nil if there was none.
  public let commit: Int?

  /// The cause of the change, as it was recorded, or as it was found if there was none.
  public let cause: Cause

  /// The entity, in the context of the replay; nil if there is none as yet.
  public let entity: Entity?

  /// The name of the component or the relation in the schema; nil if it is about the entity as a
  /// whole.
  public let component: String?

  /// What was recorded, such as `replaced Health(points: 1)`; nil if nothing more was.
  public let recorded: String?

  /// What was found instead; nil if nothing more was.
  public let found: String?
}

extension ReplayDifference: CustomStringConvertible {
  /// A sentence with all of it.
  public var description: String {
    let prefix = commit.map { "commit \($0): " } ?? ""
    let what = [component, entity.map { "entity \($0.label)" }].compactMap(\.self)
      .joined(separator: " of ")
    return
      "\(prefix)\(what.isEmpty ? "" : "\(what): ")\(recorded ?? "nothing") was recorded, \(found ?? "nothing") was found, by \(cause)"
  }
}
