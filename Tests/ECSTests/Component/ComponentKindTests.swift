import ECS
import ECSTestSupport
import Testing

/// Each kind of component goes through creation, growth, moves between tables and removal.
@Suite struct ComponentKindTests {
  let context = Context()

  /// Makes entities with a component, moves some to other tables, removes it from some and destroys
  /// some, and expects the values to follow their entities.
  func exercise<C: Component, Value: Equatable>(
    _ make: (Int) -> C, _ value: (C) -> Value, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let entities = (0..<100).map { number in
      number.isMultiple(of: 2)
        ? context.createEntity(with: make(number)) : context.createEntity().set(make(number))
    }
    for (number, entity) in entities.enumerated() {
      if number.isMultiple(of: 3) { entity.set(Health(points: Int32(number))) }
      if number.isMultiple(of: 5) { entity.set(make(number + 1_000)) }
      if number.isMultiple(of: 6) { entity.remove(Health.self) }
      if number.isMultiple(of: 7) { entity.remove(C.self) }
      if number.isMultiple(of: 11) { entity.destroy() }
    }
    context.compact()
    for (number, entity) in entities.enumerated() {
      let isGone = number.isMultiple(of: 7) || number.isMultiple(of: 11)
      let expected = isGone ? nil : make(number.isMultiple(of: 5) ? number + 1_000 : number)
      let isRight = entity.get(C.self).map(value) == expected.map(value)
      #expect(isRight, "entity \(number)", sourceLocation: sourceLocation)
    }
    let living = entities.filter { $0.isAlive }.count
    #expect(context.count == living, sourceLocation: sourceLocation)
    context.destroyAllEntities()
    #expect(context.group(C.matcher).isEmpty, sourceLocation: sourceLocation)
  }

  @Test func `A trivial component is stored`() {
    exercise({ Position(x: Float($0), y: -Float($0)) }, { $0 })
  }

  @Test func `A component with references is stored`() {
    exercise({ Name("a name that does not fit into the string itself: \($0)") }, { $0 })
  }

  @Test func `A class is stored`() {
    let sprites = (0..<2_000).map { Sprite(file: "\($0).png") }
    exercise({ sprites[$0] }, ObjectIdentifier.init)
  }

  @Test func `An enum with payloads is stored`() {
    func shape(_ number: Int) -> Shape {
      switch number % 3 {
      case 0: .point
      case 1: .circle(radius: Double(number))
      default: .polygon([Double](repeating: Double(number), count: number % 10))
      }
    }
    exercise(shape, { $0 })
  }

  @Test func `An empty tag is stored`() {
    exercise({ _ in Tag() }, { $0 })
  }

  @Test func `A one-kilobyte component is stored`() {
    expectEqual(MemoryLayout<Page>.size, 1_024)
    exercise({ Page(filledWith: UInt32($0)) }, { $0 })
  }

  @Test func `A component with a large alignment is stored`() {
    expectGreaterThan(MemoryLayout<Matrix>.alignment, MemoryLayout<Int>.alignment)
    exercise({ Matrix(Float($0)) }, { $0 })
  }

  @Test func `A component with a weak member is stored`() {
    let sprites = (0..<2_000).map { Sprite(file: "\($0).png") }
    exercise({ Target(sprites[$0], name: "\($0)") }, { "\($0.name) \($0.sprite?.file ?? "-")" })
    withExtendedLifetime(sprites) {}
  }

  @Test func `A weak member becomes nil where it is stored`() {
    var sprite: Sprite? = Sprite(file: "a.png")
    let entities = (0..<50).map { context.createEntity(with: Target(sprite, name: "\($0)")) }
    for entity in entities.prefix(25) { entity.set(Tag()) }
    expectTrue(entities.allSatisfy { $0.get(Target.self)?.sprite?.file == "a.png" })
    sprite = nil
    expectTrue(entities.allSatisfy { $0.get(Target.self)?.sprite == nil })
    expectEqual(entities.map { $0.get(Target.self)?.name }, (0..<50).map { "\($0)" })
  }

  @Test func `A stored class is the same object`() {
    let sprite = Sprite(file: "a.png")
    let entity = context.createEntity(with: sprite)
    expectTrue(entity.get(Sprite.self) === sprite)
  }

  @Test func `Many kinds live on one entity`() {
    let sprite = Sprite(file: "a.png")
    let entity = context.createEntity(
      with: Tag(), Page(filledWith: 7), Shape.circle(radius: 2), Matrix(3), Name("n"), sprite,
      Target(sprite, name: "t"), Position(x: 1, y: 2))
    entity.remove(Page.self)
    entity.set(Page(filledWith: 8))
    expectEqual(entity.get(Page.self), Page(filledWith: 8))
    expectEqual(entity.get(Shape.self), .circle(radius: 2))
    expectEqual(entity.get(Matrix.self), Matrix(3))
    expectEqual(entity.get(Name.self), Name("n"))
    expectTrue(entity.get(Target.self)?.sprite === sprite)
    expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
    expectEqual(entity.components().count, 8)
  }

  @Test func `Generic components are distinguished by their arguments`() {
    struct Wrapped<Value: Sendable>: Component { let value: Value }
    let entity = context.createEntity(with: Wrapped(value: 1), Wrapped(value: "one"))
    expectEqual(entity.get(Wrapped<Int>.self)?.value, 1)
    expectEqual(entity.get(Wrapped<String>.self)?.value, "one")
    expectNotEqual(Wrapped<Int>.cid, Wrapped<String>.cid)
  }
}
