import ECS
import ECSTestSupport
import Testing

@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct IgnoringRaceTests {
  @Test func `Only the changes of the section are ignored, whatever other threads do meanwhile`() {
    let context = Context()
    let collector = context.collector(for: Health.matcher, type: .updated)
    collector.collectLinks(of: TaggedWith.self)
    let entities = context.createEntities(16, with: Health(points: 0))
    Threads.run(8) { thread in
      let (mine, next) = (entities[thread * 2], entities[thread * 2 + 1])
      for step in 0..<Effort.raceSteps {
        if thread % 2 == 0 {
          collector.ignoring {
            mine.set(Health(points: Int32(step)))
            if step % 16 == 0 { next.relate(TaggedWith.self, to: mine) }
            if step % 16 == 8 { next.unrelate(TaggedWith.self) }
          }
        } else {
          mine.set(Health(points: Int32(step)))
          if step % 16 == 0 { next.relate(TaggedWith.self, to: mine) }
          if step % 16 == 8 { next.unrelate(TaggedWith.self) }
          let drained = collector.drain()
          if drained.contains(where: { entities.firstIndex(of: $0).map { $0 % 4 < 2 } ?? true }) {
            Issue.record("A change was collected that was to be ignored.")
          }
          collector.restore(drained)
        }
      }
    }
    let counted = entities.enumerated().filter { $0.offset % 4 >= 2 }.map(\.element)
    expectEqual(Set(collector.drain()), Set(counted))
  }
}
