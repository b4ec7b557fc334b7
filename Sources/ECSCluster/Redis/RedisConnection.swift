/// A connection to Redis that is in order: whatever goes wrong with it, it is not used again.
final class RedisConnection {
  /// How many bytes have to come or go in the time for an answer: as long as they do, it is waited
  /// for.
  private static let pace = 64 << 10

  private let stream: any ByteStream
  private var parser = RedisParser()
  private var buffer = [UInt8](repeating: 0, count: 256 << 10)

  init(_ stream: any ByteStream) { self.stream = stream }

  /// Sends commands and reads an answer to each.
  ///
  /// - Throws: ``BrokerError``.
  func exchange(
    _ commands: RedisCommands, within time: Duration
  ) throws(BrokerError) -> [RedisValue] {
    var answers: [RedisValue] = []
    try exchange(commands, within: time) { answers.append($0) }
    return answers
  }

  /// Sends commands and gives the answer to each as soon as it is there.
  ///
  /// - Throws: ``BrokerError``.
  func exchange(
    _ commands: RedisCommands, within time: Duration, _ body: (RedisValue) -> Void
  ) throws(BrokerError) {
    var end = ContinuousClock.now + time
    guard parser.waiting == 0 else { throw .protocolViolation("It answers without being asked") }
    var (position, answered, moved) = (0, 0, 0)
    while answered < commands.count {
      let before = position
      while position < commands.bytes.count {
        let count = try stream.send(commands.bytes, from: position)
        if count == 0 { break }
        position += count
      }
      let count = try stream.receive(into: &buffer)
      if count > 0 {
        parser.append(buffer[..<count])
        while answered < commands.count, let answer = try parser.next() {
          answered += 1
          body(answer)
        }
        if answered == commands.count { break }
      }
      // Much takes longer than little; but what trickles without an end is no answer.
      let now = ContinuousClock.now
      moved += count + position - before
      if moved >= RedisConnection.pace { (end, moved) = (now + time, 0) }
      let left = now.duration(to: end)
      guard left > .zero else { throw .timedOut(time) }
      if count > 0 { continue }
      stream.wait(toSend: position < commands.bytes.count, atMost: left)
    }
    guard parser.waiting == 0 else { throw .protocolViolation("It answers more than it was asked") }
  }
}
