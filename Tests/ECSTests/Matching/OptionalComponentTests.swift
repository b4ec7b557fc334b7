import ECS
import ECSTestSupport
import Testing

/// Components that an iteration reads where they are there.
@Suite struct OptionalComponentTests {
  let context = Context()
  let group: Group

  init() {
    group = context.group(Position.matcher)
    context.createEntity(with: Position(x: 1, y: 0), Velocity(dx: 10, dy: 0))
    context.createEntity(with: Position(x: 2, y: 0))
    context.createEntity(with: Position(x: 3, y: 0), Name("three"))
    context.createEntity(with: Position(x: 4, y: 0), Velocity(dx: 40, dy: 0), Name("four"))
  }

  @Test func `A closure gets nil where an entity has none`() {
    var seen: [Float: Float?] = [:]
    group.withEach { (_, position: Position, velocity: Velocity?) in
      seen[position.x] = velocity?.dx
      expectEqual((velocity == nil), (position.x == 2 || position.x == 3))
    }
    expectEqual(seen, [1: 10, 4: 40])
  }

  @Test func `A closure changes all entities, with what they have`() {
    var visits = 0
    group.withEach { (entity, position: inout Position, velocity: Velocity?, name: Name?) in
      visits += 1
      position.x += velocity?.dx ?? 100
      expectEqual(name, entity.get(Name.self))
    }
    expectEqual(visits, 4)
    expectEqual(group.sorted().map { $0.get(Position.self)?.x }, [11, 102, 103, 44])
  }

  @Test func `Chunks get no span where a table has no column`() {
    var counts: [Int] = []
    group.withChunks {
      (chunk, positions: inout MutableSpan<Position>, velocities: Span<Velocity>?) in
      for offset in positions.indices { positions[offset].x += velocities?[offset].dx ?? 100 }
      counts.append(velocities?.count ?? 0)
    }
    expectEqual(counts.sorted(), [0, 0, 1, 1])
    expectEqual(group.sorted().map { $0.get(Position.self)?.x }, [11, 102, 103, 44])
  }

  @Test func `Chunks on all cores get no span, either`() {
    group.withChunksInParallel {
      (chunk, positions: inout MutableSpan<Position>, velocities: Span<Velocity>?) in
      for offset in positions.indices { positions[offset].x += velocities?[offset].dx ?? 100 }
    }
    expectEqual(group.sorted().map { $0.get(Position.self)?.x }, [11, 102, 103, 44])
  }

  @Test func `Optional components may be in any position, or alone`() {
    var read: [Float?] = []
    group.withEach { (_, velocity: Velocity?, _: Position) in read.append(velocity?.dx) }
    expectTrue(read.count == 4 && read.count { $0 == nil } == 2)
    var spans = 0
    group.withChunks { (_, velocities: Span<Velocity>?) in spans += velocities == nil ? 0 : 1 }
    expectEqual(spans, 2)
    var visits = 0
    group.withEach { (_, _: Velocity?) in visits += 1 }
    expectEqual(visits, 4)
  }

  @Test func `A search reads optional components`() {
    let found = group.firstNonNil { (entity, velocity: Velocity?, name: Name?) in
      velocity == nil && name == nil ? entity : nil
    }
    expectEqual(found?.get(Position.self)?.x, 2)
    let changed = group.firstNonNil { (_, position: inout Position, name: Name?) -> Float? in
      position.y = 1
      return name?.text == "four" ? position.x : nil
    }
    expectEqual(changed, 4)
    expectEqual(group.sorted().map { $0.get(Position.self)?.y }, [1, 1, 1, 1])
  }

  @Test func `Components to change, to read and optional ones can be combined`() {
    let entity = context.createEntity(
      with: Position(x: 5, y: 0), Velocity(dx: 1, dy: 0), Health(points: 1), Name("n"))
    var visits = 0
    context.group(Health.matcher).withEach {
      (e, position: inout Position, velocity: inout Velocity, name: Name, settings: Settings?) in
      visits += 1
      position.x += velocity.dx
      velocity.dx += 1
      expectTrue(e == entity && name.text == "n" && settings == nil)
    }
    expectEqual(visits, 1)
    expectEqual(entity.get(Position.self)?.x, 6)
    expectEqual(entity.get(Velocity.self)?.dx, 2)
  }

  @Test func `Read-only components notify nothing, and are borrowed`() {
    let collector = Collector(group: context.group(Velocity.matcher), type: .updated)
    group.withEach { (entity, _: Position, velocity: Velocity?) in
      guard let velocity else { return }
      entity.set(Velocity(dx: velocity.dx + 1, dy: 0))
      expectEqual(entity.get(Velocity.self)?.dx, velocity.dx + 1)
      expectTrue(collector.isEmpty)
    }
    expectEqual(collector.count, 2)
  }

  @Test func `Asking to change an optional component stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Health(points: 1))
      context.group(Health.matcher).withEach { (_, one: inout Health, other: Health?) in
        one = other ?? one
      }
    }
    expectTrue(stopped(result, saying: "asks for Health twice"))
  }
}

/// What the compiler refuses about optional components.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct OptionalComponentCompileTests {
  private func messages(for body: String) throws -> String {
    try SwiftCompiler.messages(
      for: """
        import ECS
        struct P: Component { var x = 0 }
        struct V: Component { var dx = 0 }
        struct W: Component { var dz = 0 }
        func iterate(_ group: Group) {
          \(body)
        }
        """)
  }

  @Test(arguments: ["p: inout P, v: V?", "v: V?, p: P", "v: V?", "p: inout P, v: V?, w: W"])
  func `Closures may have optional components to read, in any place`(parameters: String) throws {
    try expectEqual(messages(for: "group.withEach { (e, \(parameters)) in }"), "")
  }

  @Test(arguments: [
    "p: Span<P>, v: Span<V>?", "v: Span<V>?, p: Span<P>", "v: Span<V>?",
    "p: inout MutableSpan<P>, v: Span<V>?, w: Span<W>",
  ])
  func `Chunk bodies may have optional spans, in any place`(parameters: String) throws {
    for form in ["withChunks", "withChunksInParallel"] {
      try expectEqual(messages(for: "group.\(form) { (c, \(parameters)) in }"), "")
    }
  }

  @Test(arguments: ["p: inout P, v: inout V?", "v: inout V?"])
  func `Optional components to change are refused`(parameters: String) throws {
    let messages = try messages(for: "group.withEach { (e, \(parameters)) in }")
    expectTrue(messages.contains("error: "))
    expectTrue(messages.contains("those to change may not"))
  }

  @Test(arguments: ["p: Span<P>, v: inout MutableSpan<V>?", "v: inout MutableSpan<V>?"])
  func `Optional spans to change are refused`(parameters: String) throws {
    for form in ["withChunks", "withChunksInParallel"] {
      try expectTrue(messages(for: "group.\(form) { (c, \(parameters)) in }").contains("error: "))
    }
  }
}
