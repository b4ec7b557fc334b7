/// Which entities a view shows, and in what order.
@usableFromInline
struct LiveViewDefinition: Sendable {
  /// The source of the entities, before they are filtered.
  enum Source: Sendable {
    /// All entities of a group.
    case group(Group)

    /// What is related to an entity; if there is a group, only what belongs to it.
    case related(any LinkedSource, in: Group?)
  }

  /// Whether an entity passes a filter.
  @usableFromInline typealias Test = (Core, Handle) -> Bool

  @usableFromInline
  struct Filter: Sendable {
    /// The components of the view's entities that decide.
    @usableFromInline let mentioned: [CID]
    @usableFromInline let makeTest: @Sendable (Core) -> Test

    @usableFromInline
    init(mentioned: [CID], makeTest: @escaping @Sendable (Core) -> Test) {
      self.mentioned = mentioned
      self.makeTest = makeTest
    }
  }

  @usableFromInline
  struct Key: Sendable {
    /// The component of the view's entities that decides, if any.
    @usableFromInline let mentioned: CID?
    @usableFromInline let makeColumn: @Sendable (Core) -> SortColumn

    @usableFromInline
    init(mentioned: CID?, makeColumn: @escaping @Sendable (Core) -> SortColumn) {
      self.mentioned = mentioned
      self.makeColumn = makeColumn
    }
  }

  let source: Source
  @usableFromInline var filters: [Filter] = []
  @usableFromInline var keys: [Key] = []

  /// What else decides; at most one of a kind.
  @usableFromInline var dependencies: [ViewDependency] = []

  /// The key of the entities that are shown, and the listener that has it; nil if all are.
  @usableFromInline var route: KeyRoute?

  /// Whether values of the links to the owner of a view of related entities decide as well.
  @usableFromInline var readsLinkValues = false

  /// The number of entities that are shown at most.
  var limit = Int.max

  init(_ source: Source) {
    self.source = source
  }

  /// The same with at most so many entities.
  func limited(to maximumCount: Int) -> LiveViewDefinition {
    var definition = self
    definition.limit = min(limit, maximumCount)
    return definition
  }

  /// The filters, and the test for the key.
  var allFilters: [Filter] { filters + (route.map { [$0.filter] } ?? []) }

  /// Whether a view need not listen by itself.
  var isRouted: Bool { route?.routing.serves(self) == true }

  /// The same with the test for the key as a filter.
  @usableFromInline var withKeyAsFilter: LiveViewDefinition {
    var definition = self
    definition.filters = allFilters
    definition.route = nil
    return definition
  }

  var core: Core {
    switch source {
    case .group(let group): group.core
    case .related(let source, _): source.owner.core
    }
  }

  var group: Group? {
    switch source {
    case .group(let group): group
    case .related(_, let group): group
    }
  }

  /// Visits the entities that the view would show if no filter kept them out, in the order in which
  /// those come that are equal in all keys; those of a key in any order.
  func forEachCandidate(_ body: (Handle) -> Void) {
    switch source {
    case .group(let group):
      if route?.visit(core, body) != true { core.forEach(in: group.tables, body) }
    case .related(let source, _): source.forEach(body)
    }
  }

  /// Whether an entity is one that the view would show if no filter kept it out.
  func isCandidate(_ handle: Handle) -> Bool {
    if case .group(let group) = source { return core.isMember(handle, of: group.tables) }
    var isCandidate = false
    if core.isAlive(handle) { forEachCandidate { if $0 == handle { isCandidate = true } } }
    return isCandidate
  }

  /// Whether no filter keeps a candidate out.
  ///
  /// For views that are not at work.
  func accepts(_ handle: Handle) -> Bool {
    if case .related(_, let group?) = source, !core.isMember(handle, of: group.tables) {
      return false
    }
    return core.refusingChanges(.filtering) {
      allFilters.allSatisfy { filter in filter.makeTest(core)(core, handle) }
    }
  }

  /// The components that decide, other than those that the tables of a group report anyway.
  var mentioned: [CID] {
    let all = Set(allFilters.flatMap(\.mentioned) + keys.compactMap(\.mentioned)).ascending()
    guard let matcher = group?.matcher else { return all }
    let others = all.filter { !matcher.mentions($0) }
    if case .group = source { return others }
    return matcher.held + matcher.excluded + others
  }
}
