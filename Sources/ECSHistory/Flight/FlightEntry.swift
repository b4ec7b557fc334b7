public import ECS

/// A change that a ``FlightRecorder`` has kept.
public struct FlightEntry: Sendable {
  /// The number of the commit; see `Commit.number`.
  public let commit: Int

  /// When the commit ended, since January 1, 1970, UTC; see `Commit.time`.
  public let time: Duration

  /// What was changed, with old and new values and the cause.
  public let change: CommittedChange

  private let component: CID?

  init(_ change: CommittedChange, of commit: Commit, about component: CID?) {
    self.change = change
    self.commit = commit.number
    time = commit.time
    self.component = component
  }

  /// The kind of the change.
  public var kind: CommittedChange.Kind { change.kind }

  /// The entity; of a link, its source.
  public var entity: Entity { change.entity }

  /// Who made the change.
  public var cause: Cause { change.cause }

  /// The value before the change; nil if there was none of this type.
  public func old<C: Component>(_ type: C.Type = C.self) -> C? { change.old(type) }

  /// The value after the change; nil if there is none of this type.
  public func new<C: Component>(_ type: C.Type = C.self) -> C? { change.new(type) }

  /// The change in words: with values of the component that was asked for, or of all.
  public var line: FlightLine {
    func values(_ components: [any Component]) -> [FlightLine.Value] {
      components.compactMap { value in
        let cid = type(of: value).cid
        guard component == nil || cid == component else { return nil }
        return FlightLine.Value(component: cid.name, text: "\(value)")
      }
    }
    return FlightLine(
      commit: commit, time: time, kind: kind, entity: entity.label,
      component: change.component?.name,
      relation: change.relation.map { "\($0)" }, target: change.target?.label,
      old: values(change.oldComponents()), new: values(change.newComponents()), cause: cause)
  }
}

extension FlightEntry: CustomStringConvertible {
  /// The change in words.
  public var description: String { line.description }
}
