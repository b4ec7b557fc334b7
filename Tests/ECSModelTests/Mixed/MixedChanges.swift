import ECS
import ECSTestSupport
import Testing

/// Single changes of a world and of its model.
struct MixedChanges {
  typealias Kind = Mixed.Kind
  typealias Link = Mixed.Link

  var world: MixedWorld
  var model: MixedModel
  var random: SplitMix64
  private(set) var program: [String] = []

  init(world: MixedWorld, model: MixedModel, random: SplitMix64) {
    (self.world, self.model, self.random) = (world, model, random)
  }

  mutating func note(_ text: String) {
    program.append(text)
    if Effort.onlyModelSeed != nil { print(text) }
  }

  mutating func pick() -> Int {
    let alive = model.alive
    return alive[random.below(alive.count)]
  }

  mutating func step() {
    guard model.rows.count > 3 else { return create() }
    let isCrowded = model.rows.count > 26
    switch random.below(44) {
    case 0, 1: isCrowded ? destroy() : create()
    case 2, 3: isCrowded ? destroy() : instantiate()
    case 4, 5: isCrowded ? destroy() : clone()
    case 6: isCrowded ? destroy() : cloneMany()
    case 7: destroy()
    case 8: destroyIfAllowed()
    case 9..<16: set()
    case 16..<19: remove()
    case 19..<28: relate()
    case 28: setParent()
    case 29..<31: unrelate()
    case 31: removeAll()
    case 32, 33: updateValue()
    case 34: order()
    case 35: bulk()
    case 36, 37: iterate()
    case 38: updateInstances()
    case 39, 40: replaceAll()
    case 41: insert()
    case 42: isCrowded ? destroy() : createMany()
    default: relate()
    }
  }

  // MARK: Lives

  private mutating func create() {
    let value = random.below(8)
    note("create #\(world.count) with value \(value)")
    let entity = world.context.createEntity(with: Mixed.Node(), Mixed.Value(value: value))
    world.register()
    if let number = world.numbers[entity] { model.rows[number] = [.node: 0, .value: value] }
  }

  private mutating func createMany() {
    let value = random.below(8)
    note("create two with top \(value)")
    let made = world.context.createEntities(2, with: Mixed.Node(), Mixed.Top(value: value))
    world.register()
    for number in made.compactMap({ world.numbers[$0] }) {
      model.rows[number] = [.node: 0]
      model.set(.top, value, on: number)
    }
  }

  private mutating func destroy() {
    let one = pick()
    note("destroy #\(one)")
    world[one].destroy()
    model.destroy(one)
  }

  private mutating func destroyIfAllowed() {
    let one = pick()
    note("destroy #\(one) if allowed")
    let isDenied = model.isDenied(one)
    do {
      try world[one].destroyIfAllowed()
      expectFalse(isDenied, "#\(one) was not to be destroyed")
      model.destroy(one)
    } catch {
      expectTrue(isDenied, "\(error)")
    }
  }

  private mutating func instantiate() {
    let (kind, count) = (random.below(3), 1 + random.below(2))
    let (value, first, second) = (random.below(8), random.below(4), random.below(4))
    note("\(count) of template \(kind), value \(value), \(first) \(second)")
    let made = world.context.createEntities(count, from: Mixed.templates[kind]) { index, entity in
      switch index == 0 ? first : second {
      case 0: entity.set(Mixed.Value(value: value))
      case 1: entity.set(Mixed.Firm(value: value))
      case 2: entity.remove(Mixed.Base.self)
      default: break
      }
    }
    world.register()
    for (index, entity) in made.enumerated() {
      guard let number = world.numbers[entity] else { continue }
      adopt(number, kind)
      switch index == 0 ? first : second {
      case 0: model.set(.value, value, on: number)
      case 1: model.set(.firm, value, on: number)
      case 2: model.remove(.base, from: number)
      default: break
      }
    }
  }

  /// Takes over an instance of a template, whose children are found by their links.
  mutating func adopt(_ number: Int, _ kind: Int) {
    let tree: [Kind: Int] = [.node: 0, .top: 1, .mid: 20, .base: 10, .side: 30]
    switch kind {
    case 0: model.rows[number] = [.node: 0, .value: 3]
    case 1: model.rows[number] = tree
    default: model.rows[number] = tree.merging([.value: 7]) { $1 }
    }
    model.rows[number]?[.instance] = kind
    guard kind > 0 else { return }
    for (place, child) in world.sources(.child, of: number).enumerated() {
      adopt(child, place == 0 ? 0 : 1)
      model.relate(.child, child, number)
    }
    for child in world.sources(.line, of: number) {
      model.rows[child] = [.node: 0, .value: 5]
      model.relate(.line, child, number)
    }
    for child in world.sources(.member, of: number) {
      adopt(child, 0)
      model.relate(.member, child, number, [4, -1])
    }
    expectEqual(model.sources(.child, number).count, kind, "children of #\(number)")
    expectTrue(model.sources(.line, number).count == 1 && model.sources(.member, number).count == 1)
  }

  private mutating func clone() {
    let (one, isDeep, isChanged, value) = (
      pick(), random.oneIn(2), random.oneIn(2), random.below(8)
    )
    note("clone #\(one)\(isDeep ? ", deep" : "")\(isChanged ? ", changed to \(value)" : "")")
    let (entity, isAlone) = (world[one], !isDeep)
    copy([one], isDeep: isDeep, value: isChanged ? value : nil) { change throws(CopyError) in
      switch (isAlone, change) {
      case (true, nil): [try entity.clone()]
      case (false, nil): [try entity.clone(deep: ChildOf.self)]
      case (true, let change?): [try entity.clone(changing: change)]
      case (false, let change?): [try entity.clone(deep: ChildOf.self, changing: change)]
      }
    }
  }

  private mutating func cloneMany() {
    let (one, other, value, isChanged) = (pick(), pick(), random.below(8), random.oneIn(2))
    note("clone #\(one) and #\(other), deep\(isChanged ? ", changed to \(value)" : "")")
    let (context, entities) = (world.context, [world[one], world[other]])
    copy([one, other], isDeep: true, value: isChanged ? value : nil) { change throws(CopyError) in
      if let change {
        try context.clone(entities, deep: ChildOf.self, changing: change).all()
      } else {
        try context.clone(entities, deep: ChildOf.self).all()
      }
    }
  }

  /// Copies what belongs together, unless something in it is unique.
  private mutating func copy(
    _ roots: [Int], isDeep: Bool, value: Int?,
    _ make: (((borrowing NewEntity) -> Void)?) throws(CopyError) -> [Entity]
  ) {
    let originals = model.all(roots, deep: isDeep)
    let isUnique = originals.contains { model.value($0, .only) != nil }
    let first = world.count
    func change(_ copy: borrowing NewEntity) {
      copy.set(Mixed.Value(value: value ?? 0))
      copy.remove(Mixed.Mid.self)
    }
    do {
      _ = try make(value == nil ? nil : change)
    } catch {
      expectTrue(isUnique, "\(error)")
      return
    }
    expectFalse(isUnique, "what is unique was copied")
    world.register()
    let copies = Array(first..<world.count)
    expectEqual(copies.count, originals.count, "\(copies.count) of \(originals.count) copies")
    guard copies.count == originals.count else { return }
    model.addCopies(copies, of: originals) { model, copy in
      guard let value else { return }
      model.set(.value, value, on: copy)
      model.rows[copy]?[.mid] = nil
    }
  }
}
