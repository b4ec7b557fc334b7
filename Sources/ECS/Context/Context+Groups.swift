extension Context {
  /// The group of a matcher, the same object every time.
  ///
  /// - Complexity: O(*t* + *n*) when the group is made, where *t* is the number of combinations of
  ///   component types in the context; a dictionary look-up afterwards. Keep groups that are used
  ///   often.
  public func group(_ matcher: Matcher) -> Group {
    core.readingSection {
      if let group = state.groups[matcher] { return group }
      let group = Group(core: core, matcher: matcher, tables: core.makeSet(matcher))
      state.groups[matcher] = group
      announce(group)
      return group
    }
  }

  /// The group of entities that have all of some components.
  ///
  /// ```swift
  /// let moving = context.group(Position.self, Velocity.self)
  /// ```
  ///
  /// The same as ``group(_:)`` with a matcher of these types.
  public func group<First: Component, each Other: Component>(
    _ first: First.Type, _ others: repeat (each Other).Type
  ) -> Group {
    var all = [first.cid]
    repeat all.append((each others).cid)
    return group(Matcher(allOf: all))
  }

  /// The group of entities that have all of some components, any of some, and none of some.
  public func all(_ all: Set<CID>, any: Set<CID> = [], none: Set<CID> = []) -> Group {
    group(Matcher(all: all, any: any, none: none))
  }

  /// The group of entities that have any of some components, and none of some.
  public func any(_ any: Set<CID>, none: Set<CID> = []) -> Group {
    group(Matcher(any: any, none: none))
  }
}

extension Context: EntitySource {
  /// The group of entities that have all components that an iteration asks for, but for optional
  /// ones.
  @_documentation(visibility: internal)
  public func group(for request: IterationRequest) -> Group {
    if let group = core.read({ state.groupsByTypes[request] }) { return group }
    return core.readingSection {
      // What short reads look at is not for readers to change: they keep others, in turns.
      let kept = core.runningReading == nil ? state.groupsByTypes : state.groupsOfReaders
      if let group = kept[request] { return group }
      let needed = request.needed
      let group = needed.isEmpty ? groupOfAll : group(Matcher(allOf: needed))
      kept[request] = group
      return group
    }
  }

  /// Notifies observers of a new group: now, or when the section has ended that only reads.
  private func announce(_ group: Group) {
    guard let reading = core.runningReading else {
      return state.notifier.tell(.createdGroup(group))
    }
    let (core, incarnation) = (core, core.incarnation)
    reading.runAfterwards {
      core.section {
        if core.incarnation == incarnation { core.client?.notifier.tell(.createdGroup(group)) }
      }
    }
  }

  /// The group of all entities.
  private var groupOfAll: Group {
    if let group = state.groupOfAll { return group }
    let group = Group(core: core, matcher: .everything, tables: core.setOfAllTables())
    state.groupOfAll = group
    return group
  }
}

extension Context {
  /// How often a matcher was compared with a combination of component types so far.
  ///
  /// For the benchmarks' gates, which show that this does not happen per entity.
  package var matcherEvaluations: Int {
    core.readingSection { core.matcherEvaluations }
  }

  /// How many tables were made so far for combinations of component types, gone ones included.
  ///
  /// For tests and gates, which show that combinations which come back keep theirs.
  package var tablesMade: Int {
    core.read { core.tablesMade }
  }
}
