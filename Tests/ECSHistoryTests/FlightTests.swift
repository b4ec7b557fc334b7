import ECS
import ECSHistory
import ECSTestSupport
import Foundation
import Testing

@Suite(.longRunning, .noHangs) struct FlightTests {
  @Test func `it says who changed a component, from what to what, the latest first`() throws {
    let context = Context()
    let flight = FlightRecorder(context)
    let entity = context.perform("make") {
      context.createEntity(with: Health(points: 1), Name("a"))
    }
    context.perform("hit") { entity.set(Health(points: 0)).set(Name("b")) }
    context.group(Health.matcher).observeChanges(.updated, by: flight, name: "healer") {
      _, change in
      if change.new(Health.self)?.points == 7 { change.entity.set(Health(points: 8)) }
    }
    entity.set(Health(points: 7))
    entity.destroy()
    let why = flight.why(entity, Health.self)
    expectEqual(why.map(\.kind), [.destroyed, .replaced, .replaced, .replaced, .created])
    expectEqual(why.map { $0.old(Health.self)?.points }, [8, 7, 0, 1, nil])
    expectEqual(why.map { $0.new(Health.self)?.points }, [nil, 8, 7, 0, 1])
    expectEqual(why.map(\.cause.name), ["", "healer", "", "hit", "make"])
    expectEqual(why.map(\.commit), why.map(\.commit).sorted(by: >))
    expectTrue(why[1].commit == why[2].commit && why[3].commit < why[2].commit)
    expectTrue(why.allSatisfy { $0.time > .seconds(1_700_000_000) })
    expectTrue(flight.why(entity, Position.self).isEmpty)
  }

  @Test func `of a whole entity it tells links, too, and nothing of others`() {
    let context = Context()
    let flight = FlightRecorder(context)
    let (one, other) = (
      context.createEntity(with: Name("one")), context.createEntity(with: Name("other"))
    )
    one.relate(Likes.self, to: other)
    one.destroy()
    expectEqual(flight.why(other).map(\.kind), [.unlinked, .linked, .created])
    expectEqual(flight.why(one).map(\.kind), [.unlinked, .destroyed, .linked, .created])
    expectEqual(flight.entries().count, 5)
  }

  @Test func `its context is known as long as it is there, also in sections that only read`() {
    var context: Context? = Context()
    guard let recorder = context.map({ FlightRecorder($0) }) else { return }
    expectEqual(context?.reading { recorder.context === context }, true)
    context = nil
    expectNil(recorder.context)
  }

  @Test func `it is asked in sections that only read, too`() {
    let context = Context()
    let flight = FlightRecorder(context)
    let entity = context.createEntity(with: Health(points: 1))
    func answers() -> [Int] {
      [flight.droppedCommits, flight.byteCount, flight.commits.count, flight.why(entity).count]
    }
    expectEqual(context.reading { answers() }, answers())
  }

  @Test func `a person can read it`() throws {
    let context = Context()
    let flight = FlightRecorder(context)
    let entity = context.createEntity(with: Health(points: 1))
    context.perform("hit", file: "Game/Rules.swift", line: 7) { entity.set(Health(points: 0)) }
    entity.relate(Likes.self, to: entity)
    let label = String("\(entity)".split(separator: " ")[1])
    let lines = flight.why(entity).map { entry in
      // Without the time.
      "\(entry)".split(separator: ": ", maxSplits: 1).last.map(String.init)
    }
    expectEqual(
      lines,
      [
        "linked Likes of \(label) to \(label), by unknown",
        "replaced Health of \(label): Health(points: 1) -> Health(points: 0), by section hit (Game/Rules.swift:7)",
        "created \(label): Health(points: 1), by unknown",
      ])
    let time = try #require(flight.entries().first).description
    expectNotNil(time.wholeMatch(of: /commit \d+ at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}: .*/))
  }

  @Test func `times are dates, at all ends of years`() throws {
    for (seconds, text) in [
      (1, "1970-01-01 00:00:01.250"), (951_782_399, "2000-02-28 23:59:59.250"),
      (951_782_400, "2000-02-29 00:00:00.250"), (1_709_251_199, "2024-02-29 23:59:59.250"),
      (1_735_689_599, "2024-12-31 23:59:59.250"), (4_102_444_800, "2100-01-01 00:00:00.250"),
      (4_107_542_400, "2100-03-01 00:00:00.250"),
    ] as [(Int, String)] {
      let line =
        #"{"commit":1,"time":\#(seconds)250000000,"kind":"created","entity":"1.0","cause":"unknown"}"#
      let recording = try FlightRecording(data: file([line]))
      expectEqual(recording.lines[0].description, "commit 1 at \(text): created 1.0, by unknown")
    }
  }

  @Test func `times before 1970 are dates, too`() throws {
    for (nanoseconds, text) in [
      (-1, "1969-12-31 23:59:59.999"), (-250_000_000, "1969-12-31 23:59:59.750"),
      (-1_000_000_000, "1969-12-31 23:59:59.000"), (-1_750_000_000, "1969-12-31 23:59:58.250"),
      (-86_400_000_000_000, "1969-12-31 00:00:00.000"), (0, "1970-01-01 00:00:00.000"),
      (Int.min, "1677-09-21 00:12:43.145"), (Int.max, "2262-04-11 23:47:16.854"),
    ] as [(Int, String)] {
      let line =
        #"{"commit":1,"time":\#(nanoseconds),"kind":"created","entity":"1.0","cause":"unknown"}"#
      let recording = try FlightRecording(data: file([line]))
      expectEqual(recording.lines[0].description, "commit 1 at \(text): created 1.0, by unknown")
      try expectEqual(FlightRecording(data: recording.data), recording)
    }
  }

  @Test func `names of causes count, however long they are`() {
    let context = Context()
    let flight = FlightRecorder(context, memory: 1_000_000)
    let entity = context.createEntity()
    for number in 0..<200 {
      context.perform(String(repeating: "\(number % 10)", count: 50_000)) {
        entity.set(Health(points: Int32(number)))
      }
      expectLessThanOrEqual(flight.byteCount, 1_000_000)
    }
    let kept = flight.commits.reduce(0) { $0 + $1.causes.reduce(0) { $0 + $1.name.utf8.count } }
    expectTrue(kept > 500_000 && kept <= flight.byteCount)
    expectEqual(flight.commits.count + flight.droppedCommits, 201)
    // One that alone is too long.
    context.perform(String(repeating: "x", count: 1_000_000)) { entity.set(Health(points: 0)) }
    expectTrue(flight.commits.isEmpty && flight.byteCount == 0 && flight.droppedCommits == 202)
  }

  @Test func `its memory is bounded, and values in it end`() {
    let counter = LifeCounter()
    let context = Context()
    let flight = FlightRecorder(context, memory: 100_000)
    let entity = context.createEntity()
    for number in 0..<5_000 {
      entity.set(Tracked(counter, number: number))
      expectLessThanOrEqual(flight.byteCount, 100_000)
    }
    var why = flight.why(entity, Tracked.self)
    expectTrue(why.count > 50 && why.first?.new(Tracked.self)?.number == 4_999)
    expectEqual(why.count + flight.droppedCommits, 5_001)
    expectLessThanOrEqual(counter.living, why.count + 2)
    // Entries keep values, too.
    why = []
    // A commit that alone is too large.
    context.perform { for _ in 0..<10_000 { context.createEntity(with: Health(points: 1)) } }
    expectTrue(flight.entries().isEmpty && flight.byteCount == 0 && flight.droppedCommits == 5_002)
    entity.set(Health(points: 1))
    flight.removeAll()
    expectTrue(flight.commits.isEmpty && flight.droppedCommits == 5_003 && counter.living == 1)
  }

  @Test func `it stays readable when the context is gone, and records chosen changes only`() throws
  {
    var context: Context? = Context()
    let flight = try #require(
      context.map { FlightRecorder($0.journal(of: Health.self)) })
    let entity = try #require(context).createEntity(with: Health(points: 1), Name("a"))
    entity.set(Name("b"))
    context = nil
    expectEqual(
      flight.why(entity).map { "\($0.change.newComponents())" },
      ["[Health(points: 1)]"].map {
        $0.replacingOccurrences(of: "Health(", with: "ECSTestSupport.Health(")
      })
    expectEqual(flight.droppedCommits, 0)
  }

  // MARK: Files

  private func file(_ lines: [String], dropped: Int = 0) -> Data {
    let header =
      #"{"format":"swift-ecs flight recording","version":1,"dropped":\#(dropped),"changes":\#(lines.count)}"#
    return Data(([header] + lines).map { $0 + "\n" }.joined().utf8)
  }

  private func sample() -> FlightRecording {
    let context = Context()
    let flight = FlightRecorder(context, memory: 1 << 20)
    let entity = context.createEntity(
      with: Health(points: 1), Name("quote \" and\nline, Health(2)"))
    context.perform("hit", file: "Game/Rules.swift", line: 7) { entity.set(Health(points: 0)) }
    let token = context.group(Health.matcher).observeChanges(.updated, name: "watch") { change in
      change.entity.set(Tag())
    }
    entity.set(Health(points: 3))
    token.cancel()
    entity.relate(Likes.self, to: entity)
    entity.destroy()
    return flight.recording()
  }

  @Test func `a file is read as it was written`() throws {
    let recording = sample()
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("flight-\(UInt64.random(in: 0 ... .max)).flight")
    defer { try? FileManager.default.removeItem(at: url) }
    try recording.data.write(to: url)
    let read = try FlightRecording(contentsOf: url)
    expectTrue(read == recording && read.lines.count == 7)
    let entity = read.lines[0].entity
    expectEqual(
      read.why(entity, "Health").map(\.kind), [.destroyed, .replaced, .replaced, .created])
    expectTrue(read.why(entity).count == 7 && read.why("99.9").isEmpty)
    expectTrue(read.why(entity, "Position").isEmpty)
    #expect(throws: FlightFileError.self) {
      try FlightRecording(contentsOf: url.appendingPathExtension("none"))
    }
  }

  @Test func `a recorder writes a file that replaces another one`() throws {
    let context = Context()
    let flight = FlightRecorder(context)
    let entity = context.createEntity(with: Health(points: 1))
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("flight-\(UInt64.random(in: 0 ... .max)).flight")
    defer { try? FileManager.default.removeItem(at: url) }
    try flight.write(to: url)
    entity.set(Health(points: 2))
    try flight.write(to: url)
    try expectEqual(FlightRecording(contentsOf: url), flight.recording())
    #expect { try flight.write(to: url.appendingPathComponent("below")) } throws: {
      if case .file = ($0 as? FlightFileError)?.reason { true } else { false }
    }
  }

  @Test func `files that are something else, cut off or changed give an error or a recording`()
    throws
  {
    func error(_ data: Data) -> FlightFileError? {
      do {
        _ = try FlightRecording(data: data)
        return nil
      } catch {
        return error
      }
    }
    expectEqual(error(Data())?.reason, .notARecording)
    expectEqual(error(Data("hello\n".utf8))?.reason, .notARecording)
    expectEqual(
      error(Data(#"{"format":"swift-ecs flight recording","version":2}"#.utf8) + [10])?.reason,
      .laterFormat)
    expectEqual(error(file([#"{"commit":1}"#])).map { "\($0)" }, "line 2: malformed: kind")
    let line = #"{"commit":1,"time":1,"kind":"created","entity":"1.0","cause":"magic"}"#
    expectEqual(error(file([line]))?.reason, .malformed("cause"))
    let pair =
      #"{"commit":1,"time":1,"kind":"created","entity":"1.0","cause":"unknown","old":[["A"]]}"#
    expectEqual(error(file([pair]))?.reason, .malformed("old"))
    let data = sample().data
    for count in 0..<data.count { expectNotNil(error(data.prefix(count))) }
    var random = SplitMix64(seed: 1)
    var taken = 0
    for _ in 0..<Effort.inputs(orElse: Effort.full(20_000, debug: 2_000)) {
      var damaged = data
      for _ in 0...random.below(3) {
        let place = random.below(damaged.count)
        switch random.below(4) {
        case 0: damaged[place] = UInt8(truncatingIfNeeded: random.next())
        case 1:
          let marks = Array("\"{}[],:0123456789-.e \\nullt".utf8)
          damaged[place] = marks[random.below(marks.count)]
        case 2: damaged.removeSubrange(place..<min(damaged.count, place + 1 + random.below(8)))
        default:
          let from = random.below(damaged.count)
          damaged.insert(
            contentsOf: Data(damaged[from..<min(damaged.count, from + 40)]), at: place)
        }
      }
      guard let read = try? FlightRecording(data: damaged) else { continue }
      taken += 1
      // What was read is a recording, which is the same when it is written and read again.
      try expectEqual(FlightRecording(data: read.data), read)
      for line in read.lines { expectFalse(line.description.isEmpty) }
    }
    expectGreaterThan(taken, 0)
  }

  @Test func `a commit of one small value takes at most 120 bytes, and blocks a kilobyte`() {
    let context = Context()
    let flight = FlightRecorder(context)
    let entity = context.createEntity(with: Position(x: 0, y: 0))
    for number in 1...20_000 { entity.set(Position(x: Float(number), y: 0)) }
    expectEqual(flight.droppedCommits, 0)
    expectLessThan(flight.byteCount, 20_000 * 120)
    let numbers = flight.commits.map(\.number)
    expectTrue(
      numbers.count == 20_001 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
    let small = FlightRecorder(context, memory: 4096)
    for number in 1...100 { entity.set(Position(x: Float(number), y: 1)) }
    expectLessThanOrEqual(small.byteCount, 4096)
    expectEqual(small.commits.last?.number, context.lastCommit)
  }
}
