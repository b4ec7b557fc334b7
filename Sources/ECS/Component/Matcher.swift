/// Which entities belong to a group: those that have all of some components, any of some, and none
/// of some.
///
/// ```swift
/// Matcher(all: [Position.cid, Velocity.cid], none: [Frozen.cid])
/// ```
///
/// Matchers with the same meaning are equal, however they are built.
public struct Matcher: Hashable, Sendable {
  // INVARIANT: ascending, without duplicates, and no component is in two of them.
  let required: [CID]
  let alternatives: [CID]
  let excluded: [CID]

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
    required = (isOneOfOne ? all.union(any) : all).ascending()
    alternatives = isOneOfOne ? [] : any.ascending()
    excluded = none.ascending()
  }

  /// Makes a matcher for entities that have all of some components, of which some may be the same.
  // PERFORMANCE: I0.context: no sets, which take longer than finding the group.
  init(allOf cids: [CID]) {
    if cids.isEmpty { Matcher.checkNotEmpty([], [], []) }
    var required = cids
    CID.sort(&required)
    if required.count > 1 {
      for number in (1..<required.count).reversed() where required[number] == required[number - 1] {
        required.remove(at: number)
      }
    }
    self.required = required
    alternatives = []
    excluded = []
  }

  private init() {
    required = []
    alternatives = []
    excluded = []
  }

  /// Accepts everything, as no matcher from outside does.
  static let everything = Matcher()

  /// The components that an entity must have.
  public var all: Set<CID> { Set(required) }

  /// The components of which an entity must have at least one, if there are any.
  public var any: Set<CID> { Set(alternatives) }

  /// The components that an entity must not have.
  public var none: Set<CID> { Set(excluded) }

  /// Whether entities with exactly these components match.
  func accepts(_ signature: [CID]) -> Bool {
    required.allSatisfy(signature.contains) && !excluded.contains(where: signature.contains)
      && (alternatives.isEmpty || alternatives.contains(where: signature.contains))
  }

  /// Whether it says anything about a component.
  func mentions(_ cid: CID) -> Bool {
    required.contains(cid) || alternatives.contains(cid) || excluded.contains(cid)
  }

  /// The components among those mentioned that an entity which matches may have.
  var held: [CID] { required + alternatives }

  private static func checkNotEmpty(_ all: Set<CID>, _ any: Set<CID>, _ none: Set<CID>) {
    require(
      !all.isEmpty || !any.isEmpty,
      "A matcher needs a component in `all` or in `any`; it has none there, and \(names(none)) in `none`."
    )
  }

  private static func checkDisjoint(_ one: Set<CID>, _ other: Set<CID>) {
    require(
      one.isDisjoint(with: other),
      "A matcher lists \(names(one.intersection(other))) twice: list each component in only one of `all`, `any` and `none`."
    )
  }

  private static func names(_ cids: Set<CID>) -> String {
    cids.isEmpty ? "nothing" : cids.ascending().map(\.name).joined(separator: ", ")
  }
}

extension Matcher: CustomStringConvertible {
  /// The component names, such as `all(Position, Velocity) none(Frozen)`.
  public var description: String {
    [("all", required), ("any", alternatives), ("none", excluded)]
      .filter { !$0.1.isEmpty }
      .map { "\($0.0)(\($0.1.map(\.name).joined(separator: ", ")))" }
      .joined(separator: " ")
  }
}

extension Component {
  /// A matcher for entities that have this component.
  public static var matcher: Matcher { Matcher(all: [cid]) }
}
