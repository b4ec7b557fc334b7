import ECS

/// A context, driven by the steps of a program.
// Owned by the thread that runs the program; observers are called on that thread, too.
final class Live: @unchecked Sendable {
  let context = Context(name: "Live")
  let orders: Orders
  var trace: [Event] = []
  var react: (Reaction, Int) -> Void = { _, _ in }

  private(set) var handles: [Entity] = []
  private var numbers: [Entity: Int] = [:]
  var groups: [Group] = []
  var collectors: [Collector?] = []
  var indexes: [Index<Int>?] = []
  var subscriptions: [Subscription?] = []
  let primary: PrimaryIndex<Key, Int>

  init(orders: Orders) {
    _ = Kind.ids
    self.orders = orders
    primary = context.primaryIndex { (key: Key) in key.number }
  }

  /// Whether an entity is being created that observers are notified of before its handle is
  /// returned.
  private var isCreating = false

  /// The number of an entity; -1 if it was never made known.
  func number(of entity: Entity) -> Int {
    if let number = numbers[entity] { return number }
    return isCreating ? know(entity) : -1
  }

  /// Numbers an entity, if it is new.
  @discardableResult
  func know(_ entity: Entity) -> Int {
    isCreating = false
    if let number = numbers[entity] { return number }
    numbers[entity] = handles.count
    handles.append(entity)
    return handles.count - 1
  }
}

// MARK: Entities

extension Live: Machine {
  func create(_ values: [Value]) -> Int {
    if values.contains(where: { Kind.isUnique($0.kind) }) {
      // Observers of the entity that loses the component are notified first, and may create
      // entities, too.
      return context.perform { know(make(values)) }
    }
    isCreating = true
    return know(make(values))
  }

  private func make(_ values: [Value]) -> Entity {
    let types = values.map { Kind.types[$0.kind] }
    return switch types.count {
    case 0: context.createEntity()
    case 1: create(types[0], values)
    case 2: create(types[0], types[1], values)
    default: create(types[0], types[1], types[2], values)
    }
  }

  private func create<A: ModelComponent>(_ a: A.Type, _ values: [Value]) -> Entity {
    context.createEntity(with: A(values[0].number))
  }

  private func create<A: ModelComponent, B: ModelComponent>(
    _ a: A.Type, _ b: B.Type, _ values: [Value]
  ) -> Entity {
    context.createEntity(with: A(values[0].number), B(values[1].number))
  }

  private func create<A: ModelComponent, B: ModelComponent, C: ModelComponent>(
    _ a: A.Type, _ b: B.Type, _ c: C.Type, _ values: [Value]
  ) -> Entity {
    context.createEntity(
      with: A(values[0].number), B(values[1].number), C(values[2].number))
  }

  func createMany(_ count: Int, _ values: [Value]) {
    func create<A: ModelComponent, B: ModelComponent>(_ a: A.Type, _ b: B.Type) {
      context.perform {
        let entities = context.createEntities(
          count, with: A(values[0].number), B(values[1].number))
        for entity in entities { know(entity) }
      }
    }
    create(Kind.types[values[0].kind], Kind.types[values[1].kind])
  }

  func set(_ entity: Int, _ value: Value) {
    func set<C: ModelComponent>(_ type: C.Type) { handles[entity].set(C(value.number)) }
    set(Kind.types[value.kind])
  }

  func setIfChanged(_ entity: Int, _ value: Value) {
    func set<C: ModelComponent>(_ type: C.Type) { handles[entity].setIfChanged(C(value.number)) }
    set(Kind.types[value.kind])
  }

  func update(_ entity: Int, _ value: Value, _ body: () throws -> Void) {
    func update<C: ModelComponent>(_ type: C.Type) {
      _ = try? handles[entity].update(type) { component in
        component = component.adding(value.number)
        try body()
      }
    }
    update(Kind.types[value.kind])
  }

  func remove(_ entity: Int, _ kind: Int) {
    func remove<C: ModelComponent>(_ type: C.Type) { handles[entity].remove(type) }
    if kind % 2 == 0 { handles[entity].remove(Kind.ids[kind]) } else { remove(Kind.types[kind]) }
  }

  func destroy(_ entity: Int) {
    handles[entity].destroy()
  }

  func destroyAll() {
    context.destroyAllEntities()
  }

  func number(_ entity: Int, _ kind: Int) -> Int? {
    func number<C: ModelComponent>(_ type: C.Type) -> Int? { handles[entity].get(type)?.number }
    return number(Kind.types[kind])
  }

  func isAlive(_ entity: Int) -> Bool { handles[entity].isAlive }

  // MARK: Unique components

  func uniqueNumber(_ kind: Int) -> (holder: Int, number: Int)? {
    func number<C: ModelUniqueComponent>(_ type: C.Type) -> (holder: Int, number: Int)? {
      guard let entity = context.uniqueEntity(type), let value = context.uniqueComponent(type)
      else { return nil }
      return (self.number(of: entity), value.number)
    }
    return kind == Kind.camera
      ? number(Camera.self) : kind == Kind.service ? number(Service.self) : nil
  }

  private func setUnique<C: ModelUniqueComponent>(_ type: C.Type, _ number: Int) {
    if context.hasUniqueComponent(type) { return context.setUniqueComponent(C(number)) }
    context.perform {
      context.setUniqueComponent(C(number))
      knowHolder(type)
    }
  }

  private func knowHolder<C: ModelUniqueComponent>(_ type: C.Type) {
    if let entity = context.uniqueEntity(type) { know(entity) }
  }

  private func withUnique<C: ModelUniqueComponent>(
    _ type: C.Type, _ number: Int, _ body: () -> Void
  ) {
    context.perform {
      context.withUnique(C(number)) {
        knowHolder(type)
        body()
      }
      knowHolder(type)
    }
  }

  func setUnique(_ value: Value) {
    value.kind == Kind.camera
      ? setUnique(Camera.self, value.number) : setUnique(Service.self, value.number)
  }

  func removeUnique(_ kind: Int) {
    kind == Kind.camera
      ? context.removeUniqueComponent(Camera.self) : context.removeUniqueComponent(Service.self)
  }

  func updateUnique(_ value: Value) {
    func update<C: ModelUniqueComponent>(_ type: C.Type) {
      context.updateUniqueComponent(type) { $0 = $0.adding(value.number) }
    }
    value.kind == Kind.camera ? update(Camera.self) : update(Service.self)
  }

  func withUnique(_ value: Value, _ body: () -> Void) {
    value.kind == Kind.camera
      ? withUnique(Camera.self, value.number, body) : withUnique(Service.self, value.number, body)
  }

  // MARK: The primary index

  func getOrCreate(_ key: Int) {
    context.perform { _ = know(primary.getOrCreate(Key(key))) }
  }

  func assign(_ entity: Int, _ key: Int) {
    context.perform {
      do throws(IdentityError<Int>) {
        try primary.assign(Key(key), to: handles[entity])
      } catch {
        switch error {
        case .duplicate(let key, let holder):
          trace.append(Event(name: .refused, entity: number(of: holder), numbers: [key]))
        case .immutable(let current, let refused):
          trace.append(Event(name: .refused, entity: entity, numbers: [current, refused]))
        case .invalid(let refused): trace.append(Event(name: .refused, numbers: [refused]))
        }
      }
    }
  }

  // MARK: Sections

  func perform(_ body: () throws -> Void) {
    try? context.perform {
      do {
        try body()
      } catch {
        trace.append(Event(name: .failed))
        throw error
      }
    }
  }

  func forEach(_ group: Int, _ body: (Int) -> Void) {
    guard groups.indices.contains(group) else { return }
    let order = orders.begin()
    for entity in groups[group] {
      let number = number(of: entity)
      orders.orders[order].append(number)
      body(number)
    }
  }

  func compact() {
    context.compact()
  }
}

extension ModelComponent {
  /// A component whose number is larger, within the range of its kind.
  func adding(_ other: Int) -> Self {
    Self((number + other) % Kind.range(Kind.numbers[Self.cid] ?? 0))
  }
}
