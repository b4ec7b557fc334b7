import ECSCluster
import ECSTestSupport
import Foundation
import Testing

/// What a session makes of a broker that answers slowly, wrongly, or not at all.
@Suite struct RedisAnswerTests {
  private func session(_ answer: @escaping @Sendable (Int) -> [UInt8]) throws -> any BrokerSession {
    let address = try #require(RedisAddress("redis://:secret@nowhere"))
    let broker = try RedisBroker(address, timeout: .milliseconds(20)) {
      _, _ throws(BrokerError) in ScriptedStream(answer)
    }
    return broker.makeSession(for: "orders")
  }

  private func greeting(_ first: String = "+OK\r\n") -> [UInt8] {
    let name = String(repeating: "a", count: 40)
    return Array((first + String(repeating: "$40\r\n\(name)\r\n", count: 10)).utf8)
  }

  @Test func `a wrong password is named`() throws {
    let greeting = greeting("-WRONGPASS invalid username-password pair\r\n")
    let session = try session { _ in greeting }
    #expect(throws: BrokerError.refused("WRONGPASS invalid username-password pair")) {
      try session.open(ClusterSettings(partitions: 4, schema: "x"))
    }
  }

  @Test func `no answer in time is named`() throws {
    let session = try session { _ in [] }
    #expect(throws: BrokerError.timedOut(.milliseconds(20))) {
      try session.open(ClusterSettings(partitions: 4, schema: "x"))
    }
  }

  @Test func `other settings are named`() throws {
    let greeting = greeting()
    let session = try session {
      $0 == 0 ? greeting : Array("*2\r\n$1\r\n8\r\n$1\r\nx\r\n".utf8)
    }
    #expect(throws: BrokerError.mismatch("8 partitions, and not 4")) {
      try session.open(ClusterSettings(partitions: 4, schema: "x"))
    }
  }

  @Test(arguments: [
    ("-OOM command not allowed when used memory > 'maxmemory'", "is full"),
    ("-MISCONF Errors writing to the AOF file: No space left on device", "is full"),
    ("-ERR max number of clients reached", "not available"),
    (
      "-ERR Error running script (call to f_1): @user_script:4: @user_script: 4: -READONLY You can't write",
      "not available"
    ),
    ("-MISCONF Errors @user_script: 9: -MISCONF Redis is configured to save", "is full"),
    ("-LOADING Redis is loading the dataset in memory", "not available"),
    ("-READONLY You can't write against a read only replica.", "not available"),
    ("-NOPERM this user has no permissions", "refuses"),
    ("-MOVED 3999 127.0.0.1:6381", "with an error"),
    ("+QUEUED", "protocol"), ("$-1", "protocol"), ("hello", "protocol"),
  ])
  func `what the broker can't do is named`(answer: String, kind: String) throws {
    let greeting = greeting()
    let session = try session { $0 == 0 ? greeting : Array("\(answer)\r\n".utf8) }
    let pack = EventPack(partition: 0, producer: "p", first: 1, number: 1, count: 1, bytes: [1])
    var error: BrokerError?
    do {
      if case .failed(let found)? = try session.send([pack], limit: 10).first { error = found }
    } catch {
      expectTrue("\(error)".contains(kind))
      return
    }
    expectEqual(error.map { "\($0)" }?.contains(kind), true)
  }

  @Test func `what is wrong with one partition does not hide what became of the others`() throws {
    let greeting = greeting()
    let answers = Array("*2\r\n:0\r\n:1\r\n-WRONGTYPE no\r\n+x\r\n*2\r\n:1\r\n:0\r\n".utf8)
    let session = try session { $0 == 0 ? greeting : answers }
    let packs = (0..<4).map {
      EventPack(partition: $0, producer: "p", first: 1, number: 1, count: 1, bytes: [1])
    }
    try expectEqual(
      session.send(packs, limit: 10),
      [
        .accepted(waiting: 1), .failed(.failed("WRONGTYPE no")),
        .failed(.protocolViolation("the text \"x\" instead of 2 numbers")), .duplicate,
      ])
  }

  @Test(arguments: ["9007199254740992", "9223372036854775807", "18446744073709551615"])
  func `numbers that leave no room for the next one violate the protocol`(number: String) throws {
    let greeting = greeting()
    func bulk(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }
    func session(_ answer: String) throws -> any BrokerSession {
      try self.session { $0 == 0 ? greeting : Array(answer.utf8) }
    }
    func expectNonsense(_ body: () throws -> Void) {
      #expect {
        try body()
      } throws: {
        if case BrokerError.protocolViolation = $0 { true } else { false }
      }
    }
    let positions = [ReadPosition(partition: 0, number: 1)]
    let lease = "*4\r\n:1\r\n:1\r\n\(bulk(number)):1\r\n"
    expectNonsense {
      let outcome = try session(lease).acquire([0], worker: "w", for: .seconds(1))[0]
      if case .failed(let error) = outcome { throw error }
    }
    let renewed = "*2\r\n:1\r\n\(bulk(number))"
    expectNonsense {
      let outcome = try session(renewed).renew([(0, 1)], worker: "w", for: .seconds(1))[0]
      if case .failed(let error) = outcome { throw error }
    }
    expectNonsense { _ = try session(bulk("snap:\(number):1")).readSnapshot(of: 0) }
    for (name, field) in [("in", "c"), ("log", "o")] {
      let entry =
        "*2\r\n\(bulk(number + "-0"))*4\r\n\(bulk(field))\(bulk("1"))\(bulk("d"))\(bulk("x"))"
      let stream = "*1\r\n*2\r\n\(bulk("{orders:0}:\(name)"))*1\r\n\(entry)"
      expectNonsense {
        if name == "in" {
          _ = try session(stream).read(positions, limit: 5, wait: .zero)
        } else {
          _ = try session(stream).readLog(positions, limit: 5, wait: .zero)
        }
      }
    }
  }

  @Test func `an answer without an end is not waited for longer than others`() throws {
    let address = try #require(RedisAddress("redis://nowhere"))
    let broker = try RedisBroker(address, timeout: .milliseconds(20)) {
      _, _ throws(BrokerError) in TricklingStream()
    }
    #expect(throws: BrokerError.timedOut(.milliseconds(20))) {
      try broker.makeSession(for: "orders").open(ClusterSettings(partitions: 4, schema: "x"))
    }
  }

  @Test func `much may take longer than little, as long as it comes`() throws {
    let greeting = greeting()
    func bulk(_ bytes: String) -> String { "$\(bytes.utf8.count)\r\n\(bytes)\r\n" }
    let large = bulk(String(repeating: "x", count: 4 << 20))
    let entry = "*2\r\n\(bulk("7-0"))*4\r\n\(bulk("o"))\(bulk("1"))\(bulk("d"))\(large)"
    let answer = Array("*1\r\n*2\r\n\(bulk("{orders:0}:log"))*1\r\n\(entry)".utf8)
    let address = try #require(RedisAddress("redis://:secret@nowhere"))
    let broker = try RedisBroker(address, timeout: .milliseconds(20)) {
      _, _ throws(BrokerError) in
      ScriptedStream(piece: 64 << 10, pause: 0.002) { $0 == 0 ? greeting : answer }
    }
    let entries = try broker.makeSession(for: "orders").readLog(
      [ReadPosition(partition: 0, number: 6)], limit: 9, wait: .zero)
    expectEqual(entries.map(\.bytes.count), [4 << 20])
  }

  @Test func `packs that were answered before a connection ends are decided`() throws {
    let greeting = greeting()
    let answer = Array("*2\r\n:0\r\n:1\r\n*2\r\n:0".utf8)
    let session = try session { $0 == 0 ? greeting : answer }
    let packs = (0..<3).map {
      EventPack(partition: $0, producer: "p", first: 1, number: 1, count: 1, bytes: [1])
    }
    let late = SendOutcome.failed(.timedOut(.milliseconds(20)))
    try expectEqual(session.send(packs, limit: 10), [.accepted(waiting: 1), late, late])
  }

  @Test func `answers by chance are errors or answers, and never stop the program`() throws {
    let greeting = greeting()
    let source = LockedRandom(SplitMix64(seed: 9))
    let session = try session { number in
      if number == 0 { return greeting }
      let parts = [
        "*2\r\n", "*1\r\n", ":1\r\n", "$1\r\n5\r\n", "$-1\r\n", "$3\r\n7-0\r\n", "*-1\r\n",
        "+x\r\n",
        "$13\r\n{orders:0}:in\r\n", "$14\r\n{orders:0}:log\r\n", "*4\r\n",
      ]
      return Array(
        (0..<1 + source.below(14)).map { _ in parts[source.below(parts.count)] }.joined().utf8)
    }
    var errors = 0
    for _ in 0..<300 {
      let positions = [ReadPosition(partition: 0, number: 3)]
      let calls: [() throws -> Void] = [
        { _ = try session.read(positions, limit: 5, wait: .zero) },
        { _ = try session.readLog(positions, limit: 5, wait: .zero) },
        { _ = try session.beat("w", for: .seconds(1)) },
        { _ = try session.acquire([0], worker: "w", for: .seconds(1)) },
        { _ = try session.renew([(0, 1)], worker: "w", for: .seconds(1)) },
        { _ = try session.deadEvents(of: 0, limit: 5) },
        { _ = try session.readSnapshot(of: 0) },
      ]
      do { try calls[source.below(calls.count)]() } catch { errors += 1 }
    }
    expectGreaterThan(errors, 50)
  }
}

/// Always has one element more, until much too long an answer was asked for.
private final class TricklingStream: ByteStream {
  private let end = ContinuousClock.now + .seconds(5)
  private var isBegun = false

  func send(_ bytes: [UInt8], from position: Int) throws(BrokerError) -> Int {
    bytes.count - position
  }

  func receive(into buffer: inout [UInt8]) throws(BrokerError) -> Int {
    if ContinuousClock.now > end { throw .unreachable("It was asked for too long") }
    defer { isBegun = true }
    if isBegun { Thread.sleep(forTimeInterval: 0.001) }
    let piece = Array((isBegun ? ":1\r\n" : "*16000000\r\n").utf8)
    buffer.replaceSubrange(0..<piece.count, with: piece)
    return piece.count
  }

  func wait(toSend: Bool, atMost time: Duration) {}
}

/// Answers whatever is sent.
private final class ScriptedStream: ByteStream {
  private let answer: @Sendable (Int) -> [UInt8]
  private let piece: Int
  private let pause: TimeInterval
  private var number = 0
  private var waiting: [UInt8] = []

  init(
    piece: Int = .max, pause: TimeInterval = 0, _ answer: @escaping @Sendable (Int) -> [UInt8]
  ) {
    (self.piece, self.pause, self.answer) = (piece, pause, answer)
  }

  func send(_ bytes: [UInt8], from position: Int) throws(BrokerError) -> Int {
    waiting += answer(number)
    number += 1
    return bytes.count - position
  }

  func receive(into buffer: inout [UInt8]) throws(BrokerError) -> Int {
    if pause > 0 { Thread.sleep(forTimeInterval: pause) }
    let count = min(buffer.count, waiting.count, piece)
    buffer.replaceSubrange(0..<count, with: waiting[..<count])
    waiting.removeFirst(count)
    return count
  }

  func wait(toSend: Bool, atMost time: Duration) {}
}

// Guarded by the lock.
private final class LockedRandom: @unchecked Sendable {
  private let lock = NSLock()
  private var random: SplitMix64

  init(_ random: SplitMix64) { self.random = random }
  func below(_ bound: Int) -> Int { lock.withLock { random.below(bound) } }
}
