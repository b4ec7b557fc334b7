import Dispatch
import ECS
import ECSTestSupport
import Foundation
import Synchronization
import Testing

/// A value whose end waits for another thread, which calls the context.
private final class Fuse: Sendable {
  let ends: Ends

  init(_ ends: Ends) { self.ends = ends }

  deinit { ends.waitForAnotherThread() }
}

/// What becomes of the fuses of a context.
private final class Ends: Sendable {
  /// An entity of the context: its handle is safe when the context is gone, too.
  private let probe: Entity
  private let ended = Atomic<Int>(0)
  private let stuck = Atomic<Int>(0)

  init(_ context: Context) { probe = context.createEntity() }

  var count: Int { ended.load(ordering: .relaxed) }

  /// How many ended with the lock of the context held.
  var stuckCount: Int { stuck.load(ordering: .relaxed) }

  func waitForAnotherThread() {
    ended.add(1, ordering: .relaxed)
    let (done, probe) = (DispatchSemaphore(value: 0), probe)
    Thread.detachNewThread {
      _ = probe.isAlive
      probe.remove(Tag.self)
      done.signal()
    }
    // Long, since a new thread may have to wait for its turn on a busy machine.
    if done.wait(timeout: .now() + 20) == .timedOut { stuck.add(1, ordering: .relaxed) }
  }
}

private struct Charge: Component, Equatable {
  var fuse: Fuse
  var number = 0

  static func == (one: Charge, other: Charge) -> Bool { one.number == other.number }
}

private struct Device: UniqueComponent {
  var fuse: Fuse
}

private enum OwnedBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }

private struct Failed: Error {}

/// A context with fuses, and whatever listens to it.
private final class World {
  enum Listener: CaseIterable { case none, observers, journal, views, collectors }

  let ends: Ends
  var context: Context?
  let entity: Entity
  private var listening: [Any] = []

  init(_ listeners: [Listener]) {
    let context = Context()
    self.context = context
    ends = Ends(context)
    entity = context.createEntity(with: Charge(fuse: Fuse(ends)), Tag())
    entity.set(Health(points: 1))
    for listener in listeners { listen(listener, context) }
  }

  private func listen(_ listener: Listener, _ context: Context) {
    let group = context.group(Charge.matcher)
    switch listener {
    case .none: break
    case .observers:
      listening.append(group.observeChanges { _ in })
      listening.append(context.group(Device.matcher).observeChanges { _ in })
      listening.append(entity.observeChanges(of: Charge.self) { _, _, _ in })
    case .journal: listening.append(context.journal().observe { _ in })
    case .views:
      let view = group.sorted(by: \Charge.number)
      listening.append(view.filtered { (charge: Charge) in charge.number < 100 }.observe { _ in })
      listening.append(context.orderedIndex { (charge: Charge) in charge.number })
    case .collectors:
      listening.append(Collector(group: group, type: .addedUpdatedOrRemoved))
      listening.append(context.index { (charge: Charge) in charge.number })
      let number: @Sendable (Charge) -> Int = { charge in charge.number }
      listening.append(context.sum(of: number, by: number))
    }
  }

  var charge: Charge { Charge(fuse: Fuse(ends)) }
  var device: Device { Device(fuse: Fuse(ends)) }

  func charge(_ number: Int) -> Charge { Charge(fuse: Fuse(ends), number: number) }

  func end() {
    listening = []
    context = nil
  }
}

/// Something that ends values.
private struct Verb: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let call: @Sendable (World, Context, Entity) throws -> Void

  init(_ name: String, _ call: @escaping @Sendable (World, Context, Entity) throws -> Void) {
    (testDescription, self.call) = (name, call)
  }

  static let all = values + ends + uniqueComponents + iterations + transactions

  private static let values = [
    Verb("set") { world, _, entity in entity.set(world.charge) },
    Verb("set on a dead entity") { world, _, entity in entity.destroyed().set(world.charge) },
    Verb("setIfChanged") { world, _, entity in entity.setIfChanged(world.charge(1)) },
    Verb("setIfChanged, equal") { world, _, entity in entity.setIfChanged(world.charge) },
    Verb("update") { world, _, entity in
      try entity.update(Charge.self) { charge throws in charge.fuse = world.charge.fuse }
    },
    Verb("update that throws") { world, _, entity in
      try? entity.update(Charge.self) { charge throws in
        charge = world.charge
        throw Failed()
      }
    },
    Verb("update that removes") { world, _, entity in
      try entity.update(Charge.self) { charge throws in
        charge.number = 1
        entity.remove(Charge.self)
      }
    },
    Verb("updateIfChanged") { world, _, entity in
      entity.updateIfChanged(Charge.self) { $0 = world.charge(1) }
    },
    Verb("updateIfChanged, equal") { world, _, entity in
      entity.updateIfChanged(Charge.self) { $0 = world.charge }
    },
    Verb("updateIfChanged that throws") { world, _, entity in
      try? entity.updateIfChanged(Charge.self) { charge throws in
        charge = world.charge(1)
        throw Failed()
      }
    },
    Verb("updateIfChanged that destroys") { world, _, entity in
      entity.updateIfChanged(Charge.self) {
        $0 = world.charge(1)
        entity.destroy()
      }
    },
    Verb("update(default:)") { world, _, entity in
      try entity.update(default: world.charge) { charge throws in charge = world.charge }
    },
    Verb("update(default:) that throws") { world, context, _ in
      _ = try? context.createEntity().update(default: world.charge) { charge throws in
        throw Failed()
      }
    },
    Verb("update(default:) that destroys") { world, context, _ in
      let entity = context.createEntity()
      entity.update(default: world.charge) { _ in entity.destroy() }
    },
    Verb("clone with changes") { world, _, entity in
      _ = try entity.clone { copy in
        copy.set(world.charge)
        copy.set(world.charge(1))
        copy.remove(Charge.self)
        copy.set(world.charge(2))
      }
    },
    Verb("clone that is refused") { world, context, entity in
      let index = context.primaryIndex { (charge: Charge) in charge.number }
      _ = try? context.clone([entity, entity]) { $0.set(world.charge(0)) }
      withExtendedLifetime(index) {}
    },
    Verb("clone into another context") { world, _, entity in
      _ = try entity.clone(into: Context()) { $0.set(world.charge(1)) }
    },
    Verb("createEntities from a template") { world, context, _ in
      let template = Template { world.charge }
      context.createEntities(3, from: template) { number, entity in
        if number == 1 { entity.remove(Charge.self) } else { entity.set(world.charge(number)) }
      }
    },
    Verb("group.set") { world, context, _ in context.group(Charge.matcher).set(world.charge) },
    Verb("assign") { world, context, entity in
      let index = context.primaryIndex { (charge: Charge) in charge.number }
      try index.assign(world.charge, to: entity)
    },
    Verb("assign that throws") { world, context, entity in
      let index = context.primaryIndex { (charge: Charge) in charge.number }
      try? index.assign(world.charge(1), to: entity)
    },
    Verb("getOrCreate") { world, context, _ in
      let index = context.primaryIndex { (charge: Charge) in charge.number }
      _ = index.getOrCreate(world.charge)
    },
    Verb("createEntities(from:) that throws") { world, context, _ in
      _ = try? context.createEntities(from: 0..<3) { (number: Int) throws -> Charge in
        if number == 2 { throw Failed() }
        return world.charge(number)
      }
    },
    Verb("createEntities(from:) with several, that throws") { world, context, _ in
      _ = try? context.createEntities(from: 0..<9000) {
        (number: Int) throws -> (Charge, Health) in
        if number == 8999 { throw Failed() }
        return (number % 1000 == 0 ? world.charge : Charge(fuse: kept(world)), Health(points: 1))
      }
    },
  ]

  private static let ends = [
    Verb("remove(type)") { _, _, entity in entity.remove(Charge.self) },
    Verb("remove(cid)") { _, _, entity in entity.remove(Charge.cid) },
    Verb("take") { _, _, entity in _ = entity.take(Charge.self) },
    Verb("destroy") { _, _, entity in entity.destroy() },
    Verb("destroy, cascading") { world, context, entity in
      let owner = context.createEntity(with: world.charge(1))
      entity.relate(OwnedBy.self, to: owner)
      owner.destroy()
    },
    Verb("destroyIfAllowed, cascading") { world, context, entity in
      let owner = context.createEntity(with: world.charge(1))
      entity.relate(OwnedBy.self, to: owner)
      try owner.destroyIfAllowed()
    },
    Verb("destroyAllEntities") { world, context, _ in
      context.createEntity(with: world.charge(1))
      context.destroyAllEntities()
    },
    Verb("group.remove") { _, context, _ in context.group(Charge.matcher).remove(Charge.self) },
    Verb("group.destroyAll") { world, context, _ in
      context.createEntity(with: world.charge(1), world.device)
      context.group(Charge.matcher).destroyAll()
    },
    Verb("the end of the context") { world, _, _ in world.end() },
    Verb("compact") { _, context, entity in
      entity.destroy()
      context.compact()
    },
  ]

  private static let uniqueComponents = [
    Verb("setUniqueComponent") { world, context, _ in
      context.setUniqueComponent(world.device)
      context.setUniqueComponent(world.device)
    },
    Verb("set takes a unique component away") { world, context, entity in
      context.setUniqueComponent(world.device)
      entity.set(world.device)
    },
    Verb("createEntity takes a unique component away") { world, context, _ in
      context.setUniqueComponent(world.device)
      context.createEntity(with: world.device, Tag())
    },
    Verb("removeUniqueComponent") { world, context, _ in
      context.setUniqueComponent(world.device)
      context.removeUniqueComponent(Device.self)
    },
    Verb("takeUniqueComponent") { world, context, _ in
      context.setUniqueComponent(world.device)
      _ = context.takeUniqueComponent(Device.self)
    },
    Verb("updateUniqueComponent") { world, context, _ in
      context.setUniqueComponent(world.device)
      try context.updateUniqueComponent(Device.self) { device throws in device = world.device }
    },
    Verb("updateUniqueComponent that throws") { world, context, _ in
      context.setUniqueComponent(world.device)
      try? context.updateUniqueComponent(Device.self) { device throws in
        device = world.device
        throw Failed()
      }
    },
    Verb("withUnique") { world, context, _ in context.withUnique(world.device) {} },
    Verb("withUnique over another") { world, context, _ in
      context.setUniqueComponent(world.device)
      context.withUnique(world.device) {}
    },
  ]

  private static let iterations = [
    inIteration("remove") { _, _, entity in entity.remove(Charge.self) },
    inIteration("destroy") { _, _, entity in entity.destroy() },
    inIteration("destroyAllEntities") { _, context, _ in context.destroyAllEntities() },
    inIteration("set") { world, _, entity in entity.remove(Tag.self).set(world.charge) },
    inIteration("set twice") { world, _, entity in
      entity.remove(Tag.self).set(world.charge).set(world.charge)
    },
    inIteration("set and remove") { world, _, entity in
      entity.remove(Tag.self).set(world.charge).remove(Charge.self)
    },
    inIteration("create and destroy") { world, context, _ in
      context.createEntity(with: world.charge).destroy()
    },
    inIteration("create and replace") { world, context, _ in
      context.createEntity(with: world.charge).set(world.charge)
    },
    inIteration("group.remove") { _, context, _ in
      context.group(Charge.matcher).remove(Charge.self)
    },
    inIteration("group.destroyAll") { _, context, _ in context.group(Charge.matcher).destroyAll() },
    inIteration("setUniqueComponent twice") { world, context, _ in
      context.setUniqueComponent(world.device)
      context.setUniqueComponent(world.device)
    },
    inIteration("removeUniqueComponent") { world, context, _ in
      context.setUniqueComponent(world.device)
      context.removeUniqueComponent(Device.self)
    },
    inIteration("cascading") { world, context, entity in
      let owner = context.createEntity(with: world.charge(1))
      entity.relate(OwnedBy.self, to: owner)
      owner.destroy()
    },
    Verb("remove in an iteration that throws") { _, context, _ in
      try? context.group(Health.matcher).withEach { (entity, _: Health) throws in
        entity.remove(Charge.self)
        throw Failed()
      }
    },
    Verb("remove in an iteration over what it removes") { _, context, _ in
      context.group(Charge.matcher).withEach { (entity, charge: inout Charge) in
        charge.number += 1
        entity.remove(Charge.self)
      }
    },
    Verb("remove in a search") { _, context, _ in
      _ = context.group(Health.matcher).firstNonNil { (entity, _: Health) -> Int? in
        entity.remove(Charge.self)
        return 1
      }
    },
  ]

  private static let transactions = [
    inTransaction("set") { world, _, entity in entity.set(world.charge) },
    inTransaction("remove") { _, _, entity in entity.remove(Charge.self) },
    inTransaction("destroy") { _, _, entity in entity.destroy() },
    inTransaction("create") { world, context, _ in context.createEntity(with: world.charge) },
    inTransaction("setUniqueComponent") { world, context, _ in
      context.setUniqueComponent(world.device)
    },
    inTransaction("destroyAllEntities") { _, context, _ in context.destroyAllEntities() },
    inTransaction("an iteration") { world, context, _ in
      context.group(Charge.matcher).withEach { (_, charge: inout Charge) in charge = world.charge }
    },
  ].flatMap(\.self)

  private static func inIteration(
    _ name: String, _ call: @escaping @Sendable (World, Context, Entity) throws -> Void
  ) -> Verb {
    Verb("\(name), when an iteration ends") { world, context, entity in
      try context.group(Health.matcher).withEach { (_, _: Health) in
        try call(world, context, entity)
      }
    }
  }

  private static func inTransaction(
    _ name: String, _ call: @escaping @Sendable (World, Context, Entity) throws -> Void
  ) -> [Verb] {
    [
      Verb("\(name), in a transaction") { world, context, entity in
        try context.transaction { try call(world, context, entity) }
      },
      Verb("\(name), in a transaction that is taken back") { world, context, entity in
        try? context.transaction {
          try call(world, context, entity)
          throw Failed()
        }
      },
    ]
  }
}

/// The fuse that the entity of a world has.
private func kept(_ world: World) -> Fuse {
  world.entity.get(Charge.self)?.fuse ?? Fuse(world.ends)
}

extension Entity {
  fileprivate func destroyed() -> Entity {
    destroy()
    return self
  }
}

/// Values end when the lock is free, whatever takes them out of storage, and whatever listens.
@Suite(.ownThread) struct EndingValueTests {
  @Test(arguments: Verb.all)
  private func `No value ends with the lock held`(verb: Verb) throws {
    let listeners = World.Listener.allCases
    for listeners in listeners.map({ [$0] }) + [listeners] {
      let world = World(listeners)
      if let context = world.context { try verb.call(world, context, world.entity) }
      expectEqual(world.ends.stuckCount, 0, "with \(listeners)")
      world.end()
      expectEqual(world.ends.stuckCount, 0, "at the end, with \(listeners)")
      expectGreaterThan(world.ends.count, 0)
    }
  }
}
