import ECSCluster
import ECSTestSupport
import Testing

@Suite struct RedisParserTests {
  private func parse(_ text: String) throws -> RedisValue? {
    var parser = RedisParser()
    parser.append(Array(text.utf8)[...])
    return try parser.next()
  }

  @Test func `each kind of answer is read`() throws {
    try expectEqual(parse("+OK\r\n"), .simple("OK"))
    try expectEqual(parse("-ERR no\r\n"), .error("ERR no"))
    try expectEqual(parse(":-12\r\n"), .integer(-12))
    try expectEqual(parse("$5\r\na\r\nbc\r\n"), .bulk(Array("a\r\nbc".utf8)))
    try expectEqual(parse("$-1\r\n"), .null)
    try expectEqual(parse("*-1\r\n"), .null)
    try expectEqual(
      parse("*2\r\n:1\r\n*1\r\n$0\r\n\r\n"), .array([.integer(1), .array([.bulk([])])]))
  }

  @Test func `answers that come in pieces are read when they are whole`() throws {
    let text = "*2\r\n$3\r\nabc\r\n:7\r\n+next\r\n"
    for size in 1...text.utf8.count {
      var parser = RedisParser()
      var found: [RedisValue] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        parser.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        while let value = try parser.next() { found.append(value) }
      }
      expectEqual(found, [.array([.bulk(Array("abc".utf8)), .integer(7)]), .simple("next")])
      expectEqual(parser.waiting, 0)
    }
  }

  @Test func `pieces of a long answer are looked at once`() throws {
    // Looked at from the start with each piece, it would take minutes.
    var parser = RedisParser()
    parser.append(Array("*2\r\n*100000\r\n".utf8)[...])
    for number in 0..<100_000 {
      parser.append(Array(":\(number)\r".utf8)[...])
      try expectNil(parser.next())
      parser.append([10])
      if number < 99_999 { try expectNil(parser.next()) }
    }
    try expectNil(parser.next())
    expectGreaterThan(parser.waiting, 500_000)
    parser.append(Array("+end\r\n".utf8)[...])
    try expectEqual(
      parser.next(), .array([.array((0..<100_000).map { .integer($0) }), .simple("end")]))
    expectEqual(parser.waiting, 0)
  }

  @Test func `an answer may be so long, and no longer`() throws {
    for count in [9, 11] {
      var parser = RedisParser(longestAnswer: 64)
      let text = "*\(count)\r\n" + String(repeating: "$0\r\n\r\n", count: count)
      let half = Array(text.utf8.dropLast(2))
      parser.append(half[...])
      if count == 9 {
        try expectNil(parser.next())
      } else {
        #expect(throws: BrokerError.protocolViolation("An answer is too long")) {
          try parser.next()
        }
      }
    }
  }

  @Test(arguments: [
    "hello\r\n", ":x\r\n", "$-2\r\n", "$3\r\nabcd\r\n", "*99999999999\r\n",
    "$99999999999999999999\r\n",
    "+a\rb\r\n", ":\r\n", String(repeating: "*1\r\n", count: 100),
    "+" + String(repeating: "a", count: 70_000),
  ])
  func `what is no answer is an error`(text: String) {
    #expect { try parse(text) } throws: {
      if case BrokerError.protocolViolation = $0 { true } else { false }
    }
  }

  @Test func `bytes by chance and damaged answers give answers, errors or nothing`() {
    var random = SplitMix64(seed: 5)
    let valid = Array("*3\r\n$3\r\nabc\r\n:7\r\n*2\r\n+x\r\n-E y\r\n".utf8)
    let letters = Array("+-:$*\r\n0123456789ab".utf8)
    var results = (values: 0, errors: 0)
    for _ in 0..<20_000 {
      var bytes = valid
      if random.oneIn(2) {
        for _ in 0..<1 + random.below(4) {
          bytes[random.below(bytes.count)] = letters[random.below(letters.count)]
        }
      } else {
        bytes = (0..<random.below(40)).map { _ in letters[random.below(letters.count)] }
      }
      var parser = RedisParser()
      parser.append(bytes[...])
      do {
        while try parser.next() != nil { results.values += 1 }
      } catch {
        results.errors += 1
      }
    }
    expectGreaterThan(results.values, 100)
    expectGreaterThan(results.errors, 100)
  }

  @Test func `addresses are taken apart`() throws {
    let address = try #require(RedisAddress("redis://me:p%40ss@[::1]:7000/3"))
    expectEqual(address.host, "::1")
    expectEqual(address.port, 7000)
    expectEqual(address.user, "me")
    expectEqual(address.password, "p@ss")
    expectEqual(address.database, 3)
    expectEqual("\(address)", "::1:7000")
    expectNil(RedisAddress("redis://:secret@host")?.user)
    expectEqual(RedisAddress("redis://:secret@host")?.password, "secret")
    expectEqual(RedisAddress("redis://host")?.port, 6379)
    expectEqual(RedisAddress("rediss://host")?.isEncrypted, true)
  }

  @Test(arguments: [
    "host", "redis://", "redis://host:x", "redis://host:0", "redis://host/x", "redis://a:%zz@host",
    "redis://[::1", "redis://host:70000",
  ])
  func `what is no address is none`(text: String) {
    expectNil(RedisAddress(text))
    #expect(throws: ClusterError.self) { try RedisBroker(text) }
  }

  @Test func `what is no address is named without its password`() {
    #expect {
      try RedisBroker("redis://me:secret@host:99999")
    } throws: {
      "\($0)".contains("redis://…@host:99999 is no address")
    }
  }

  #if !RedisTLS
    @Test func `an encrypted address needs the trait that encrypts`() {
      #expect(throws: ClusterError.self) { try RedisBroker("rediss://host") }
    }
  #endif
}
