import ECSRemote
import ECSTestSupport
import Testing

@Suite(.noHangs) struct SharedTasksTests {
  private let shared = SharedTasks<Int, Int>()
  private let runs = Tally()

  /// Work that ends when its task is cancelled, the first time; the second time it ends at once.
  private func call() -> Task<Int, any Error> {
    Task { [shared, runs] in
      try await shared.lead(1) { () async throws(RemoteError) in
        runs.add()
        let number = runs.value
        while number == 1 {
          if Task.isCancelled { throw .cancelled }
          await pause()
        }
        return number
      }
    }
  }

  /// The first, which does the work, and others that wait.
  private func begin(
    followers count: Int
  ) async -> (first: Task<Int, any Error>, others: [Task<Int, any Error>]) {
    let first = call()
    while runs.value == 0 { await pause() }
    let others = (0..<count).map { _ in call() }
    while shared.waitingCount < count { await pause() }
    return (first, others)
  }

  @Test func `Whoever comes first does the work, and all get what it comes to`() async throws {
    let gate = Gate()
    let tasks = (0..<10).map { _ in
      Task { [shared, runs] in
        try await shared.lead(1) { () async throws(RemoteError) in
          runs.add()
          await gate.pass()
          return 5
        }
      }
    }
    while shared.waitingCount < 9 { await pause() }
    await gate.open()
    for task in tasks { try await expectEqual(task.value, 5) }
    expectEqual(runs.value, 1)
    expectEqual(shared.waitingCount, 0)
  }

  @Test func `An error is that of all, and the next call begins anew`() async throws {
    let gate = Gate()
    let tasks = (0..<3).map { _ in
      Task { [shared] in
        try await shared.lead(1) { () async throws(RemoteError) -> Int in
          await gate.pass()
          throw .hook("no")
        }
      }
    }
    while shared.waitingCount < 2 { await pause() }
    await gate.open()
    for task in tasks { await #expect(throws: RemoteError.hook("no")) { try await task.value } }
    try await expectEqual(shared.lead(1) { () async throws(RemoteError) in 6 }, 6)
  }

  @Test func `When the first is cancelled, the others have the work done anew, once`()
    async throws
  {
    let (first, others) = await begin(followers: 3)
    first.cancel()
    await #expect(throws: RemoteError.cancelled) { try await first.value }
    for task in others { try await expectEqual(task.value, 2) }
    expectEqual(runs.value, 2)
  }

  @Test func `What makes the first fail when it is cancelled is nothing to the others`()
    async throws
  {
    let gate = Gate()
    let tasks = (0..<2).map { number in
      Task { [shared, runs] in
        if number == 1 { while runs.value == 0 { await pause() } }
        return try await shared.lead(1) { () async throws(RemoteError) in
          runs.add()
          if runs.value > 1 { return 7 }
          await gate.pass()
          throw .transport(.interrupted("it broke off"))
        }
      }
    }
    while shared.waitingCount < 1 { await pause() }
    tasks[0].cancel()
    await gate.open()
    await #expect(throws: RemoteError.transport(.interrupted("it broke off"))) {
      try await tasks[0].value
    }
    try await expectEqual(tasks[1].value, 7)
  }

  @Test func `Work that is done counts, though the first is cancelled`() async throws {
    let gate = Gate()
    let tasks = (0..<4).map { number in
      Task { [shared, runs] in
        if number > 0 { while runs.value == 0 { await pause() } }
        return try await shared.lead(1) { () async throws(RemoteError) in
          runs.add()
          await gate.pass()
          return 8
        }
      }
    }
    while shared.waitingCount < 3 { await pause() }
    tasks[0].cancel()
    await gate.open()
    for task in tasks { try await expectEqual(task.value, 8) }
    expectEqual(runs.value, 1)
  }

  @Test func `Who waits leaves alone when cancelled, and the work goes on`() async throws {
    let (first, others) = await begin(followers: 2)
    others[0].cancel()
    await #expect(throws: RemoteError.cancelled) { try await others[0].value }
    expectEqual(shared.waitingCount, 1)
    others[1].cancel()
    await #expect(throws: RemoteError.cancelled) { try await others[1].value }
    expectEqual(shared.waitingCount, 0)
    // The first is still there: a caller that comes now waits for it.
    let late = call()
    while shared.waitingCount < 1 { await pause() }
    expectEqual(runs.value, 1)
    first.cancel()
    try await expectEqual(late.value, 2)
    await #expect(throws: RemoteError.cancelled) { try await first.value }
  }

  @Test func `Who is cancelled before does nothing, and is in nobody's way`() async throws {
    let start = Gate()
    let task = Task { [shared, runs] in
      await start.pass()
      return try await shared.lead(1) { () async throws(RemoteError) in
        runs.add()
        return 1
      }
    }
    task.cancel()
    await start.open()
    await #expect(throws: RemoteError.cancelled) { try await task.value }
    expectEqual(runs.value, 0)
    try await expectEqual(shared.lead(1) { () async throws(RemoteError) in 2 }, 2)
  }

  @Test func `Work that is done anew is cancelled when all who wait for it are`() async throws {
    let ends = Tally()
    let tasks = (0..<3).map { number in
      Task { [shared, runs] in
        if number > 0 { while runs.value == 0 { await pause() } }
        return try await shared.lead(1) { () async throws(RemoteError) -> Int in
          runs.add()
          while !Task.isCancelled { await pause() }
          ends.add()
          throw .cancelled
        }
      }
    }
    while shared.waitingCount < 2 { await pause() }
    tasks[0].cancel()
    while runs.value < 2 { await pause() }
    for task in tasks {
      task.cancel()
      await #expect(throws: RemoteError.cancelled) { try await task.value }
    }
    while ends.value < 2 { await pause() }
    expectEqual(runs.value, 2)
    expectEqual(shared.waitingCount, 0)
  }

  @Test func `A caller that is cancelled by the work has left it at once`() async throws {
    let (gate, tasks, seen) = (Gate(), Collected<Task<Int, any Error>>(), Collected<Bool>())
    let caller = Task { [shared] in
      await gate.pass()
      return try await shared.run(1) { number async throws(RemoteError) in
        seen.add(shared.isUnderWay(1, number))
        for task in tasks.all { task.cancel() }
        seen.add(shared.isUnderWay(1, number))
        return 1
      }
    }
    tasks.add(caller)
    await gate.open()
    await #expect(throws: RemoteError.cancelled) { try await caller.value }
    expectEqual(seen.all, [true, false])
  }
}
