import ECS

extension Gate {
  /// Matchers are evaluated for combinations of component types, never for entities.
  static var evaluations: [Gate] {
    [
      evaluationFree("create and destroy") { world in
        world.each { $0.destroy() }
        world.refill { world.context.createEntity(with: Position(x: 0, y: 0)) }
      },
      evaluationFree("add, replace and remove") { world in
        world.each { $0.set(Health(v: 1)) }
        world.each { $0.set(Health(v: 2)) }
        world.each { $0.remove(Health.self) }
      },
      evaluationFree("iterate") { world in
        for _ in world.group {}
        world.group.withEach { (_, position: inout Position) in position.x += 1 }
      },
    ]
  }

  /// A gate that counts how often storage evaluates a matcher in a world with many groups, once
  /// the tables that an operation needs are there.
  private static func evaluationFree(
    _ name: String, _ operation: @escaping (GateWorld) -> Void
  ) -> Gate {
    Gate(
      name: "\(name) with 100 groups", unit: "matcher evaluations", allowed: 0...0,
      count: { countEvaluations(of: operation) },
      countBroken: {
        countEvaluations { world in
          operation(world)
          // Another matcher each time is what makes evaluations.
          world.makeGroups(1, from: world.nextGroup)
        }
      })
  }

  private static func countEvaluations(of operation: (GateWorld) -> Void) -> Count {
    let world = GateWorld()
    world.makeGroups(100, from: 0)
    for _ in 0..<3 { operation(world) }
    let before = world.context.matcherEvaluations
    operation(world)
    return .of(world.context.matcherEvaluations - before)
  }
}
