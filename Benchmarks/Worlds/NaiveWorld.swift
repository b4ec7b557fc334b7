/// A naive context with entities.
class NaiveWorld {
  let n: Int
  let context: NaiveContext
  var entities: [NaiveEntity] = []

  init(_ n: Int, _ context: NaiveContext = NaiveContext()) {
    self.n = n
    self.context = context
  }

  static func empty(_ n: Int) -> NaiveWorld { NaiveWorld(n) }

  func fillPositioned() {
    entities = (0..<n).map { context.createEntity().set(Seed.position($0)) }
  }

  func fillMoving() {
    entities = (0..<n).map {
      context.createEntity().set(Seed.position($0)).set(Seed.velocity)
    }
  }

  static func moving(_ n: Int) -> NaiveWorld {
    let world = NaiveWorld(n)
    world.fillMoving()
    return world
  }

  static func shuffled(_ n: Int) -> NaiveWorld {
    let world = moving(n)
    var generator = Seed.Generator()
    world.entities.shuffle(using: &generator)
    return world
  }

  func sumOfPositions() -> Double {
    context.entities.reduce(0) { $0 + Double($1.get(Position.self)?.x ?? 0) }
  }

  func resetPositions() {
    for (i, entity) in entities.enumerated() { entity.set(Seed.position(i)) }
  }
}
