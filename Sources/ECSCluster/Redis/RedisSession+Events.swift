extension RedisSession {
  func send(_ packs: [EventPack], limit: Int) throws(BrokerError) -> [SendOutcome] {
    if packs.isEmpty { return [] }
    let names = ["in", "meta", "prod", "claims", "uses"]
    let now = ContinuousClock.now
    let isTight = try memory.isTight(before: packs, at: now) { () throws(BrokerError) in
      try readMemory()
    }
    let (answers, failure) = try callSome(
      .send,
      packs.map { pack in
        (
          names.map { key(pack.partition, $0) },
          [
            .text(pack.producer), RedisWord(pack.first), RedisWord(pack.number),
            RedisWord(pack.count), .bytes(pack.bytes), RedisWord(limit),
            RedisWord(pack.claim?.epoch ?? 0), .text(pack.claim?.sender ?? ""),
            RedisWord(uses.isDue(pack.producer, in: pack.partition, at: now) ? 1 : 0),
            RedisWord(isTight ? 1 : 0), RedisWord(pack.after),
          ]
        )
      })
    var outcomes = zip(packs, answers).map { RedisSession.outcome($1, of: $0) }
    for (pack, outcome) in zip(packs, outcomes) where pack.claim == nil {
      if case .accepted = outcome { uses.note(pack.producer, in: pack.partition, at: now) }
    }
    if let failure {
      outcomes += Array(repeating: .failed(failure), count: packs.count - outcomes.count)
    }
    return outcomes
  }

  private static func outcome(_ answer: RedisValue, of pack: EventPack) -> SendOutcome {
    if case .error(let text) = answer { return .failed(error(text)) }
    do throws(BrokerError) {
      if let parts = answer.elements, parts.count == 2, let known = parts[1].anyNumber {
        if parts[0].number == 4 { return .partial(known: known) }
        if parts[0].number == 6, known < pack.after { return .lost(known: known) }
      }
      let numbers = try numbers(answer, 2)
      switch numbers[0] {
      case 0: return .accepted(waiting: Int(clamping: numbers[1]))
      case 1: return .duplicate
      case 2: return .full(waiting: Int(clamping: numbers[1]))
      case 3: return .failed(.superseded(pack.producer))
      case 5: return .failed(.full("The last tenth of its memory is the workers'"))
      default: return .failed(protocolViolation(answer, "what became of events"))
      }
    } catch {
      return .failed(error)
    }
  }

  func claim(_ producer: String, sender: String) throws(BrokerError) -> [ProducerPosition] {
    var commands = RedisCommands()
    for partition in 0..<partitionCount {
      commands.add("HGET", .text(key(partition, "claims")), .text(producer))
    }
    var epochs: [UInt64] = []
    for answer in try ask(commands) {
      let text = answer == .null ? "0 " : answer.text ?? ""
      guard let epoch = RedisValue.simple(String(text.prefix { $0 != " " })).number else {
        throw RedisSession.protocolViolation(answer, "a claim")
      }
      epochs.append(epoch + 1)
    }
    let answers = try call(
      .claim,
      epochs.enumerated().map { partition, epoch in
        (
          [key(partition, "claims"), key(partition, "prod")],
          [.text(producer), RedisWord(epoch), .text(sender)]
        )
      })
    var positions: [ProducerPosition] = []
    for (answer, epoch) in zip(answers, epochs) {
      // Producers number as they like.
      guard let parts = answer.elements, parts.count == 2, let isTaken = parts[0].number,
        let number = parts[1].anyNumber
      else { throw RedisSession.protocolViolation(answer, "a number") }
      guard isTaken == 1 else {
        throw .unavailable("Another sender of the producer \(producer) begins")
      }
      positions.append(
        ProducerPosition(claim: ProducerClaim(epoch: epoch, sender: sender), number: number))
    }
    return positions
  }

  func lastNumbers(of producer: String) throws(BrokerError) -> [UInt64]? {
    var commands = RedisCommands()
    for partition in 0..<partitionCount {
      commands.add("HGET", .text(key(partition, "prod")), .text(producer))
    }
    var numbers: [UInt64] = []
    for answer in try ask(commands) {
      guard let number = answer == .null ? 0 : answer.anyNumber else {
        throw RedisSession.protocolViolation(answer, "a number")
      }
      numbers.append(number)
    }
    return numbers
  }

  func forget(_ producer: String) throws(BrokerError) {
    var commands = RedisCommands()
    for partition in 0..<partitionCount {
      commands.add("HDEL", .text(key(partition, "prod")), .text(producer))
      commands.add("ZREM", .text(key(partition, "uses")), .text(producer))
    }
    _ = try ask(commands)
  }

  func read(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> [StoredPack] {
    var packs: [StoredPack] = []
    try readStreams("in", positions, limit: limit, wait: wait) {
      (partition, number, fields) throws(BrokerError) in
      guard fields.count == 4, let count = fields[1].number, let bytes = fields[3].bytes,
        count > 0, count <= number
      else { throw RedisSession.protocolViolation(.array(fields), "events") }
      packs.append(
        StoredPack(
          partition: partition, last: number, count: Int(clamping: count), bytes: bytes))
    }
    return packs
  }

  func readLog(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> [LogEntry] {
    var entries: [LogEntry] = []
    try readStreams("log", positions, limit: limit, wait: wait) {
      (partition, number, fields) throws(BrokerError) in
      guard fields.count == 4, let offset = fields[1].number, let bytes = fields[3].bytes else {
        throw RedisSession.protocolViolation(.array(fields), "changes")
      }
      entries.append(LogEntry(partition: partition, number: number, offset: offset, bytes: bytes))
    }
    return entries
  }

  /// Reads streams whose identifiers are numbers.
  private func readStreams(
    _ name: String, _ positions: [ReadPosition], limit: Int, wait: Duration,
    _ body: (Int, UInt64, [RedisValue]) throws(BrokerError) -> Void
  ) throws(BrokerError) {
    if positions.isEmpty { return }
    var words: [RedisWord] = ["XREAD", "COUNT", RedisWord(limit)]
    let milliseconds = wait.milliseconds
    if milliseconds > 0 { words += ["BLOCK", RedisWord(milliseconds)] }
    words.append("STREAMS")
    var partitions: [String: Int] = [:]
    for position in positions {
      let key = key(position.partition, name)
      partitions[key] = position.partition
      words.append(.text(key))
    }
    for position in positions { words.append("\(position.number)-0") }
    var commands = RedisCommands()
    commands.add(words)
    let answer = try ask(commands, waiting: wait)[0]
    guard let streams = answer.elements else {
      throw RedisSession.protocolViolation(answer, "streams")
    }
    for stream in streams {
      guard let parts = stream.elements, parts.count == 2, let key = parts[0].text,
        let partition = partitions[key], let entries = parts[1].elements
      else { throw RedisSession.protocolViolation(stream, "a stream") }
      for entry in entries {
        guard let parts = entry.elements, parts.count == 2,
          let number = RedisSession.number(ofEntry: parts[0]), let fields = parts[1].elements
        else { throw RedisSession.protocolViolation(entry, "an entry") }
        try body(partition, number, fields)
      }
    }
  }

  /// The first half of an identifier.
  static func number(ofEntry value: RedisValue) -> UInt64? {
    guard let text = value.text else { return nil }
    return RedisValue.simple(String(text.prefix { $0 != "-" })).number
  }
}

extension Duration {
  /// Rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = max(self, .zero).components
    return Int(min(seconds, 1 << 40)) * 1000
      + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
