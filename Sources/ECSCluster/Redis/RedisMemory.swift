/// The memory of Redis, as its command `INFO memory` says.
package struct RedisMemory: Equatable {
  /// How much it may take; 0 for no limit.
  var limit: UInt64 = 0

  /// How much it has taken of that.
  var used: UInt64 = 0

  /// The part of the limit that is taken; nil if there is none.
  package var fullness: Double? { limit > 0 ? Double(used) / Double(limit) : nil }

  /// How much is left for events before what is left is the workers'; less than zero if that has
  /// begun, and nil if there is no limit.
  var room: Int? {
    limit > 0 ? Int(clamping: limit / 10 * 9) - Int(clamping: used) : nil
  }

  package init(_ text: String) {
    var numbers: [Substring: UInt64] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":")
      if parts.count == 2, let number = UInt64(parts[1]) { numbers[parts[0]] = number }
    }
    limit = numbers["maxmemory"] ?? 0
    let all = numbers["used_memory"] ?? 0
    // What copies wait for, and what is to be written to the disk.
    used = all - min(all, numbers["mem_not_counted_for_evict"] ?? 0)
  }
}

/// When a sender looks how much memory is left: often enough that it stops before workers have
/// none.
///
/// Redis itself refuses events only when there is none at all, and all senders and readers share
/// what is left.
struct MemoryWatch {
  private static let interval = Duration.milliseconds(100)

  /// How much is sent before the first look.
  private var allowance = 64 << 10
  private var next: ContinuousClock.Instant?

  /// Whether what is left is the workers'.
  mutating func isTight(
    before packs: [EventPack], at now: ContinuousClock.Instant,
    _ look: () throws(BrokerError) -> RedisMemory?
  ) throws(BrokerError) -> Bool {
    let bytes = packs.reduce(0) { $0 + $1.bytes.count }
    allowance -= bytes
    let time = next ?? now + MemoryWatch.interval
    next = time
    if allowance >= 0, now < time { return false }
    let room = try look()?.room
    // Others send as well.
    allowance = (room ?? .max) / 4 - bytes
    next = now + MemoryWatch.interval
    guard let room, room < bytes else { return false }
    next = now
    return true
  }
}

extension RedisSession {
  func fullness() throws(BrokerError) -> Double? { try readMemory()?.fullness }

  /// Nil if this program may not ask.
  func readMemory() throws(BrokerError) -> RedisMemory? {
    var commands = RedisCommands()
    commands.add("INFO", "memory")
    let answer = try askEach(commands)[0]
    if case .error(let text) = answer {
      let error = RedisSession.error(text)
      guard case .refused = error else { throw error }
      return nil
    }
    guard let text = answer.text else { throw RedisSession.protocolViolation(answer, "memory") }
    return RedisMemory(text)
  }
}
