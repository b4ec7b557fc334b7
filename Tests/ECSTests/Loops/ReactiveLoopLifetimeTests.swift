import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ReactiveLoopLifetimeTests {
  let context = Context()
  let recorder = Recorder<String>()
  let queue = DispatchQueue(label: "loop")

  private func makeLoop(_ systems: sending [any System] = []) -> ReactiveLoop {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: systems)
    loop.on(Tag.matcher, name: "count") { [recorder] in recorder.append("\($0.count)") }
    return loop
  }

  @Test func `A paused loop makes no pass, and on resuming works on all that was collected`() async
  {
    let loop = makeLoop()
    loop.pause()
    expectTrue(loop.isPaused)
    context.createEntities(2, with: Tag())
    await loop.settled()
    loop.runUntilSettled()
    expectEqual(recorder.take(), [])
    loop.resume()
    await loop.settled()
    expectEqual(recorder.take(), ["2"])
    expectFalse(loop.isPaused)
  }

  @Test func `Pausing takes back a pass that has not begun`() async {
    let loop = makeLoop()
    queue.sync {
      _ = context.createEntity(with: Tag())
      loop.pause()
    }
    queue.sync {}
    expectEqual(recorder.take(), [])
    loop.resume()
    loop.resume()
    await loop.settled()
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `A system may pause its loop, which completes the pass`() async {
    let pausing = makeLoop([])
    pausing.on(Tag.matcher, name: "pause") { [weak pausing, recorder] _ in
      pausing?.pause()
      recorder.append("pause")
    }
    pausing.on(Tag.matcher, name: "after") { [recorder] _ in recorder.append("after") }
    _ = context.createEntity(with: Tag())
    await pausing.settled()
    expectEqual(recorder.take(), ["1", "pause", "after"])
  }

  @Test func `A canceled loop drops what is pending, and tears down in reverse, once`() async {
    let loop = makeLoop([Chatty("a", recorder), Chatty("b", recorder)])
    await loop.settled()
    queue.sync {
      _ = context.createEntity(with: Tag())
      loop.cancel()
      loop.cancel()
    }
    expectTrue(loop.isCancelled)
    await loop.settled()
    expectEqual(recorder.take(), ["init a", "init b", "teardown b", "teardown a"])
    loop.resume()
    loop.runUntilSettled()
    _ = context.createEntity(with: Tag())
    queue.sync {}
    expectEqual(recorder.take(), [])
  }

  @Test func `Systems that were never initialized are not torn down`() async {
    let loop = queue.sync {
      let loop = makeLoop([
        Chatty("a", recorder), Farewell { [recorder] in recorder.append("bye") },
      ])
      loop.cancel()
      return loop
    }
    await loop.settled()
    expectEqual(recorder.take(), ["bye"])
  }

  @Test func `Releasing a loop drops what is pending, and tears down`() {
    queue.sync {
      let loop = makeLoop([Farewell { [recorder] in recorder.append("bye") }])
      _ = context.createEntity(with: Tag())
      withExtendedLifetime(loop) {}
    }
    queue.sync {}
    expectEqual(recorder.take(), ["bye"])
    _ = context.createEntity(with: Tag())
    queue.sync {}
    expectEqual(recorder.take(), [])
  }

  @Test func `A pass in flight completes when the loop is released`() {
    let (begun, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let recorder = recorder
    var loop: ReactiveLoop? = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        ClosureSystem("wait", collector: context.collector(for: Tag.matcher)) { _ in
          begun.signal()
          released.wait()
        },
        ClosureSystem("after", collector: context.collector(for: Tag.matcher)) { _ in
          recorder.append("after")
        },
        ClosureCleanupSystem("cleanup") { recorder.append("cleanup") },
        Farewell { recorder.append("bye") },
      ])
    _ = context.createEntity(with: Tag())
    begun.wait()
    expectNotNil(loop)
    loop = nil
    _ = context.createEntity(with: Tag())
    released.signal()
    queue.sync {}
    expectEqual(recorder.take(), ["after", "cleanup", "bye"])
  }

  @Test func `A system may release its own loop`() {
    // Used on the loop's queue only.
    final class Owner: @unchecked Sendable {
      var loop: ReactiveLoop?
    }
    let (context, recorder, owner) = (context, recorder, Owner())
    queue.sync {
      owner.loop = ReactiveLoop(
        ctx: context, queue: queue,
        systems: [
          ClosureSystem("release", collector: context.collector(for: Tag.matcher)) { _ in
            owner.loop = nil
          },
          ClosureSystem("after", collector: context.collector(for: Tag.matcher)) { _ in
            recorder.append("after")
          },
        ])
      _ = context.createEntity(with: Tag())
    }
    queue.sync {}
    expectEqual(recorder.take(), ["after"])
  }

  @Test func `Systems go with their loop`() {
    weak var system: Chatty?
    do {
      let chatty = Chatty("a", recorder)
      system = chatty
      let loop = Loop(name: "loop", systems: [chatty])
      loop.execute()
    }
    expectNil(system)
    weak var collector: Collector?
    do {
      let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
      loop.on(Tag.matcher, name: "a") { _ in }
      collector = context.collector(for: Tag.matcher)
      if let collector { loop.on(collector, name: "b") { _ in } }
    }
    queue.sync {}
    expectNil(collector)
    expectEqual(context.statistics.collectors, 0)
  }

  @Test func `A loop outlives nothing: its context goes when loop and owner are released`() {
    weak var context: Context?
    do {
      let own = Context()
      context = own
      let loop = ReactiveLoop(ctx: own, queue: queue, systems: [])
      loop.on(Tag.matcher, name: "a") { _ in }
      expectTrue(loop.context === own)
    }
    queue.sync {}
    expectNil(context)
  }
}
