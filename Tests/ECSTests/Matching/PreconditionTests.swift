import ECS
import ECSTestSupport
import Testing

/// Mistakes of the programmer stop with a message that says what, which and what to do instead.
@Suite(.noHangs) struct MatcherPreconditionTests {
  @Test func `A matcher without components stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Matcher()
    }
    expectTrue(stopped(result, saying: "A matcher needs a component in `all` or in `any`"))
  }

  @Test func `A matcher of excluded components alone stops and names them`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Matcher(none: [Tag.cid, Health.cid])
    }
    expectTrue(stopped(result, saying: "A matcher needs a component", "Tag", "Health"))
  }

  @Test(arguments: 0..<3)
  func `A matcher that lists a component twice stops and names it`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let both: Set<CID> = [Health.cid, Tag.cid]
      switch way {
      case 0: _ = Matcher(all: both, any: [Tag.cid, Position.cid])
      case 1: _ = Matcher(all: both, none: [Tag.cid, Position.cid])
      default: _ = Matcher(any: both, none: [Tag.cid, Position.cid])
      }
    }
    expectTrue(stopped(result, saying: "A matcher lists Tag twice"))
  }

  @Test func `The short forms stop as well`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Context().all([], none: [Tag.cid])
    }
    expectTrue(stopped(result, saying: "A matcher needs a component", "Tag"))
  }
}

@Suite(.noHangs) struct IterationPreconditionTests {
  @Test func `Asking for a component twice, once to change it, stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Health(points: 1))
      context.group(Health.matcher).withEach { (_, one: inout Health, other: Health) in
        one = other
      }
    }
    expectTrue(stopped(result, saying: "asks for Health twice"))
  }

  @Test func `Asking to change a component twice stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Health(points: 1))
      context.group(Health.matcher).withChunks {
        (_, one: inout MutableSpan<Health>, other: inout MutableSpan<Health>) in
        one[0] = other[0]
      }
    }
    expectTrue(stopped(result, saying: "asks for Health twice"))
  }

  @Test(arguments: 0..<4)
  func `Nested iterations that both change a component, or one by spans, stop`(
    way: Int
  ) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      context.createEntity(with: Health(points: 1))
      let group = context.group(Health.matcher)
      switch way {
      case 0:
        group.withEach { (_, _: inout Health) in
          group.withEach { (_, _: inout Health) in }
        }
      case 1:
        group.withChunks { (_, _: inout MutableSpan<Health>) in
          group.withEach { (_, _: Health) in }
        }
      case 2:
        group.withChunks { (_, _: Span<Health>) in
          group.withEach { (_, _: inout Health) in }
        }
      default:
        group.withEach { (_, _: Health) in
          group.withChunksInParallel { (_, _: inout MutableSpan<Health>) in }
        }
      }
    }
    expectTrue(stopped(result, saying: "inside another one asks for Health"))
  }

  @Test func `Reading a nontrivial component from an entity while a span changes it stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Name("n"))
      context.group(Name.matcher).withChunks { (chunk, names: inout MutableSpan<Name>) in
        names[0].text = chunk.entity(at: 0).get(Name.self)?.text ?? ""
      }
    }
    expectTrue(stopped(result, saying: "Name was read from an entity", "read it from the span"))
  }

  @Test(arguments: [-1, 2])
  func `An offset outside a chunk stops`(offset: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [offset = offset as Int] in
      let context = Context()
      context.createEntities(2, with: Health(points: 1))
      context.group(Health.matcher).withChunks { (chunk, _: Span<Health>) in
        _ = chunk.entity(at: offset)
      }
    }
    expectTrue(stopped(result, saying: "Offset \(offset) is outside a chunk of 2 entities"))
  }

  @Test(arguments: 0..<6)
  func `Calling the context from a parallel body stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let group = context.group(Health.matcher)
      let index = context.index { (health: Health) in health.points }
      let collector = Collector(group: group, type: .added)
      context.createEntities(100, with: Health(points: 1))
      group.withChunksInParallel { (chunk, _: Span<Health>) in
        let entity = chunk.entity(at: 0)
        switch way {
        case 0: _ = entity.get(Health.self)
        case 1: entity.set(Health(points: 2))
        case 2: _ = context.createEntity()
        case 3: _ = index[1]
        case 4: _ = collector.drain()
        default: group.withEach { (_, _: Health) in }
        }
      }
    }
    expectTrue(stopped(result, saying: "A body of a parallel iteration called its context"))
  }

  @Test func `A parallel body may use another context`() async {
    await #expect(processExitsWith: .success) {
      let (context, other) = (Context(), Context())
      context.createEntities(10_000, with: Health(points: 1))
      context.group(Health.matcher).withChunksInParallel { (chunk, _: Span<Health>) in
        other.createEntities(chunk.count, with: Tag())
      }
      precondition(other.count == 10_000)
    }
  }
}
