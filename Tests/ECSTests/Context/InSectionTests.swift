import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct InSectionTests {
  let context = Context()

  @Test func `A thread is in a section during bodies, iterations and observers`() {
    let entity = context.createEntity(with: Health(points: 1))
    #expect(!context.isInSection)
    context.perform {
      #expect(context.isInSection)
      context.perform { #expect(context.isInSection) }
      #expect(context.isInSection)
    }
    context.transaction { #expect(context.isInSection) }
    context.group(Health.matcher).withEach { (_, _: Health) in #expect(context.isInSection) }
    for _ in context.group(Health.matcher) { #expect(!context.isInSection) }
    let seen = Tally()
    let observer = entity.observe { [context] _ in seen.add(context.isInSection ? 1 : 100) }
    entity.set(Health(points: 2))
    #expect((1..<100).contains(seen.value))
    #expect(!context.isInSection)
    observer.cancel()
  }

  @Test func `Sections of other threads and of other contexts do not count`() {
    let (entered, asked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "other").async { [context] in
      context.perform {
        entered.signal()
        asked.wait()
      }
    }
    entered.wait()
    #expect(!context.isInSection)
    asked.signal()
    Context().perform { #expect(!context.isInSection) }
  }
}
