import Foundation

/// Has those that write under one key do so one after the other, so that what was read last of an
/// entity is written last, and what was written last is what it is made when it is read.
///
/// It is asked by asynchronous functions only: code in a section of a context can't wait here.
enum KeyedLock {
  // Keys share them: there is no end of keys.
  private static let turns = (0..<64).map { _ in Turn() }

  // Guarded by its lock.
  private final class Turn: @unchecked Sendable {
    let lock = NSLock()
    var count = 0
  }

  private static func turn(for key: String) -> Turn {
    turns[Int(UInt(bitPattern: key.hashValue) % UInt(turns.count))]
  }

  static func take<Value, Failure: Error>(
    for key: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let turn = turn(for: key)
    turn.lock.lock()
    defer { turn.lock.unlock() }
    turn.count += 1
    return try body()
  }

  /// A number that is another one when there was a turn for a key.
  static func count(for key: String) -> Int {
    let turn = turn(for: key)
    return turn.lock.withLock { turn.count }
  }

  // Excludes other writers meanwhile; the closure gets which keys had a turn since they were
  // counted.
  static func takeAll<Value, Failure: Error>(
    _ body: (_ wasTaken: (_ key: String, _ count: Int) -> Bool) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    for turn in turns { turn.lock.lock() }
    defer { for turn in turns { turn.lock.unlock() } }
    return try body { key, count in turn(for: key).count != count }
  }
}
