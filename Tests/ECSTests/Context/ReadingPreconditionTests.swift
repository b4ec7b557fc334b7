import ECS
import ECSTestSupport
import Testing

/// What sections that only read stop.
@Suite struct ReadingPreconditionTests {
  struct Score: Component {
    var points: Int
  }

  struct Label: Component {
    var text: String
  }

  private static let words = "perform(_:)"

  @Test func `A change inside stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Score(points: 1))
      context.reading { _ = entity.set(Score(points: 2)) }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `A change inside stops within another section, too`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Score(points: 1))
      context.perform { context.reading { _ = entity.set(Score(points: 2)) } }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `A section for changes inside stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.reading { context.perform {} }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `An iteration inside that may change something stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Score(points: 1))
      context.reading { context.withEach { (_, score: inout Score) in score.points = 2 } }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `A change in an iteration inside stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Score(points: 1))
      context.reading { context.withEach { (entity, score: Score) in entity.destroy() } }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `Beginning to observe inside stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let group = context.group(Score.matcher)
      context.reading { _ = group.observe { _ in } }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `A change in a pass on all cores inside stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Score(points: 1))
      let group = context.group(Score.matcher)
      context.reading {
        group.withChunksInParallel { (_, scores: Span<Score>) in entity.destroy() }
      }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `A storage that may be changed stops`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.reading { context.withStorage(Score.self) { _ in } }
    }
    expectTrue(stopped(result, saying: "reading(_:)", Self.words))
  }

  @Test func `A value that a closure is changing is no more readable than outside`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let entity = context.createEntity(with: Label(text: "a text"))
      entity.update(Label.self) { label in
        context.reading { label.text += entity.get(Label.self)?.text ?? "" }
      }
    }
    expectTrue(stopped(result, saying: "closure is changing it"))
  }
}
