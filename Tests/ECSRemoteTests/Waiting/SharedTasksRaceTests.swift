import ECSRemote
import ECSTestSupport
import Testing

@Suite(.optimizedOrSanitized, .noHangs) struct SharedTasksRaceTests {
  @Test func `Among many, only who is cancelled is told so, and all get what is theirs`()
    async
  {
    let (shared, steps) = (SharedTasks<Int, Int>(), Effort.raceSteps)
    let wrong = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(worker))
          var wrong = 0
          for _ in 0..<steps {
            let (key, yields) = (random.below(3), random.below(3))
            let task = Task {
              try await shared.lead(key) { () async throws(RemoteError) in
                for _ in 0..<yields { await Task.yield() }
                if Task.isCancelled { throw .cancelled }
                return key
              }
            }
            let isCancelled = random.oneIn(3)
            if isCancelled, random.oneIn(2) { await Task.yield() }
            if isCancelled { task.cancel() }
            switch await task.result {
            case .success(let value): if value != key { wrong += 1 }
            case .failure: if !isCancelled { wrong += 1 }
            }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    expectEqual(wrong, 0)
    expectEqual(shared.waitingCount, 0)
  }

  @Test func `Work that all have left before it is done anew is not begun`() async throws {
    let count = 40
    let late = Tally()
    for _ in 0..<count {
      let shared = SharedTasks<Int, Int>()
      let (runs, departures, gate) = (Tally(), Tally(), Gate())
      let body = { @Sendable () async throws(RemoteError) -> Int in
        runs.add()
        if runs.value > 1, departures.value > 0 { late.add() }
        await gate.pass()
        throw .cancelled
      }
      let other = Task {
        while runs.value == 0 { await pause() }
        return try await shared.lead(1, body)
      }
      let first = Task {
        _ = try? await shared.lead(1, body)
        other.cancel()
        departures.add()
      }
      while shared.waitingCount == 0 { await pause() }
      first.cancel()
      await gate.open()
      await first.value
      _ = await other.result
      // What is under way ends here.
      for _ in 0..<10 { await pause() }
    }
    // The last may leave just when it begins.
    expectLessThan(late.value, count / 4)
  }
}
