import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct InSectionTests {
  let context = Context()

  @Test func `A thread is in a section during bodies, iterations and observers`() {
    let entity = context.createEntity(with: Health(points: 1))
    expectFalse(context.isInSection)
    context.perform {
      expectTrue(context.isInSection)
      context.perform { expectTrue(context.isInSection) }
      expectTrue(context.isInSection)
    }
    context.transaction { expectTrue(context.isInSection) }
    context.group(Health.matcher).withEach { (_, _: Health) in expectTrue(context.isInSection) }
    for _ in context.group(Health.matcher) { expectFalse(context.isInSection) }
    let seen = Tally()
    let observer = entity.observe { [context] _ in seen.add(context.isInSection ? 1 : 100) }
    entity.set(Health(points: 2))
    expectTrue((1..<100).contains(seen.value))
    expectFalse(context.isInSection)
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
    expectFalse(context.isInSection)
    asked.signal()
    Context().perform { expectFalse(context.isInSection) }
  }
}
