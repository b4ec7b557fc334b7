extension RedisSession {
  func beat(_ worker: String, for time: Duration) throws(BrokerError) -> [String] {
    let answer = try call(
      .beat, [([key("workers")], [.text(worker), RedisWord(time.milliseconds)])])[0]
    guard let names = answer.elements?.compactMap(\.text) else {
      throw RedisSession.protocolViolation(answer, "names")
    }
    return names
  }

  func acquire(
    _ partitions: [Int], worker: String, for time: Duration
  ) throws(BrokerError) -> [AcquireOutcome] {
    if partitions.isEmpty { return [] }
    let answers = try callEach(
      .acquire,
      partitions.map { ([key($0, "meta")], [.text(worker), RedisWord(time.milliseconds)]) })
    var outcomes: [AcquireOutcome] = []
    for answer in answers {
      do throws(BrokerError) {
        if case .error(let text) = answer { throw RedisSession.error(text) }
        let numbers = try RedisSession.numbers(answer, 2)
        if numbers[0] == 0 {
          outcomes.append(.taken(.milliseconds(Int(clamping: numbers[1]))))
        } else {
          let numbers = try RedisSession.numbers(answer, 4)
          outcomes.append(
            .acquired(Lease(epoch: numbers[1], offset: numbers[2], logNumber: numbers[3])))
        }
      } catch {
        guard error.mayBeOfOnePartition else { throw error }
        outcomes.append(.failed(error))
      }
    }
    return outcomes
  }

  func renew(
    _ leases: [(partition: Int, epoch: UInt64)], worker: String, for time: Duration
  ) throws(BrokerError) -> [RenewOutcome] {
    if leases.isEmpty { return [] }
    let answers = try callEach(
      .renew,
      leases.map {
        (
          [key($0.partition, "meta")],
          [.text(worker), RedisWord($0.epoch), RedisWord(time.milliseconds)]
        )
      })
    var outcomes: [RenewOutcome] = []
    for answer in answers {
      do throws(BrokerError) {
        if case .error(let text) = answer { throw RedisSession.error(text) }
        let numbers = try RedisSession.numbers(answer, 2)
        outcomes.append(numbers[0] == 1 ? .renewed(sent: numbers[1]) : .lost)
      } catch {
        guard error.mayBeOfOnePartition else { throw error }
        outcomes.append(.failed(error))
      }
    }
    return outcomes
  }

  func release(_ partition: Int, epoch: UInt64, worker: String) throws(BrokerError) {
    _ = try call(.release, [([key(partition, "meta")], [.text(worker), RedisWord(epoch)])])
  }

  func commit(
    _ commit: BatchCommit, worker: String, for time: Duration
  ) throws(BrokerError) -> CommitOutcome {
    let partition = commit.partition
    var words: [RedisWord] = [
      .text(worker), RedisWord(commit.epoch), RedisWord(commit.logNumber),
      RedisWord(commit.offset), RedisWord(time.milliseconds), .bytes(commit.bytes),
    ]
    for event in commit.dead {
      words += [RedisWord(event.number), .text(event.reason), .bytes(event.bytes)]
    }
    let keys = ["meta", "in", "log", "dead"].map { key(partition, $0) }
    let answer = try call(.commit, [(keys, words)])[0]
    switch answer.number {
    case 0: return .committed
    case 1: return .fenced
    case 2: return .moved
    default: throw RedisSession.protocolViolation(answer, "what became of a commit")
    }
  }

  // MARK: Snapshots

  private static var chunkSize: Int { 1 << 20 }

  /// How many pieces are asked for together.
  // PERFORMANCE: Redis looks for the next ones while one is on the way.
  private static var chunksAtOnce: UInt64 { 4 }

  /// How many pieces a snapshot may have.
  private static var longestSnapshot: Int { 1 << 20 }

  func writeSnapshot(
    _ snapshot: StoredSnapshot, of partition: Int, epoch: UInt64, worker: String
  ) throws(BrokerError) -> Bool {
    var commands = RedisCommands()
    commands.add("HGET", .text(key(partition, "meta")), "snap")
    let old = try ask(commands)[0].text ?? ""
    let name = "snap:\(snapshot.number):\(epoch)"
    let new = key(partition, name)
    if name == old { return true }
    commands = RedisCommands()
    commands.add("DEL", .text(new))
    _ = try ask(commands)
    var count = 0
    for start in stride(from: 0, to: max(1, snapshot.bytes.count), by: RedisSession.chunkSize) {
      let chunk = snapshot.bytes[start...].prefix(RedisSession.chunkSize)
      // What is not switched to goes by itself.
      let words: [RedisWord] = [
        .text(worker), RedisWord(epoch), .bytes(Array(chunk)), "600000",
      ]
      let answer = try call(.piece, [([key(partition, "meta"), new], words)])[0]
      guard answer.number == 1 else { return false }
      count += 1
    }
    let keys = [key(partition, "meta"), key(partition, "log"), new, key(partition, old)]
    let answer = try call(
      .snapshot,
      [
        (
          keys,
          [
            .text(worker), RedisWord(epoch), RedisWord(snapshot.number), .text(name), .text(old),
            RedisWord(count),
          ]
        )
      ])[0]
    return answer.number == 1
  }

  func readSnapshot(of partition: Int) throws(BrokerError) -> StoredSnapshot? {
    // Another one may take its place while it is read.
    for _ in 0..<8 {
      var commands = RedisCommands()
      commands.add("HGET", .text(key(partition, "meta")), "snap")
      guard let name = try ask(commands)[0].text, !name.isEmpty else { return nil }
      guard let number = RedisSession.number(ofSnapshot: name) else {
        throw .protocolViolation("A snapshot is called \(name)")
      }
      commands = RedisCommands()
      commands.add("LLEN", .text(key(partition, name)))
      let length = try ask(commands)[0]
      guard let count = length.number, count <= UInt64(RedisSession.longestSnapshot) else {
        throw RedisSession.protocolViolation(length, "the length of a snapshot")
      }
      var bytes: [UInt8] = []
      var isWhole = count > 0
      for start in stride(from: 0, to: count, by: Int(RedisSession.chunksAtOnce)) {
        commands = RedisCommands()
        for index in start..<min(start + RedisSession.chunksAtOnce, count) {
          commands.add("LINDEX", .text(key(partition, name)), RedisWord(index))
        }
        for answer in try ask(commands) {
          if let chunk = answer.bytes { bytes += chunk } else { isWhole = false }
        }
        if !isWhole { break }
      }
      if isWhole { return StoredSnapshot(number: number, bytes: bytes) }
    }
    throw .failed("The snapshot of partition \(partition) is not there")
  }

  // MARK: Looking

  func metrics() throws(BrokerError) -> [PartitionMetrics?] {
    var commands = RedisCommands()
    let fields: [RedisWord] = ["sent", "done", "log", "snap", "epoch", "owner", "until"]
    for partition in 0..<partitionCount {
      commands.add(["HMGET", .text(key(partition, "meta"))] + fields)
      commands.add("XLEN", .text(key(partition, "dead")))
    }
    commands.add("TIME")
    let answers = try askEach(commands)
    let time = try RedisSession.numbers(answers[answers.count - 1], 2)
    let now = time[0] * 1000 + time[1] / 1000
    var metrics: [PartitionMetrics?] = []
    for partition in 0..<partitionCount {
      for case .error(let text) in answers[(2 * partition)...].prefix(2) {
        let error = RedisSession.error(text)
        guard error.mayBeOfOnePartition else { throw error }
      }
      var known = RedisSession.metrics(answers[2 * partition], at: now)
      known?.deadEvents = answers[2 * partition + 1].number.map { Int(clamping: $0) }
      metrics.append(known)
    }
    return metrics
  }

  private static func metrics(_ answer: RedisValue, at now: UInt64) -> PartitionMetrics? {
    guard let found = answer.elements, found.count == 7 else { return nil }
    let numbers = [0, 1, 2, 4, 6].compactMap { found[$0] == .null ? 0 : found[$0].number }
    guard numbers.count == 5 else { return nil }
    var snapshot: UInt64 = 0
    if let name = found[3].text, !name.isEmpty {
      guard let number = number(ofSnapshot: name) else { return nil }
      snapshot = number
    }
    let owner = numbers[4] > now ? found[5].text : nil
    return PartitionMetrics(
      sent: numbers[0], offset: numbers[1], logNumber: numbers[2], snapshotNumber: snapshot,
      epoch: numbers[3], owner: owner.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The number in a snapshot's name; nil if it is none.
  private static func number(ofSnapshot name: String) -> UInt64? {
    let parts = name.split(separator: ":")
    return parts.count == 3 ? RedisValue.simple(String(parts[1])).number : nil
  }

  func deadEvents(of partition: Int, limit: Int) throws(BrokerError) -> [DeadEvent] {
    var commands = RedisCommands()
    commands.add("XRANGE", .text(key(partition, "dead")), "-", "+", "COUNT", RedisWord(limit))
    let answer = try ask(commands)[0]
    var events: [DeadEvent] = []
    guard answer != .null, let entries = answer.elements else {
      throw RedisSession.protocolViolation(answer, "events")
    }
    for entry in entries {
      guard let parts = entry.elements, parts.count == 2,
        let number = RedisSession.number(ofEntry: parts[0]), let fields = parts[1].elements,
        fields.count == 4, let reason = fields[1].text, let bytes = fields[3].bytes
      else { throw RedisSession.protocolViolation(entry, "an event") }
      events.append(DeadEvent(number: number, reason: reason, bytes: bytes))
    }
    return events
  }

  func removeDeadEvent(_ number: UInt64, of partition: Int) throws(BrokerError) {
    var commands = RedisCommands()
    commands.add("XDEL", .text(key(partition, "dead")), "\(number)-0")
    _ = try ask(commands)
  }
}
