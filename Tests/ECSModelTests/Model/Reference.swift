import ECS

/// What a context promises, said as plainly as possible: dictionaries and loops, no storage.
///
/// It has no tables, so it cannot tell in which order an iteration visits entities or a
/// new index finds them. There it takes the order from the context, once it has seen that it is an
/// order of the right entities.
final class Reference {
  typealias Components = [Int: Int]

  struct Collector {
    var group: Int
    var kinds: ChangeKinds
    var limit: Int?
    var isPaused: Bool
    var entities: [Int] = []
    var lostCount = 0

    /// With so many entities it looks for dead ones.
    var nextSweep = 32

    mutating func empty() {
      entities = []
      nextSweep = 32
    }

    mutating func append(_ entity: Int, isAlive: (Int) -> Bool) {
      if entities.count >= nextSweep {
        let alive = entities.filter(isAlive)
        if !kinds.contains(.removed), alive.count * 2 <= entities.count { entities = alive }
        nextSweep = max(32, entities.count * 2)
      }
      if let limit, entities.count == limit {
        entities.removeFirst()
        lostCount += 1
      }
      entities.append(entity)
    }
  }

  struct Index {
    var kind: Int
    var several: Bool
    var isPaused: Bool
    var buckets: [Int: [Int]] = [:]
  }

  /// What changes that wait will have made of an entity; `nil` is a component that is gone.
  struct Coming {
    var isAlive = true
    var changes: [Int: Int?] = [:]
  }

  struct Notification {
    var event: Event
    var subject: Subject
    var subscribers: [Int]
  }

  var entities: [Int: Components] = [:]
  var holdersOfOurs: [Int: Int] = [:]
  var groups: [Filter] = []
  var collectors: [Collector?] = []
  var indexes: [Index?] = []
  var subscriptions: [(subject: Subject, kinds: ChangeKinds, reaction: Reaction)?] = []
  var entityCount = 0
  var staleWrites = 0
  var trace: [Event] = []
  var react: (Reaction, Int) -> Void = { _, _ in }

  /// The orders in which the context went through entities.
  let orders: Orders

  /// The entities that a step has changed.
  var touched: Set<Int> = []

  private var depth = 0

  /// The kinds that running iterations have asked for.
  var borrowed: [[Int]] = []

  /// The entities of which changes wait for the end of an iteration, as their thread sees them.
  var coming: [Int: Coming] = [:]
  private var comingHolders: [Int: Int] = [:]
  private var comingOurs: Set<Int> = []
  private var deferred: [() -> Void] = []
  private var queue: [Notification] = []

  init(orders: Orders) {
    self.orders = orders
  }

  var living: [Int] { entities.keys.sorted() }

  func matches(_ filter: Filter, _ components: Components?) -> Bool {
    guard let components else { return false }
    return filter.all.allSatisfy { components[$0] != nil }
      && filter.none.allSatisfy { components[$0] == nil }
      && (filter.any.isEmpty || filter.any.contains { components[$0] != nil })
  }

  func members(_ group: Int) -> [Int] {
    living.filter { matches(groups[group], entities[$0]) }
  }

  func holder(_ kind: Int) -> Int? {
    entities.first { $0.value[kind] != nil }?.key
  }

  /// An entity as the thread sees it that has made changes which wait; nil if it is dead.
  func seen(_ entity: Int) -> Components? {
    guard let coming = coming[entity] else { return entities[entity] }
    guard coming.isAlive else { return nil }
    var components = entities[entity] ?? [:]
    for (kind, number) in coming.changes { components[kind] = number }
    return components
  }

  func seenHolder(_ kind: Int) -> Int? {
    Set(entities.keys).union(coming.keys).first { seen($0)?[kind] != nil }
  }

  // MARK: Sections

  /// Runs a change or several; tells observers when the outermost one ends.
  func section(_ body: () -> Void) {
    depth += 1
    body()
    while depth == 1 && !queue.isEmpty { deliver(queue.removeFirst()) }
    depth -= 1
  }

  /// Runs a change now or, if an iteration is running, when that ends; `see` says what the thread
  /// sees of it until then.
  func change(_ body: @escaping () -> Void, seenAs see: () -> Void) {
    if borrowed.isEmpty { return section(body) }
    see()
    deferred.append(body)
  }

  func applyDeferred() {
    guard borrowed.isEmpty else { return }
    coming = [:]
    comingHolders = [:]
    comingOurs = []
    while !deferred.isEmpty { deferred.removeFirst()() }
  }

  /// Notes what will have become of a component of an entity that is seen to be alive.
  func foresee(_ entity: Int, _ kind: Int, _ number: Int?) {
    guard let components = seen(entity) else { return }
    if number != nil, Kind.isUnique(kind), components[kind] == nil {
      foreseeLoss(of: kind)
      comingHolders[kind] = entity
      comingOurs.remove(kind)
    }
    coming[entity, default: Coming()].changes[kind] = .some(number)
  }

  /// Notes that a unique component will be taken from its holder.
  func foreseeLoss(of kind: Int) {
    guard let holder = seenHolder(kind) else { return }
    let isOurs =
      comingHolders[kind] == holder ? comingOurs.contains(kind) : holdersOfOurs[kind] == holder
    foresee(holder, kind, nil)
    if isOurs && seen(holder) == [:] { coming[holder]?.isAlive = false }
  }

  func foreseeCreation(_ entity: Int, _ components: Components, isOurs: Bool = false) {
    for kind in components.keys where Kind.isUnique(kind) { foreseeLoss(of: kind) }
    coming[entity] = Coming(changes: components.mapValues { .some($0) })
    for kind in components.keys where Kind.isUnique(kind) {
      comingHolders[kind] = entity
      if isOurs { comingOurs.insert(kind) } else { comingOurs.remove(kind) }
    }
  }

  /// Tells, when the running iteration ends, that a component was written while it ran.
  func tellAfterwards(_ entity: Int, _ kind: Int, old: Int, new: Int) {
    deferred.append {
      guard self.entities[entity]?[kind] != nil else { return }
      self.tell(entity, kind, old: old, new: new)
    }
  }

  /// Tells that a component of an entity was written.
  func tell(_ entity: Int, _ kind: Int, old: Int, new: Int) {
    guard var before = entities[entity], var after = entities[entity] else { return }
    before[kind] = old
    after[kind] = new
    tell(entity, before, after, cause: kind)
  }

  // MARK: Changes

  func add(_ entity: Int, _ components: Components) {
    evict(components.keys.sorted().filter(Kind.isUnique))
    put(entity, components, cause: nil)
  }

  func write(_ entity: Int, _ value: Value) {
    guard var components = entities[entity] else {
      staleWrites += 1
      return
    }
    if Kind.isUnique(value.kind) && components[value.kind] == nil { evict([value.kind]) }
    components[value.kind] = value.number
    put(entity, components, cause: value.kind)
  }

  func take(_ entity: Int, _ kind: Int) {
    guard var components = entities[entity] else {
      staleWrites += 1
      return
    }
    guard components.removeValue(forKey: kind) != nil else { return }
    if holdersOfOurs[kind] == entity { holdersOfOurs[kind] = nil }
    put(entity, components, cause: kind)
  }

  func end(_ entity: Int) {
    guard entities[entity] != nil else {
      staleWrites += 1
      return
    }
    for (kind, holder) in holdersOfOurs where holder == entity { holdersOfOurs[kind] = nil }
    put(entity, nil, cause: nil)
  }

  /// Takes a unique component from its holder, which ends if it was made to hold just that.
  func evict(_ kinds: [Int]) {
    var made: [Int] = []
    for kind in kinds {
      guard let holder = holder(kind) else { continue }
      if holdersOfOurs[kind] == holder { made.append(holder) }
      take(holder, kind)
    }
    for holder in made where entities[holder] == [:] { end(holder) }
  }

  /// Gives an entity other components, and notifies everything: indexes, collectors, observers.
  private func put(_ entity: Int, _ new: Components?, cause: Int?) {
    let old = entities[entity]
    entities[entity] = new
    touched.insert(entity)
    tell(entity, old, new, cause: cause)
  }

  private func tell(_ entity: Int, _ old: Components?, _ new: Components?, cause: Int?) {
    for number in indexes.indices where cause == nil || indexes[number]?.kind == cause {
      file(entity, in: number)
    }
    let name: Event.Name =
      if old == nil { .added } else if new == nil { .destroyed } else {
        old?[cause ?? -1] == nil ? .added : new?[cause ?? -1] == nil ? .removed : .updated
      }
    notify(.entity(entity), Event(name: name, entity: entity), old, new, cause)
    for (number, filter) in groups.enumerated() {
      let isMentioned = cause.map((filter.all.union(filter.any).union(filter.none)).contains)
      let name: Event.Name
      switch (matches(filter, old), matches(filter, new)) {
      case (false, true): name = .added
      case (true, false): name = .removed
      case (true, true) where isMentioned == true: name = .updated
      default: continue
      }
      collect(entity, name, number)
      notify(.group(number), Event(name: name, entity: entity), old, new, cause)
    }
    guard cause == nil else { return }
    notify(
      .context, Event(name: old == nil ? .added : .destroyed, entity: entity), old, new, cause)
  }

  private func collect(_ entity: Int, _ name: Event.Name, _ group: Int) {
    for number in collectors.indices {
      guard let collector = collectors[number], collector.group == group, !collector.isPaused,
        collector.kinds.contains(name), !collector.entities.contains(entity)
      else { continue }
      collectors[number]?.append(entity) { entities[$0] != nil }
    }
  }

  // MARK: Indexes

  static func keys(_ number: Int, several: Bool) -> [Int] {
    several ? [number % 3, number / 3, number % 3] : [number / 2]
  }

  func file(_ entity: Int, in number: Int) {
    guard let index = indexes[number], !index.isPaused else { return }
    let value = entities[entity]?[index.kind]
    let keys = value.map { Reference.keys($0, several: index.several) } ?? []
    for (key, bucket) in index.buckets where !keys.contains(key) {
      guard let position = bucket.firstIndex(of: entity) else { continue }
      var bucket = bucket
      bucket.swapAt(position, bucket.count - 1)
      bucket.removeLast()
      indexes[number]?.buckets[key] = bucket.isEmpty ? nil : bucket
    }
    for key in keys where indexes[number]?.buckets[key]?.contains(entity) != true {
      indexes[number]?.buckets[key, default: []].append(entity)
    }
  }

  // MARK: Observers

  private func notify(
    _ subject: Subject, _ event: Event, _ old: Components?, _ new: Components?, _ cause: Int?
  ) {
    let subscribers = subscriptions.indices.filter { subscriptions[$0]?.subject == subject }
    if subscribers.isEmpty { return }
    var event = event
    event.kind = cause ?? -1
    if subject != .context || new == nil {
      event.numbers = Event.numbers(cause) { (old?[$0], new?[$0]) }
    }
    queue.append(Notification(event: event, subject: subject, subscribers: subscribers))
  }

  private func deliver(_ notification: Notification) {
    for number in notification.subscribers {
      guard let subscription = subscriptions[number], isCurrent(notification),
        subscription.kinds.contains(notification.event.name)
      else { continue }
      var event = notification.event
      event.source = number
      trace.append(event)
      react(subscription.reaction, event.entity)
    }
  }

  private func isCurrent(_ notification: Notification) -> Bool {
    let event = notification.event
    guard event.name == .added || event.name == .updated else { return true }
    guard let components = entities[event.entity] else { return false }
    switch notification.subject {
    case .context: return true
    case .entity: return components[event.kind] != nil
    case .group(let group): return matches(groups[group], components)
    }
  }
}
