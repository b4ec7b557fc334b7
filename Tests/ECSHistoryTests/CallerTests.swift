import ECS
import ECSHistory
import ECSTestSupport
import Foundation
import Testing

/// Which functions made changes of unknown cause.
@Suite(.longRunning, .noHangs) struct CallerTests {
  private let context = Context()

  // They return something, so that their last call is not made in their place.

  @inline(never) @discardableResult
  private func strike(_ entity: Entity) -> Int {
    entity.set(Health(points: 1))
    return Int(entity.get(Health.self)?.points ?? 0)
  }

  @inline(never) @discardableResult
  private func fight(_ entity: Entity) -> Int {
    let points = strike(entity)
    entity.set(Health(points: 2))
    return points
  }

  @Test func `A recorder that keeps callers names the functions, the innermost first`() throws {
    let flight = FlightRecorder(context, callers: 3)
    let entity = context.createEntity(with: Health(points: 0))
    fight(entity)
    let why = flight.why(entity, Health.self)
    try #require(why.count == 3)
    #if canImport(Glibc) || canImport(Darwin)
      expectEqual(why[0].callers.first?.contains("fight"), true, "\(why[0].callers)")
      expectEqual(why[1].callers.first?.contains("strike"), true, "\(why[1].callers)")
      expectEqual(why[1].callers.dropFirst().first?.contains("fight"), true, "\(why[1].callers)")
      expectTrue("\(why[1])".contains(", called by "))
    #endif
    expectTrue(why.allSatisfy { $0.callers.count <= 3 })
    expectFalse(why.contains { $0.callers.contains { $0.hasPrefix("ECS.") } })
  }

  @Test func `Functions of the program in extensions of our types are named`() throws {
    let flight = FlightRecorder(context, callers: 2)
    let entity = context.createEntity(with: Health(points: 0))
    entity.heal()
    let why = flight.why(entity, Health.self)
    #if canImport(Glibc) || canImport(Darwin)
      expectEqual(why.first?.callers.first?.contains("heal"), true, "\(why.map(\.callers))")
    #endif
  }

  @Test func `Who is named as a cause needs no callers, and nobody keeps them unasked`() {
    let (asked, unasked) = (FlightRecorder(context, callers: 2), FlightRecorder(context))
    let entity = context.createEntity(with: Health(points: 0))
    context.perform("named") { strike(entity) }
    expectEqual(asked.why(entity, Health.self).first?.callers, [])
    strike(entity)
    expectTrue(unasked.why(entity, Health.self).allSatisfy { $0.callers.isEmpty })
    expectGreaterThan(asked.byteCount, unasked.byteCount)
  }

  @Test func `Numbers of callers that make no sense are taken for the nearest that do`() {
    for count in [Int.min, -1, 0, 1, .max] {
      let flight = FlightRecorder(context, callers: count)
      strike(context.createEntity())
      expectTrue(flight.entries().allSatisfy { $0.callers.count <= max(0, count) })
    }
  }

  @Test func `Files tell callers, in another process too`() throws {
    let flight = FlightRecorder(context, callers: 2)
    strike(context.createEntity())
    let recording = flight.recording()
    let read = try FlightRecording(data: recording.data)
    expectEqual(read, recording)
    expectEqual(read.lines.map(\.callers), flight.entries().reversed().map(\.callers))
    let text = String(decoding: recording.data, as: UTF8.self)
    for damage in [("callers\":[", "callers\":{"), ("callers\":[\"", "callers\":[1,\"")]
    where text.contains(damage.0) {
      let damaged = Data(text.replacing(damage.0, with: damage.1).utf8)
      #expect(throws: FlightFileError.self) { try FlightRecording(data: damaged) }
    }
  }

  @Test func `A file of machine code says what its functions are, and a damaged one less`() throws {
    let program = CallerTests.program(["alpha", "beta"], at: [0x100, 0x140], size: 0x20)
    let table = try #require(SymbolTable(program))
    expectTrue(table.name(of: 0x100) == "alpha" && table.name(of: 0x11F) == "alpha")
    expectEqual(table.name(of: 0x140), "beta")
    expectTrue([0, 0xFF, 0x120, 0x160, .max].allSatisfy { table.name(of: $0) == nil })
    for length in 0..<program.count { _ = SymbolTable(program.prefix(length))?.name(of: 0x100) }
    var random = SplitMix64(seed: 7)
    for _ in 0..<Effort.full(20_000, debug: 3_000) {
      var damaged = program
      for _ in 0..<3 {
        damaged[.random(in: 6..<damaged.count, using: &random)] =
          [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      }
      for address: UInt64 in [0, 0x100, .max] { _ = SymbolTable(damaged)?.name(of: address) }
    }
    expectNil(SymbolTable(contentsOf: "/nowhere"))
  }

  /// An ELF file with a table of names, one of symbols, and nothing else.
  private static func program(_ names: [String], at addresses: [UInt64], size: UInt64) -> Data {
    func bytes<Number: FixedWidthInteger>(_ numbers: Number...) -> [UInt8] {
      numbers.flatMap { number in
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      }
    }
    var (texts, symbols): ([UInt8], [UInt8]) = ([0], [])
    for (name, address) in zip(names, addresses) {
      symbols += bytes(UInt32(texts.count)) + [2, 0, 1, 0] + bytes(address, size)
      texts += Array(name.utf8) + [0]
    }
    func section(_ kind: UInt32, _ place: Int, _ size: Int, _ entry: Int) -> [UInt8] {
      bytes(UInt32(0), kind) + bytes(UInt64(0), 0, UInt64(place), UInt64(size))
        + bytes(UInt32(0), 0) + bytes(UInt64(0), UInt64(entry))
    }
    let (first, second) = (64, 64 + texts.count)
    var head: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + Array(repeating: 0, count: 58)
    head.replaceSubrange(0x28..<0x30, with: bytes(UInt64(second + symbols.count)))
    head.replaceSubrange(0x3A..<0x3E, with: bytes(UInt16(64), 2))
    return Data(
      head + texts + symbols + section(3, first, texts.count, 0)
        + section(2, second, symbols.count, 24))
  }
}

extension Entity {
  // Other than those above, with which optimized builds would merge it.
  @inline(never) @discardableResult
  fileprivate func heal() -> Bool {
    set(Health(points: 9))
    return isAlive
  }
}
