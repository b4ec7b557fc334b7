import ECS

// Groups, collectors, indexes and observers.
extension Live {
  func makeGroup(_ filter: Filter) {
    func ids(_ kinds: Set<Int>) -> Set<CID> { Set(kinds.map { Kind.ids[$0] }) }
    let matcher = Matcher(all: ids(filter.all), any: ids(filter.any), none: ids(filter.none))
    let group = context.group(matcher)
    if !groups.contains(group) { groups.append(group) }
  }

  func makeCollector(_ group: Int, _ kinds: ChangeKinds, paused: Bool, limit: Int?) {
    guard groups.indices.contains(group) else { return }
    collectors.append(Collector(group: groups[group], type: kinds, paused: paused, limit: limit))
  }

  func releaseCollector(_ collector: Int) {
    if collectors.indices.contains(collector) { collectors[collector] = nil }
  }

  func pauseCollector(_ collector: Int, _ isPaused: Bool) {
    guard collectors.indices.contains(collector) else { return }
    if isPaused { collectors[collector]?.pause() } else { collectors[collector]?.resume() }
  }

  func drain(_ collector: Int, _ way: Drain) -> [Int]? {
    guard collectors.indices.contains(collector), let collector = collectors[collector] else {
      return nil
    }
    var entities: [Entity] = []
    switch way {
    case .all: entities = Array(collector.drain())
    case .into: collector.drain(into: &entities)
    case .matching: entities = Array(collector.drainMatching())
    case .first: entities = collector.popFirst().map { [$0] } ?? []
    case .andPause: entities = Array(collector.drainAndPause())
    }
    return entities.map(number(of:))
  }

  func makeIndex(_ kind: Int, several: Bool, paused: Bool) {
    func make<C: ModelComponent>(_ type: C.Type) -> Index<Int> {
      several
        ? context.index(
          paused: paused, keys: { (c: C) in Reference.keys(c.number, several: true) })
        : context.index(paused: paused) { (c: C) in c.number / 2 }
    }
    indexes.append(make(Kind.types[kind]))
    if !paused { noteOrders(of: indexes.count - 1) }
  }

  /// An index finds entities that were there before it in an order of its own.
  private func noteOrders(of index: Int) {
    guard let index = indexes[index] else { return }
    for key in 0..<8 {
      let order = orders.begin()
      orders.orders[order] = index[key].map(number(of:))
    }
  }

  func releaseIndex(_ index: Int) {
    if indexes.indices.contains(index) { indexes[index] = nil }
  }

  func pauseIndex(_ index: Int, _ isPaused: Bool) {
    guard indexes.indices.contains(index), indexes[index]?.isPaused == !isPaused else { return }
    isPaused ? indexes[index]?.pause() : indexes[index]?.resume()
    if !isPaused { noteOrders(of: index) }
  }

  func observe(_ subject: Subject, _ kinds: ChangeKinds, _ reaction: Reaction) {
    let number = subscriptions.count
    let body: @Sendable (Change) -> Void = { [weak self] change in
      self?.note(change, number, reaction)
    }
    switch subject {
    case .entity(let entity):
      subscriptions.append(handles[entity].observeChanges(kinds, body))
    case .group(let group):
      guard groups.indices.contains(group) else { return }
      subscriptions.append(groups[group].observeChanges(kinds, body))
    case .context:
      subscriptions.append(
        context.observeEvents { [weak self] event in self?.note(event, number, reaction) })
    }
  }

  private func note(_ change: Change, _ source: Int, _ reaction: Reaction) {
    let name: Event.Name =
      switch change.kind {
      case .added: .added
      case .updated: .updated
      case .removed: .removed
      case .destroyed: .destroyed
      }
    let kind = change.component.flatMap { Kind.numbers[$0] }
    let numbers = Event.numbers(kind) { kind in
      func values<C: ModelComponent>(_ type: C.Type) -> (Int?, Int?) {
        (change.old(type)?.number, change.new(type)?.number)
      }
      return values(Kind.types[kind])
    }
    let entity = number(of: change.entity)
    trace.append(
      Event(name: name, source: source, entity: entity, kind: kind ?? -1, numbers: numbers))
    react(reaction, entity)
  }

  private func note(_ event: ContextEvent, _ source: Int, _ reaction: Reaction) {
    switch event {
    case .created(let entity):
      let number = number(of: entity)
      trace.append(Event(name: .added, source: source, entity: number))
      react(reaction, number)
    case .destroyed(let entity, let components):
      var old: [Int: Int] = [:]
      for case let component as any ModelComponent in components {
        old[Kind.numbers[component.cid] ?? -1] = component.number
      }
      let number = number(of: entity)
      let numbers = Event.numbers(nil) { (old[$0], nil) }
      trace.append(Event(name: .destroyed, source: source, entity: number, numbers: numbers))
      react(reaction, number)
    case .createdGroup(let group):
      let number = groups.firstIndex(of: group) ?? groups.count
      trace.append(Event(name: .madeGroup, source: source, numbers: [number]))
    case .createdIndex(let id):
      trace.append(Event(name: .madeIndex, source: source, kind: Kind.numbers[id] ?? -1))
    }
  }

  func cancel(_ subscription: Int) {
    guard subscriptions.indices.contains(subscription) else { return }
    if subscription % 2 == 0 {
      subscriptions[subscription]?.cancel()
    } else {
      subscriptions[subscription] = nil
    }
  }
}
