// Rows of entities that are looked for together.
extension Context {
  /// All pairs of entities that meet some conditions together.
  ///
  /// ```swift
  /// // The ships that are docked at a planet of their own empire, with the planet.
  /// let atHome = context.rows { ship, planet, empire in
  ///   ship.matches(Ship.matcher)
  ///   ship.relates(DockedAt.self, to: planet)
  ///   ship.relates(BelongsTo.self, to: empire)
  ///   planet.relates(BelongsTo.self, to: empire)
  ///   planet.isBelow(sol)
  /// }
  /// for (ship, planet, empire) in atHome { print(ship, planet, empire) }
  /// ```
  ///
  /// The search begins with the fewest candidates that there are, and goes on along the links from
  /// there; what conditions remain are look-ups. It begins with all entities only if no variable
  /// has a matcher, and no condition names an entity.
  ///
  /// All rows are of one moment: other threads wait meanwhile, unless the call is made inside of
  /// ``reading(_:)``, where others read beside it. Each row is there once, in an order that may be
  /// another one the next time. Two variables may have the same entity. Conditions on values are
  /// tested afterwards, by `filter`; rows are not kept up to date: for that, there are views and
  /// totals of links.
  ///
  /// - Parameter conditions: Gets a variable for each entity of a row, and says what holds of them.
  ///   Called once, before the search.
  /// - Returns: The rows, with the entities in the order of the variables. Variables that no
  ///   condition connects are combined in all ways.
  /// - Precondition: Entities that the conditions name belong to this context, and variables to
  ///   this query.
  /// - Complexity: O(*c*) look-ups, where *c* is the number of candidates that were tried: those of
  ///   the first variable, and for each row so far the shortest list of links, or smallest group,
  ///   of the next one. A look-up of a link takes as long as ``RelatedEntities/contains(_:)``. The
  ///   groups of the matchers stay.
  public func rows(
    @QueryBuilder where conditions: (QueryVariable, QueryVariable) -> [QueryCondition]
  ) -> [(Entity, Entity)] {
    var rows: [(Entity, Entity)] = []
    RowSearch.forEachRow(
      of: 2, in: self, where: { conditions($0[0], $0[1]) }, { rows.append(($0[0], $0[1])) })
    return rows
  }

  /// All rows of three entities that meet some conditions together.
  ///
  /// See ``rows(where:)-((QueryVariable,QueryVariable)->[QueryCondition])``.
  public func rows(
    @QueryBuilder where conditions: (QueryVariable, QueryVariable, QueryVariable) ->
      [QueryCondition]
  ) -> [(Entity, Entity, Entity)] {
    var rows: [(Entity, Entity, Entity)] = []
    RowSearch.forEachRow(
      of: 3, in: self, where: { conditions($0[0], $0[1], $0[2]) },
      { rows.append(($0[0], $0[1], $0[2])) })
    return rows
  }

  /// All rows of four entities that meet some conditions together.
  ///
  /// See ``rows(where:)-((QueryVariable,QueryVariable)->[QueryCondition])``.
  public func rows(
    @QueryBuilder where conditions: (QueryVariable, QueryVariable, QueryVariable, QueryVariable) ->
      [QueryCondition]
  ) -> [(Entity, Entity, Entity, Entity)] {
    var rows: [(Entity, Entity, Entity, Entity)] = []
    RowSearch.forEachRow(
      of: 4, in: self, where: { conditions($0[0], $0[1], $0[2], $0[3]) },
      { rows.append(($0[0], $0[1], $0[2], $0[3])) })
    return rows
  }
}
