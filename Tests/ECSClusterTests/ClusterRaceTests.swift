import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// Senders, workers and a replica at a time, each on threads of its own, with a broker in memory.
@Suite(.optimizedOrSanitized, .noHangs) struct ClusterRaceTests {
  let broker = MemoryBroker(.continuous)

  private func cluster(waitingEvents: Int) throws -> CountingCluster {
    try countingCluster(broker, .continuous, partitions: 8) {
      $0.lease = .seconds(2)
      ($0.packSize, $0.batchSize, $0.batchesBetweenSnapshots) = (16, 48, 6)
      $0.waitingEvents = waitingEvents
      $0.patience = nil
    }
  }

  // MARK: Workers come and go

  @Test func `workers come and go while many threads send, and all is applied once, in order`()
    async throws
  {
    var random = SplitMix64(seed: 1)
    broker.plan { _ in
      switch random.below(300) {
      case 0: .lostRequest
      case 1: .lostReply
      case 2: .late
      default: nil
      }
    }
    // There are more than twice as many commits, however few of them are needed.
    broker.takePartitionAway(atEvery: 12)
    let cluster = try cluster(waitingEvents: 150)
    let mistakes = Mistakes()
    let context = Context()
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    let following = Task { try await replica.run() }
    let ended = Tally()
    let looking = Task { await look(at: context, replica, mistakes, until: ended) }
    let sender = cluster.makeSender()
    let sending = Task {
      defer { ended.add() }
      return try await withThrowingTaskGroup(of: [String].self) { group in
        for number in 0..<8 { group.addTask { try await send(sender, number) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    try await takeTurns((0..<3).map { _ in Desk(cluster, mistakes) }, mistakes, until: ended)
    guard mistakes.all.isEmpty else {
      // It is unknown whether the others would ever end.
      following.cancel()
      looking.cancel()
      ended.add()
      sender.close()
      Issue.record("\(mistakes.all.prefix(5))")
      return
    }
    let expected = try await sending.value.sorted()
    sender.close()
    await looking.value
    broker.plan { _ in nil }
    broker.takePartitionAway(atEvery: nil)
    await replica.caughtUp()
    expectEqual(picturesOf(context), expected)
    following.cancel()
    try await following.value
    // A worker that comes last has it all from snapshots and logs.
    let last = Desk(cluster, mistakes)
    while last.worker.partitions.count < 8 {
      _ = last.worker.step()
      await pause()
    }
    expectEqual(last.picture, expected)
    last.worker.finish()
    expectEqual(mistakes.all, [])
    expectGreaterThan(broker.fencedCommits, 0)
  }

  /// Sends counts of three keys, and says what is to become of them.
  private func send(_ sender: Sender<Count, Int>, _ number: Int) async throws -> [String] {
    var random = SplitMix64(seed: UInt64(number))
    var places: [(last: Int, mark: Int)] = [(0, 0), (0, 0), (0, 0)]
    for _ in 0..<max(50, Effort.raceSteps / 400) {
      let counts = (0...random.below(6)).map { _ in
        let place = random.below(3)
        let kind = [0, 0, 0, 2, 3, 4][random.below(6)]
        places[place].last += 1
        switch kind {
        case 2, 4: places[place].mark = 0
        case 3: places[place].mark = places[place].last
        default: break
        }
        return Count(key: number * 3 + place, number: places[place].last, kind: kind)
      }
      if counts.count == 1 {
        try await sender.send(counts[0])
      } else {
        try await sender.send(contentsOf: counts)
      }
    }
    return places.enumerated().filter { $0.element.last > 0 }.map { offset, place in
      "\(number * 3 + offset): \(place.last), \(place.last), \(place.mark)"
    }
  }

  /// Two of three workers run, others each time that partitions have moved, and the broker takes
  /// partitions away from the workers that have them, which they find out when they renew their
  /// leases or commit.
  private func takeTurns(
    _ desks: [Desk], _ mistakes: Mistakes, until ended: Tally
  ) async throws {
    func start(_ desk: Desk) -> Task<Void, any Error> { Task { try await desk.worker.run() } }
    var running = [start(desks[0]), start(desks[1])]
    var (turn, idleTurns, mostWork) = (0, 0, UInt64(0))
    while ended.value == 0 || !isThrough || turn < 4 {
      if !mistakes.all.isEmpty { break }
      if idleTurns == 40 || turn == 20_000 {
        mistakes.add("It does not come to an end: \(broker.look { $0.map(\.metrics) })")
      }
      let epoch = epochs
      for _ in 0..<100 where epochs < epoch + 2 { await pause() }
      // A worker that gets a processor now and then only is not to lose its partitions each time.
      for _ in 0..<1000 where workDone <= mostWork && (ended.value == 0 || !isThrough) {
        await pause()
      }
      idleTurns = workDone > mostWork ? 0 : idleTurns + 1
      mostWork = max(mostWork, workDone)
      broker.tamper(turn % 8) { $0.metrics.owner = nil }
      let leaving = running.removeFirst()
      leaving.cancel()
      try await leaving.value
      running.append(start(desks[(turn + 2) % 3]))
      turn += 1
    }
    for worker in running { worker.cancel() }
    for worker in running { try await worker.value }
  }

  /// Whether all that was sent is part of the log of changes.
  private var isThrough: Bool {
    broker.look { $0.allSatisfy { $0.metrics.offset == $0.metrics.sent } }
  }

  /// How much has been sent and become part of the log.
  private var workDone: UInt64 {
    broker.look { $0.reduce(0) { $0 + $1.metrics.sent + $1.metrics.offset } }
  }

  private var epochs: UInt64 { broker.look { $0.reduce(0) { $0 + $1.metrics.epoch } } }

  /// Sees to it that counters of a replica only rise, and waits for it as often as it can.
  private func look(
    at context: Context, _ replica: Replica<Count, Counter, Int>, _ mistakes: Mistakes,
    until ended: Tally
  ) async {
    var seen: [Int: Int] = [:]
    while ended.value == 0 {
      let left = Task { await replica.caughtUp() }
      left.cancel()
      let counters = context.perform {
        context.group(Counter.matcher).compactMap { $0.get(Counter.self) }
      }
      for counter in counters {
        if counter.last != counter.total || counter.last < seen[counter.key] ?? 0 {
          mistakes.add("\(counter) came after \(seen[counter.key] ?? 0)")
        }
        seen[counter.key] = counter.last
      }
      await left.value
      await replica.caughtUp()
    }
  }

  // MARK: Senders end

  @Test func `calls that meet the end of their sender are answered, and tell the truth`()
    async throws
  {
    let cluster = try cluster(waitingEvents: .max)
    var sent = 0
    for _ in 0..<max(20, Effort.raceSteps / 500) {
      let sender = cluster.makeSender()
      sent += await withTaskGroup(of: Int.self) { group in
        for number in 0..<4 {
          group.addTask {
            var sent = 0
            for step in 1...5 {
              do throws(ClusterError) {
                try await sender.send(Count(key: number, number: step))
                sent += 1
              } catch {
                guard case .closed = error else {
                  Issue.record(error)
                  continue
                }
              }
            }
            return sent
          }
        }
        group.addTask {
          await Task.yield()
          sender.close()
          return 0
        }
        return await group.reduce(0, +)
      }
    }
    expectEqual(broker.look { $0.reduce(0) { $0 + $1.metrics.sent } }, UInt64(sent))
    // They have no names that last, and so leave nothing.
    while !broker.look({ $0.allSatisfy(\.producers.isEmpty) }) { await pause() }
  }
}
