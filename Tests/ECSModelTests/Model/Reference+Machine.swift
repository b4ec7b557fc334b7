import ECS

extension Reference: Machine {
  // MARK: Entities

  func create(_ values: [Value]) -> Int {
    let entity = entityCount
    entityCount += 1
    let components = Components(uniqueKeysWithValues: values.map { ($0.kind, $0.number) })
    change {
      self.add(entity, components)
    } seenAs: {
      foreseeCreation(entity, components)
    }
    return entity
  }

  func createMany(_ count: Int, _ values: [Value]) {
    section { for _ in 0..<count { _ = create(values) } }
  }

  func set(_ entity: Int, _ value: Value) {
    let isAtOnce =
      coming[entity] == nil && entities[entity]?[value.kind] != nil
      && !borrowed.joined().contains(value.kind)
    if !borrowed.isEmpty && isAtOnce {
      tellAfterwards(
        entity, value.kind, old: entities[entity]?[value.kind] ?? -1, new: value.number)
      entities[entity]?[value.kind] = value.number
      touched.insert(entity)
      return
    }
    change {
      self.write(entity, value)
    } seenAs: {
      foresee(entity, value.kind, value.number)
    }
  }

  func setIfChanged(_ entity: Int, _ value: Value) {
    section { if number(entity, value.kind) != value.number { set(entity, value) } }
  }

  func update(_ entity: Int, _ value: Value, _ body: () throws -> Void) {
    section {
      guard let old = number(entity, value.kind) else {
        if seen(entity) == nil { staleWrites += 1 }
        return
      }
      guard (try? body()) != nil else { return }
      guard number(entity, value.kind) != nil else { return }
      set(entity, value.added(to: old))
    }
  }

  func remove(_ entity: Int, _ kind: Int) {
    change {
      self.take(entity, kind)
    } seenAs: {
      if number(entity, kind) != nil { foresee(entity, kind, nil) }
    }
  }

  func destroy(_ entity: Int) {
    change {
      self.end(entity)
    } seenAs: {
      if seen(entity) != nil { coming[entity, default: Coming()].isAlive = false }
    }
  }

  func destroyAll() {
    section { for entity in living { destroy(entity) } }
  }

  func number(_ entity: Int, _ kind: Int) -> Int? { seen(entity)?[kind] }

  func isAlive(_ entity: Int) -> Bool { seen(entity) != nil }

  // MARK: Unique components

  func setUnique(_ value: Value) {
    section {
      if let holder = seenHolder(value.kind) { return set(holder, value) }
      let entity = entityCount
      entityCount += 1
      change {
        self.add(entity, [value.kind: value.number])
        self.holdersOfOurs[value.kind] = entity
      } seenAs: {
        foreseeCreation(entity, [value.kind: value.number], isOurs: true)
      }
    }
  }

  func removeUnique(_ kind: Int) {
    change {
      self.evict([kind])
    } seenAs: {
      foreseeLoss(of: kind)
    }
  }

  func updateUnique(_ value: Value) {
    section {
      guard let holder = seenHolder(value.kind) else { return }
      update(holder, value) {}
    }
  }

  func uniqueNumber(_ kind: Int) -> (holder: Int, number: Int)? {
    guard Kind.isUnique(kind) else { return nil }
    return seenHolder(kind).flatMap { holder in number(holder, kind).map { (holder, $0) } }
  }

  func withUnique(_ value: Value, _ body: () -> Void) {
    section {
      let earlier = holder(value.kind)
      let number = earlier.flatMap { self.number($0, value.kind) }
      let isOurs = earlier != nil && holdersOfOurs[value.kind] == earlier
      setUnique(value)
      body()
      guard let earlier, let number else { return removeUnique(value.kind) }
      let before = Value(kind: value.kind, number: number)
      guard entities[earlier] != nil else { return setUnique(before) }
      set(earlier, before)
      if isOurs { holdersOfOurs[value.kind] = earlier }
    }
  }

  // MARK: The primary index

  func getOrCreate(_ key: Int) {
    section { if owner(of: key) == nil { _ = create([Value(kind: Kind.key, number: key)]) } }
  }

  func assign(_ entity: Int, _ key: Int) {
    section {
      if let owner = owner(of: key), owner != entity {
        return trace.append(Event(name: .refused, entity: owner, numbers: [key]))
      }
      if let current = number(entity, Kind.key), current != key {
        return trace.append(Event(name: .refused, entity: entity, numbers: [current, key]))
      }
      set(entity, Value(kind: Kind.key, number: key))
    }
  }

  func owner(of key: Int) -> Int? { entities.first { $0.value[Kind.key] == key }?.key }

  // MARK: Sections and iterations

  func perform(_ body: () throws -> Void) {
    section {
      if (try? body()) == nil { trace.append(Event(name: .failed)) }
    }
  }

  func forEach(_ group: Int, _ body: (Int) -> Void) {
    guard groups.indices.contains(group) else { return }
    let order = orders.next()
    var snapshot = Set(members(group))
    for entity in order {
      if snapshot.remove(entity) == nil || entities[entity] == nil { reportImpossible(order) }
      body(entity)
    }
    if snapshot.contains(where: { entities[$0] != nil }) { reportImpossible(order) }
  }

  func visit(_ visit: Visit, _ body: (Int, Int) throws -> Void) {
    guard groups.indices.contains(visit.group) else { return }
    let order = orders.next()
    let asked = visit.mutated + visit.read
    let expected = members(visit.group).filter { entity in
      asked.allSatisfy { entities[entity]?[$0] != nil }
    }
    let isCut = visit.throwing.map { $0 < expected.count } ?? false
    if Set(order).count != order.count || !Set(order).isSubset(of: expected)
      || order.count != (isCut ? (visit.throwing ?? 0) + 1 : expected.count)
    {
      reportImpossible(order)
    }
    section {
      let olds = entities
      borrowed.append(asked)
      for (number, entity) in order.enumerated() {
        if visit.style != .parallel {
          let numbers = asked.map { entities[entity]?[$0] ?? -1 }
          trace.append(Event(name: .visited, source: number, entity: entity, numbers: numbers))
          if (try? body(number, entity)) == nil {
            trace.append(Event(name: .failed))
            continue
          }
        }
        mutate(entity, visit)
      }
      borrowed.removeLast()
      for entity in isCut ? order.dropLast() : order[...] {
        for kind in visit.mutated {
          let (old, new) = (olds[entity]?[kind] ?? -1, entities[entity]?[kind] ?? -1)
          borrowed.isEmpty
            ? tell(entity, kind, old: old, new: new)
            : tellAfterwards(entity, kind, old: old, new: new)
        }
      }
      applyDeferred()
    }
  }

  /// What an iteration makes of an entity that it visits.
  private func mutate(_ entity: Int, _ visit: Visit) {
    for kind in visit.mutated {
      let old = entities[entity]?[kind] ?? -1
      entities[entity]?[kind] = Value(kind: kind, number: visit.by).added(to: old).number
      touched.insert(entity)
    }
  }

  private func reportImpossible(_ order: [Int]) {
    trace.append(Event(name: .impossible, numbers: order))
  }

  // MARK: Groups, collectors, indexes, observers

  func makeGroup(_ filter: Filter) {
    var filter = filter
    if filter.any.count == 1 {
      filter.all.formUnion(filter.any)
      filter.any = []
    }
    if groups.contains(filter) { return }
    groups.append(filter)
    tellContext(Event(name: .madeGroup, numbers: [groups.count - 1]))
  }

  private func tellContext(_ event: Event) {
    for (number, subscription) in subscriptions.enumerated()
    where subscription?.subject == .context {
      var event = event
      event.source = number
      trace.append(event)
    }
  }

  func makeCollector(_ group: Int, _ kinds: ChangeKinds, paused: Bool, limit: Int?) {
    guard groups.indices.contains(group) else { return }
    collectors.append(Collector(group: group, kinds: kinds, limit: limit, isPaused: paused))
  }

  func releaseCollector(_ collector: Int) {
    if collectors.indices.contains(collector) { collectors[collector] = nil }
  }

  func pauseCollector(_ collector: Int, _ isPaused: Bool) {
    guard collectors.indices.contains(collector) else { return }
    collectors[collector]?.isPaused = isPaused
    if isPaused { collectors[collector]?.empty() }
  }

  func drain(_ collector: Int, _ way: Drain) -> [Int]? {
    guard collectors.indices.contains(collector), let state = collectors[collector] else {
      return nil
    }
    if way == .first {
      collectors[collector]?.entities = Array(state.entities.dropFirst())
      if state.entities.count == 1 { collectors[collector]?.empty() }
      return Array(state.entities.prefix(1))
    }
    collectors[collector]?.empty()
    if way == .andPause { collectors[collector]?.isPaused = true }
    guard way == .matching else { return state.entities }
    return state.entities.filter { matches(groups[state.group], entities[$0]) }
  }

  func makeIndex(_ kind: Int, several: Bool, paused: Bool) {
    indexes.append(Index(kind: kind, several: several, isPaused: true))
    if !paused { pauseIndex(indexes.count - 1, false) }
    tellContext(Event(name: .madeIndex, kind: kind))
  }

  func releaseIndex(_ index: Int) {
    if indexes.indices.contains(index) { indexes[index] = nil }
  }

  func pauseIndex(_ index: Int, _ isPaused: Bool) {
    guard indexes.indices.contains(index), let state = indexes[index], state.isPaused != isPaused
    else { return }
    indexes[index]?.isPaused = isPaused
    indexes[index]?.buckets = [:]
    if isPaused { return }
    for entity in living { file(entity, in: index) }
    for key in 0..<8 {
      let order = orders.next()
      if order.sorted() != (indexes[index]?.buckets[key] ?? []) { reportImpossible(order) }
      indexes[index]?.buckets[key] = order.isEmpty ? nil : order
    }
  }

  func observe(_ subject: Subject, _ kinds: ChangeKinds, _ reaction: Reaction) {
    if case .group(let group) = subject, !groups.indices.contains(group) { return }
    subscriptions.append((subject, kinds, reaction))
  }

  func cancel(_ subscription: Int) {
    if subscriptions.indices.contains(subscription) { subscriptions[subscription] = nil }
  }

  func compact() {}
}

extension Value {
  /// The value whose number is this one's added to another.
  func added(to old: Int) -> Value {
    Value(kind: kind, number: (old + number) % Kind.range(kind))
  }
}
