import CAllocationCounter
import ECS

extension Gate {
  /// Operations that allocate nothing once storage has grown to its size.
  static var allocations: [Gate] {
    handles + structure + reactive + observers + lookUps
  }

  private static var handles: [Gate] {
    [
      allocationFree("get") { world in
        world.each { $0.get(Position.self) }
      } broken: { world in
        world.each { $0.components() }
      },
      allocationFree("set, which replaces") { world in
        world.each { $0.set(Position(x: 1, y: 2)) }
      } broken: { world in
        world.each { $0.set(Inventory(items: [$0])) }
      },
      allocationFree("update") { world in
        world.each { $0.update(Position.self) { $0.x += 1 } }
      } broken: { world in
        world.each { entity in entity.update(Inventory.self) { $0.items += [entity, entity] } }
      },
      allocationFree("has") { world in
        world.each { $0.has(Position.self) }
      } broken: { world in
        world.each { $0.components().count > 1 }
      },
    ]
  }

  private static var structure: [Gate] {
    [
      allocationFree("add and remove") { world in
        world.each { $0.set(Health(v: 1)) }
        world.each { $0.remove(Health.self) }
      } broken: { world in
        world.each { $0.set(Bag()) }
        world.each { $0.remove(Bag.self) }
      },
      allocationFree("add and remove a component that owns memory") { world in
        world.each { $0.set(Sharing(items: world.shared)) }
        world.each { $0.remove(Sharing.self) }
      } broken: { world in
        world.each { $0.set(Sharing(items: [$0])) }
        world.each { $0.remove(Sharing.self) }
      },
      allocationFree("destroy and create") { world in
        world.each { $0.destroy() }
        world.refill {
          world.context.createEntity(with: Position(x: 0, y: 0), Inventory(items: world.shared))
        }
      } broken: { world in
        world.each { $0.destroy() }
        world.refill {
          world.context.createEntity(with: Position(x: 0, y: 0), Inventory(items: [$0]))
        }
      },
    ]
  }

  private static var reactive: [Gate] {
    [
      afterObservation,
      allocationFree("collect updates and drain into storage that is reused") { world in
        world.each { $0.set(Position(x: 1, y: 2)) }
        world.updated.drain(into: &world.drained)
      } broken: { world in
        world.each { $0.set(Position(x: 1, y: 2)) }
        world.each { _ in Array(world.updated.drain()) }
      },
      Gate(
        name: "collect updates and drain a thousand entities", unit: "allocations", allowed: 0...1,
        count: {
          countAllocations(of: { world in
            world.each { $0.set(Position(x: 1, y: 2)) }
            world.discard(world.updated.drain())
          })
        },
        countBroken: {
          countAllocations(of: { world in
            world.each { $0.set(Position(x: 1, y: 2)) }
            world.discard(Array(world.updated.drain()))
          })
        }),
      allocationFree("collect additions and removals and drain them") { world in
        world.each { $0.set(Health(v: 1)) }
        world.added.drain(into: &world.drained)
        world.each { $0.remove(Health.self) }
        world.removed.drain(into: &world.drained)
      } broken: { world in
        world.each {
          $0.set(Health(v: 1))
          return Array(world.added.drain())
        }
        world.each {
          $0.remove(Health.self)
          return Array(world.removed.drain())
        }
      },
    ]
  }

  /// What it takes to tell observers, once the queue has grown to its size.
  private static var observers: [Gate] {
    func boxing(_ world: GateWorld) -> [Subscription] {
      [world.group.observeChanges { change in _ = change.oldComponents() }]
    }
    func replace(_ world: GateWorld) {
      world.each { $0.set(Position(x: 1, y: 2)) }
      world.context.perform { world.each { $0.set(Position(x: 2, y: 1)) } }
    }
    return [
      telling(
        "notify observers of updates, with both values", of: replace,
        to: { world in
          [
            world.group.observeChanges(of: Position.self) { _, old, new in _ = (old, new) },
            world.group.observeChanges { change in _ = (change.old(Position.self), change.kind) },
          ]
        }, broken: boxing),
      telling(
        "notify an observer on each entity", of: replace,
        to: { world in
          world.entities.map {
            $0.observeChanges(of: Position.self) { _, old, new in _ = (old, new) }
          }
        },
        broken: { world in
          world.entities.map { $0.observeChanges { change in _ = change.oldComponents() } }
        }),
      telling(
        "notify observers of creations and destructions",
        of: { world in
          world.each { $0.destroy() }
          world.refill {
            world.context.createEntity(with: Position(x: 0, y: 0), Inventory(items: []))
          }
        },
        to: { world in
          [
            world.group.observeChanges(of: Position.self, .added) { _, _, new in _ = new },
            world.group.observeChanges(.removed) { change in _ = change.old(Position.self) },
          ]
        }, broken: boxing),
    ]
  }

  /// A gate that counts the allocations of changes of which observers are notified.
  private static func telling(
    _ name: String, of operation: @escaping (GateWorld) -> Void,
    to observe: @escaping (GateWorld) -> [Subscription],
    broken: @escaping (GateWorld) -> [Subscription]
  ) -> Gate {
    Gate(
      name: name, unit: "allocations", allowed: 0...0,
      count: { countAllocations(after: { $0.subscriptions = observe($0) }, of: operation) },
      countBroken: { countAllocations(after: { $0.subscriptions = broken($0) }, of: operation) })
  }

  private static var lookUps: [Gate] {
    [
      allocationFree("move between keys of an index") { world in
        world.each { $0.set(Name(key: 1)) }
        world.each { $0.set(Name(key: 2)) }
      } broken: { world in
        // The key's entities must not change below the feet of code that looks at them.
        world.each { entity in
          let snapshot = world.index[1]
          entity.set(Name(key: 1))
          entity.set(Name(key: 2))
          return snapshot
        }
      },
      allocationFree("count the entities of a key") { world in
        world.each { _ in world.index.count(for: 1) }
      } broken: { world in
        world.each { _ in Array(world.index[0]) }
      },
      allocationFree("read a unique component") { world in
        world.each { _ in world.context.uniqueComponent(Config.self)?.b }
      } broken: { world in
        world.each { _ in world.context.uniqueEntity(Config.self)?.components() }
      },
      Gate(
        name: "iterate over a thousand entities", unit: "allocations", allowed: 0...0,
        count: {
          countAllocations(of: { world in
            world.group.withEach { (_, position: inout Position) in position.x += 1 }
          })
        },
        countBroken: {
          countAllocations(of: { world in
            // What moves rows has to wait, and allocates.
            world.group.withEach { (entity, _: Position) in
              entity.remove(Health.cid)
              entity.set(Health(v: 1))
            }
          })
        }),
      allocationFree("count a group") { world in
        world.each { _ in world.group.count }
      } broken: { world in
        world.each { _ in Array(world.group) }
      },
    ]
  }

  /// A gate that counts the allocations of an operation on each of a thousand entities, in a world
  /// that has seen the operation before.
  private static func allocationFree(
    _ name: String,
    _ operation: @escaping (GateWorld) -> Void,
    broken: @escaping (GateWorld) -> Void
  ) -> Gate {
    Gate(
      name: name, unit: "allocations", allowed: 0...0,
      count: { countAllocations(of: operation) },
      countBroken: { countAllocations(of: broken) })
  }

  /// A gate that counts the allocations of replacing components that nothing listens to any more.
  private static var afterObservation: Gate {
    func replacing(_ prepare: @escaping (GateWorld) -> Void) -> Count {
      countAllocations(after: prepare) { world in
        world.each { $0.set(Position(x: 1, y: 2)) }
      }
    }
    return Gate(
      name: "set after the last observer has left", unit: "allocations", allowed: 0...0,
      count: { replacing { world in world.group.observeChanges { _ in }.cancel() } },
      countBroken: {
        replacing { world in
          world.subscriptions = [
            world.group.observeChanges { change in _ = change.oldComponents() }
          ]
        }
      })
  }

  private static func countAllocations(
    after prepare: (GateWorld) -> Void = { _ in }, of operation: (GateWorld) -> Void
  ) -> Count {
    guard allocations_are_counted() != 0 else {
      return .impossible("allocations are only counted on Linux with glibc and without sanitizers")
    }
    let world = GateWorld()
    prepare(world)
    for _ in 0..<4 { operation(world) }
    let before = allocation_count()
    operation(world)
    return .of(Int(allocation_count() - before))
  }
}
