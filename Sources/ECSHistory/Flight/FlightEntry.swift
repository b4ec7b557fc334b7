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
  private let record: FlightRecord

  init(_ change: CommittedChange, of record: FlightRecord, about component: CID?) {
    self.change = change
    self.record = record
    commit = record.commit.number
    time = record.commit.time
    self.component = component
  }

  /// The kind of the change.
  public var kind: CommittedChange.Kind { change.kind }

  /// The entity; of a link, its source.
  public var entity: Entity { change.entity }

  /// The cause of the change.
  public var cause: Cause { change.cause }

  /// The functions that made the change, the innermost first, as far as a recorder with `callers`
  /// was given no cause of it: the callers of what ended the outermost change, such as `set` or
  /// `perform`.
  ///
  /// Functions of this package and of the standard library are left out, and functions that the
  /// compiler has put into others, or left before their last call. Where the program has no names
  /// any more, because they were stripped, there are files and addresses, such as `game+0x4f20`;
  /// where the C library can't find out callers, there are none.
  ///
  /// - Complexity: The first time, the names of all functions of the program are read.
  public var callers: [String] {
    change.cause.kind == .unknown
      ? CallerNames.names(of: record.addresses, limit: record.callerCount) : []
  }

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
      old: values(change.oldComponents() + [change.oldLinkValue].compactMap { $0 }),
      new: values(change.newComponents() + [change.newLinkValue].compactMap { $0 }), cause: cause,
      callers: callers)
  }
}

extension FlightEntry: CustomStringConvertible {
  /// The change in words.
  public var description: String { line.description }
}
