import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

@Suite(.noHangs) struct FrozenColumnsTests {
  private struct Price: Component { var cents: Int }

  private final class Counts: Sendable {
    /// How many rows were read so far, and when the other thread got in.
    let read = Atomic<Int>(0)
    let seen = Atomic<Int>(-1)
  }

  @Test func `A thread that waits gets in before all pages are read`() {
    let (context, counts, pages) = (Context(), Counts(), 40)
    let entities = context.createEntities(from: 0..<pages * 512) { Price(cents: $0) }
    let columns = context.frozenColumns(of: [Price.cid]) { _ in true }
    let (begins, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      begins.wait()
      context.perform {
        counts.seen.store(counts.read.load(ordering: .relaxed), ordering: .relaxed)
        _ = entities[pages * 512 - 1].set(Price(cents: -1))
      }
      ended.signal()
    }
    var sum = 0
    while columns.read({ _, columns in
      if counts.read.load(ordering: .relaxed) == 0 {
        begins.signal()
        while !context.isAwaited {}
      }
      for cents in columns.values(of: Price.self)?.copies() ?? [] { sum += cents.cents }
      counts.read.add(columns.count, ordering: .relaxed)
    }) {
      // On a busy machine, it may take long to wake up.
      while context.isAwaited {}
    }
    ended.wait()
    expectEqual(counts.read.load(ordering: .relaxed), pages * 512)
    expectTrue((1..<pages * 512).contains(counts.seen.load(ordering: .relaxed)))
    // What it changed then was copied before.
    expectEqual(sum, (0..<pages * 512).reduce(0, +))
  }
}

extension Span {
  fileprivate func copies() -> [Element] { indices.map { self[$0] } }
}
