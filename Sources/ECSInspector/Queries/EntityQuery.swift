#if Inspector
  import ECS

  /// A choice of entities, and their order.
  struct EntityQuery {
    let all: [CID]
    let any: [CID]
    let none: [CID]
    let conditions: [Condition]
    let order: (path: FieldPath, isDescending: Bool)?
    let range: Range<Int>

    /// The components that conditions and the order read, each once.
    let read: [CID]

    /// How many entities a page has.
    static var largestPage: Int { 200 }

    /// How far pages of sorted entities reach.
    static var lastSorted: Int { 10_000 }

    init(_ question: Question, _ names: ComponentNames) throws(Failure) {
      func list(_ name: String) throws(Failure) -> [CID] {
        try Failure.reading(name, of: question) { (text) throws(Failure) in try names.list(text) }
      }
      (all, any, none) = (try list("all"), try list("any"), try list("none"))
      conditions = try Failure.reading("where", of: question) { (text) throws(Failure) in
        var parser = ConditionParser(text, names)
        return try parser.conditions()
      }
      order = try Failure.reading("sort", of: question) { (text) throws(Failure) in
        var parser = ConditionParser(text, names)
        return try parser.order()
      }
      var read: [CID] = []
      for cid in conditions.map(\.path.component) + (order.map { [$0.path.component] } ?? [])
      where !read.contains(cid) {
        read.append(cid)
      }
      self.read = read
      let from = try question.number("from", in: 0...(Int.max / 2)) ?? 0
      let count = try question.number("count", in: 1...EntityQuery.largestPage) ?? 100
      range = from..<from + count
      if order != nil, range.upperBound > EntityQuery.lastSorted {
        throw Failure(400, "pages of sorted entities end at \(EntityQuery.lastSorted)")
      }
    }

    /// The components whose values are shown: those that the query names, or else all, up to eight.
    func shown(of components: [CID]) -> [CID] {
      let named = all + any + read
      let chosen = named.isEmpty ? components : components.filter(named.contains)
      return Array(chosen.prefix(8))
    }

    /// Whether entities with these components can match.
    func accepts(_ components: [CID]) -> Bool {
      all.allSatisfy(components.contains) && !none.contains(where: components.contains)
        && (any.isEmpty || any.contains(where: components.contains))
        && read.allSatisfy(components.contains)
    }
  }
#endif
