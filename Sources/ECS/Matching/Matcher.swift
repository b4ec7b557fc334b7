/// Which entities belong to a group: those that have all of some components, any of some, and none
/// of some.
///
/// ```swift
/// Matcher(all: [Position.cid, Velocity.cid], none: [Frozen.cid])
/// ```
///
/// Matchers that say the same are equal, however they are built.
public struct Matcher: Hashable, Sendable {
  let filter: TableFilter

  /// Makes a matcher.
  ///
  /// - Precondition: `all` or `any` is not empty, and no component is in two of the lists.
  public init(all: Set<CID> = [], any: Set<CID> = [], none: Set<CID> = []) {
    Matcher.checkNotEmpty(all, any, none)
    Matcher.checkDisjoint(all, any)
    Matcher.checkDisjoint(all, none)
    Matcher.checkDisjoint(any, none)
    // Any of one is all of one: both ways of saying it give the same group.
    let isOneOfOne = any.count == 1
    filter = TableFilter(
      all: Matcher.sorted(isOneOfOne ? all.union(any) : all),
      any: isOneOfOne ? [] : Matcher.sorted(any),
      none: Matcher.sorted(none))
  }

  /// The matcher that a filter was made of.
  init(_ filter: TableFilter) {
    self.filter = filter
  }

  /// The components that an entity must have.
  public var all: Set<CID> { Set(filter.all.map(CID.init(info:))) }

  /// The components of which an entity must have at least one, if there are any.
  public var any: Set<CID> { Set(filter.any.map(CID.init(info:))) }

  /// The components that an entity must not have.
  public var none: Set<CID> { Set(filter.none.map(CID.init(info:))) }

  /// Whether an entity is alive and matches.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components of the entity.
  public func matches(_ entity: Entity) -> Bool {
    entity.core.enter()
    defer { entity.core.leaveReading() }
    return entity.core.signature(of: entity.handle).map(filter.accepts) ?? false
  }

  private static func sorted(_ cids: Set<CID>) -> [ComponentInfoReference] {
    cids.map(\.info).sorted { $0.id < $1.id }
  }

  private static func checkNotEmpty(_ all: Set<CID>, _ any: Set<CID>, _ none: Set<CID>) {
    require(
      !all.isEmpty || !any.isEmpty,
      "A matcher needs a component in `all` or in `any`; it has none there, and \(names(none)) in `none`."
    )
  }

  private static func checkDisjoint(_ one: Set<CID>, _ other: Set<CID>) {
    require(
      one.isDisjoint(with: other),
      "A matcher lists \(names(one.intersection(other))) twice: list a component in one of `all`, `any` and `none`."
    )
  }

  private static func names(_ cids: Set<CID>) -> String {
    cids.isEmpty ? "nothing" : cids.sorted().map(\.name).joined(separator: ", ")
  }
}

extension Matcher: CustomStringConvertible {
  /// The component names, such as `all(Position, Velocity) none(Frozen)`.
  public var description: String {
    [("all", filter.all), ("any", filter.any), ("none", filter.none)]
      .filter { !$0.1.isEmpty }
      .map { "\($0.0)(\($0.1.map(\.name).joined(separator: ", ")))" }
      .joined(separator: " ")
  }
}

extension Component {
  /// A matcher for entities that have this component.
  public static var matcher: Matcher { Matcher(all: [cid]) }
}
