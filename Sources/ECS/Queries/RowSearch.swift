/// A search for the rows of a query.
///
/// One variable after the other gets an entity: at each step the one that has the fewest candidates
/// then, which are the shortest list of links that leads to it from an entity of the row, or the
/// smallest of its groups; its other conditions are looked up for each candidate. That is the
/// generic join of Ngo, Ré and Rudra, *Skew Strikes Back* (2013), with the order of the variables
/// chosen anew for each row, as solvers of constraints do.
struct RowSearch {
  /// A condition on the entities of two terms, by their positions.
  private struct Edge {
    let source: Int
    let target: Int
    let store: RelationStore
    let isTransitive: Bool

    func term(_ side: RelationSide) -> Int { side == .sources ? source : target }
  }

  /// The entities that a variable may have.
  private enum Candidates {
    /// Those of a set of tables.
    case members(TableSet)

    /// Those at a side of an edge, by its position, whose other end has an entity.
    case linked(Int, RelationSide)
  }

  private let core: Core
  private let variableCount: Int

  /// The sets that each variable's entity belongs to, the smallest first.
  private var sets: [[(set: TableSet, count: Int)]]

  private var edges: [Edge] = []

  /// The entities of the terms: of the variables, if they have one, and behind them those that
  /// conditions name.
  private var handles: ContiguousArray<Handle?>

  /// The entities of the row that is being visited.
  private var row: [Entity] = []

  /// Whether a condition names something that is not there.
  private var isHopeless = false

  /// Calls a closure with the entities of each row, in the order of the variables.
  static func forEachRow(
    of variableCount: Int, in context: Context,
    where conditions: ([QueryVariable]) -> [QueryCondition], _ body: ([Entity]) -> Void
  ) {
    let query = QueryIdentity()
    let variables = (0..<variableCount).map { QueryVariable(index: $0, query: query) }
    let conditions = conditions(variables)
    context.core.readingSection {
      var search = RowSearch(conditions, query, variableCount, in: context)
      if !search.isHopeless { search.search(body) }
    }
  }

  private init(
    _ conditions: [QueryCondition], _ query: QueryIdentity, _ variableCount: Int,
    in context: Context
  ) {
    core = context.core
    self.variableCount = variableCount
    handles = ContiguousArray(repeating: nil, count: variableCount)
    sets = Array(repeating: [], count: variableCount)
    for condition in conditions {
      switch condition.kind {
      case .matches(let variable, let matcher):
        RowSearch.check(variable, query)
        let set = context.group(matcher).tables
        sets[variable.index].append((set, set.count))
      case .link(let link): add(link, query)
      }
    }
    for variable in sets.indices {
      sets[variable] = sets[variable].sorted(byNumber: { UInt64($0.count) })
    }
  }

  private static func check(_ variable: QueryVariable, _ query: QueryIdentity) {
    require(
      variable.query === query,
      "A query had a condition on a variable of another query: use the variables that its closure gets."
    )
  }

  private mutating func add(_ link: QueryLink, _ query: QueryIdentity) {
    let (source, target) = (position(of: link.source, query), position(of: link.target, query))
    guard let store = core.relations?.existingStore(link.relation), source >= 0, target >= 0 else {
      // No link was ever made, or an entity is dead.
      isHopeless = true
      return
    }
    edges.append(
      Edge(source: source, target: target, store: store, isTransitive: link.isTransitive))
  }

  /// The position of a term; negative if it is an entity that is dead.
  private mutating func position(of term: QueryTerm, _ query: QueryIdentity) -> Int {
    switch term {
    case .variable(let variable):
      RowSearch.check(variable, query)
      return variable.index
    case .entity(let entity):
      require(
        entity.core == core,
        "A query had a condition on \(entity), which belongs to another context: use an entity of the query's context."
      )
      guard core.isAlive(entity.handle) else { return -1 }
      handles.append(entity.handle)
      return handles.count - 1
    }
  }

  // MARK: Searching

  private mutating func search(_ body: ([Entity]) -> Void) {
    guard let (variable, candidates) = next() else {
      row.removeAll(keepingCapacity: true)
      for handle in handles.prefix(variableCount) {
        if let handle { row.append(Entity(core: core, handle: handle)) }
      }
      return body(row)
    }
    switch candidates {
    case .members(let set):
      core.forEach(in: set) { go(on: variable, $0, nil, body) }
    case .linked(let number, let side):
      let edge = edges[number]
      guard let end = handles[edge.term(side.other)] else { return }
      if edge.isTransitive {
        visitChain(of: end.index, edge, side) { go(on: variable, $0, number, body) }
      } else {
        // Step by step: look-ups of other conditions may change what the links keep.
        var link = edge.store.links.first(end.index, side)
        while let current = link {
          let slot = edge.store.links.slot(of: current, side)
          go(on: variable, core.handle(ofSlot: slot), number, body)
          link = edge.store.links.next(after: current, side)
        }
      }
    }
  }

  /// Lets a variable have an entity that meets its conditions, and searches for the others.
  ///
  /// The position of an edge is that of the one that led to the entity, if one has.
  private mutating func go(
    on variable: Int, _ candidate: Handle, _ found: Int?,
    _ body: ([Entity]) -> Void
  ) {
    for (set, _) in sets[variable] where !core.isMember(candidate, of: set) { return }
    handles[variable] = candidate
    defer { handles[variable] = nil }
    for number in edges.indices where number != found && !holds(edges[number]) { return }
    search(body)
  }

  /// Whether there is the link of an edge, as far as both of its ends have an entity.
  private func holds(_ edge: Edge) -> Bool {
    guard let source = handles[edge.source], let target = handles[edge.target] else { return true }
    return isLinked(source.index, target.index, edge)
  }

  /// The variable with the fewest candidates; nil if all have an entity.
  private func next() -> (variable: Int, candidates: Candidates)? {
    var best: (variable: Int, candidates: Candidates)?
    var least = Int.max
    func consider(_ variable: Int, _ candidates: Candidates, _ count: Int) {
      if count < least || best == nil { (best, least) = ((variable, candidates), count) }
    }
    for variable in 0..<variableCount where handles[variable] == nil {
      guard let (set, count) = sets[variable].first else { continue }
      consider(variable, .members(set), count)
    }
    func consider(_ number: Int, _ side: RelationSide) {
      let edge = edges[number]
      guard handles[edge.term(side)] == nil, let end = handles[edge.term(side.other)] else {
        return
      }
      let count =
        edge.isTransitive
        ? RowSearch.chainCount(of: end.index, edge, side)
        : edge.store.links.count(end.index, side)
      consider(edge.term(side), .linked(number, side), count)
    }
    for number in edges.indices {
      consider(number, .targets)
      consider(number, .sources)
    }
    if best != nil { return best }
    // Nothing is known of what is left, but how it may be linked.
    guard let variable = handles.prefix(variableCount).firstIndex(of: nil) else { return nil }
    return (variable, .members(core.setOfAllTables()))
  }

  // MARK: Links

  private func isLinked(_ source: UInt32, _ target: UInt32, _ edge: Edge) -> Bool {
    if edge.isTransitive { return edge.store.links.isBelow(source, target) }
    // Readers that share the context must not keep anything.
    return core.runningReading == nil
      ? edge.store.links.find(source: source, target: target) != nil
      : edge.store.links.search(source: source, target: target) != nil
  }

  /// A guess of how many entities are above or below one: ancestors are few; below may be all.
  private static func chainCount(of slot: UInt32, _ edge: Edge, _ side: RelationSide) -> Int {
    let links = edge.store.links.count(slot, side)
    if links == 0 || side == .targets { return links * 4 }
    return edge.store.links.count
  }

  /// Visits all that is above an entity, or below it.
  private func visitChain(
    of slot: UInt32, _ edge: Edge, _ side: RelationSide, _ body: (Handle) -> Void
  ) {
    var open = [slot]
    while let slot = open.popLast() {
      var link = edge.store.links.first(slot, side)
      while let current = link {
        let next = edge.store.links.slot(of: current, side)
        open.append(next)
        body(core.handle(ofSlot: next))
        link = edge.store.links.next(after: current, side)
      }
    }
  }
}
