import ECS
import ECSTestSupport
import Testing

/// Async functions go on in other threads after an `await`, and the code that takes the lock is
/// inlined into them.
///
/// What it has read of the thread must not outlive the `await`. In optimized builds that is for the
/// compiler to respect: what it keeps is taken for another thread, which shows as lost updates,
/// half-made changes that are seen, and threads that wait forever. In processes of their own, which
/// have all threads of the tasks to themselves.
@Suite(.optimizedOrSanitized) struct SuspensionRaceTests {
  static let tasks = 8
  static let steps = Effort.raceSteps

  struct Balance: Component {
    var amount: Int
  }

  struct Total: UniqueComponent {
    var count: Int
  }

  /// Runs a body in several tasks at once, which count some of their steps, and adds up what they
  /// return.
  static func run(_ body: @escaping @Sendable (Int, Tally) async -> Int) async -> Int {
    let progress = Tally()
    let watchdog = Watchdog(progress)
    defer { watchdog.stop() }
    return await withTaskGroup(of: Int.self) { group in
      for task in 0..<tasks { group.addTask { await body(task, progress) } }
      var sum = 0
      for await result in group { sum += result }
      return sum
    }
  }

  @Test func `Sections before and after an await exclude those of other tasks`() async {
    await #expect(processExitsWith: .success) {
      let context = Context()
      let accounts = (0..<4).map { _ in context.createEntity(with: Balance(amount: 100)) }
      let group = context.group(Balance.matcher)
      let wrong = await Self.run { task, progress in
        var wrong = 0
        for step in 0..<Self.steps {
          if step % 100 == 0 { progress.add() }
          context.perform {
            accounts[(step + task) & 3].update(Balance.self) { $0.amount -= 1 }
            accounts[(step + task + 1) & 3].update(Balance.self) { $0.amount += 1 }
          }
          await Task.yield()
          let sum = context.perform {
            var sum = 0
            for entity in group { sum += entity.get(Balance.self)?.amount ?? 0 }
            return sum
          }
          if sum != 400 { wrong += 1 }
        }
        return wrong
      }
      precondition(wrong == 0)
    }
  }

  @Test func `Single calls before and after an await lose nothing`() async {
    await #expect(processExitsWith: .success) {
      let context = Context()
      context.setUniqueComponent(Total(count: 0))
      let entities = (0..<4).map { _ in context.createEntity(with: Balance(amount: 0)) }
      let read = await Self.run { task, progress in
        var read = 0
        for step in 0..<Self.steps {
          if step % 100 == 0 { progress.add() }
          entities[(step + task) & 3].update(Balance.self) { $0.amount += 1 }
          await Task.yield()
          context.updateUniqueComponent(Total.self) { $0.count += 1 }
          if context.uniqueComponent(Total.self) != nil { read += 1 }
        }
        return read
      }
      let all = Self.tasks * Self.steps
      precondition(read == all)
      precondition(entities.reduce(0) { $0 + ($1.get(Balance.self)?.amount ?? 0) } == all)
      precondition(context.uniqueComponent(Total.self)?.count == all)
    }
  }

  @Test func `Entities come and go, and components are moved, around an await`() async {
    await #expect(processExitsWith: .success) {
      let context = Context()
      let group = context.all([Balance.cid, Tag.cid])
      let collector = context.collector(for: group.matcher)
      let collected = await Self.run { task, progress in
        var collected = 0
        for step in 0..<Self.steps / 4 {
          if step % 100 == 0 { progress.add() }
          let entity = context.createEntity(with: Balance(amount: task))
          await Task.yield()
          entity.set(Tag())
          await Task.yield()
          group.withEach { (_, balance: inout Balance) in balance.amount = step }
          collected += collector.drain().count
          await Task.yield()
          entity.destroy()
        }
        return collected
      }
      precondition(collected + collector.count == Self.tasks * Self.steps / 4)
      precondition(context.count == 0)
      precondition(context.statistics.staleWrites == 0)
    }
  }
}
