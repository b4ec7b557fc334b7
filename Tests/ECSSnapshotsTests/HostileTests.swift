import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Data that is not what it should be: it gives an error and changes nothing, or it means something
/// else that can be saved again, and never stops the program.
@Suite(.longRunning) struct HostileTests {
  private static func small() throws -> [UInt8] {
    let context = Context()
    let first = context.createEntity(with: Point(x: 1, y: 2), Score(points: 3, isFinal: true))
    let second = context.createEntity(with: Score(points: 4, isFinal: false), Chosen())
    second.set(Book(isbn: "1", title: "T", pages: 5, tags: ["a", "bc"], published: Date()))
    first.set(Likes(best: second, all: [first, second]))
    first.set(Rules(mode: .hard, limits: ["a": 1]))
    first.relate(WrittenBy.self, to: second).relate(Near.self, to: first)
    try first.setParent(second)
    context.setUniqueComponent(Clock(seconds: 1))
    return [UInt8](try context.snapshot(try sampleSchema()).data)
  }

  /// Whether the data was taken.
  @discardableResult
  private func read(
    _ bytes: [UInt8], _ schema: Schema, _ policy: UnknownPolicy = .keep
  ) throws -> Bool {
    let context = Context()
    let index = context.primaryIndex { (book: Book) in book.isbn }
    defer { withExtendedLifetime(index) {} }
    do throws(SnapshotError) {
      let snapshot = try Snapshot(Data(bytes))
      try snapshot.restore(into: context, schema, unknown: policy)
    } catch {
      expectEqual(context.count, 0)
      return false
    }
    // Whatever it is now, it is whole, and text if the schema names all of it.
    if let text = try? Snapshot(Data(bytes)).json(schema) {
      try Snapshot(json: text, schema).restore(into: Context(), schema)
    }
    _ = try Snapshot(try context.snapshot(schema).data).restore(
      into: Context(), schema, unknown: policy)
    return true
  }

  @Test func `the checksums are those of others`() {
    // Test vectors of the algorithm's author.
    expectEqual(Checksum.xxh64([]), 0xEF46_DB37_51D8_E999)
    expectEqual(Checksum.xxh64(Array("abc".utf8)[...]), 0x44BC_2CF5_AD77_0999)
    expectEqual(
      Checksum.xxh64(Array("Nobody inspects the spammish repetition".utf8)[...]),
      0xFBCE_A83C_8A37_8BF1)
  }

  @Test func `making checksums right changes nothing where nothing was changed`() throws {
    var bytes = try Self.small()
    let before = bytes
    Checksum.repair(&bytes)
    expectEqual(bytes, before)
    try expectTrue(read(bytes, try sampleSchema(), .fail))
  }

  @Test func `a file that ends at any byte is refused`() throws {
    let (bytes, schema) = (try Self.small(), try sampleSchema())
    for length in 0..<bytes.count {
      try expectFalse(read(Array(bytes[..<length]), schema))
      guard length % Effort.full(1, debug: 23) == 0 else { continue }
      var repaired = Array(bytes[..<length])
      Checksum.repair(&repaired)
      try expectFalse(read(repaired, schema))
    }
    try expectFalse(read(bytes + [0], schema))
  }

  @Test func `a file in which any bit is another is refused`() throws {
    let (bytes, schema) = (try Self.small(), try sampleSchema())
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      try expectFalse(read(flipped, schema), "bit \(bit)")
    }
  }

  @Test func `a file in which any bit is another, with checksums made right, stops nothing`() throws
  {
    let (bytes, schema) = (try Self.small(), try sampleSchema())
    var taken = 0
    for bit in stride(from: 0, to: bytes.count * 8, by: Effort.full(1, debug: 23)) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      Checksum.repair(&flipped)
      if try read(flipped, schema) { taken += 1 }
    }
    // Flips of numbers and of letters are other numbers and letters.
    expectGreaterThan(taken, 100)
  }

  @Test func `random damage stops nothing`() throws {
    let (bytes, schema) = (try Self.small(), try sampleSchema())
    let fuzzer = Fuzzer(bytes)
    var (taken, refused) = (0, 0)
    for seed in 0..<Effort.inputs(orElse: Effort.full(50_000, debug: 1_500)) {
      if try read(fuzzer.input(seed), schema, seed % 2 == 0 ? .keep : .drop) {
        taken += 1
      } else {
        refused += 1
      }
    }
    expectTrue(taken > 0 && refused > 0)
  }

  @Test func `random damage is merged as a whole or not at all`() throws {
    let (bytes, schema) = (try Self.small(), try sampleSchema())
    let fuzzer = Fuzzer(bytes)
    var (taken, refused) = (0, 0)
    for seed in 0..<Effort.inputs(orElse: Effort.full(20_000, debug: 500)) {
      let context = Context()
      let index = context.primaryIndex { (book: Book) in book.isbn }
      let known = context.createEntity(with: Book(isbn: "1", title: "Old"), Score(points: 1))
      let other = context.createEntity(with: Book(isbn: "2"))
      known.relate(Near.self, to: other)
      do throws(SnapshotError) {
        try Snapshot(Data(fuzzer.input(seed))).merge(
          into: context, schema, by: index, unknown: .keep)
        taken += 1
        _ = try context.snapshot(schema)
      } catch {
        refused += 1
        expectTrue(context.count == 2 && known.targets(Near.self).first == other)
        expectEqual(known.get(Book.self), Book(isbn: "1", title: "Old"))
        expectTrue(known.get(Score.self) == Score(points: 1) && known.components().count == 2)
      }
    }
    expectTrue(taken > 0 && refused > 0)
  }

  #if os(Linux) && canImport(Glibc)
    // In a process of its own, where nothing else takes any.
    @Test func `lengths that are not there take no memory`() async {
      await #expect(processExitsWith: .success) {
        let tests = HostileTests()
        let bytes = try HostileTests.small()
        let schema = try sampleSchema()
        let before = residentBytes()
        for at in stride(from: 64, to: bytes.count - 4, by: 4) {
          var damaged = bytes
          damaged.replaceSubrange(at..<at + 4, with: [0xff, 0xff, 0xff, 0x7f])
          Checksum.repair(&damaged)
          try tests.read(damaged, schema)
        }
        guard residentBytes() - before < 200 << 20 else { exit(EXIT_FAILURE) }
      }
    }
  #endif

  @Test func `fields that lie on each other are refused`() throws {
    let context = Context()
    context.createEntity(with: Point(x: 1, y: 2))
    let schema = try sampleSchema()
    var bytes = [UInt8](try context.snapshot(schema).data)
    // The name of the field, its type, and where it is in a value.
    let field: [UInt8] = [1, 0, 0, 0, UInt8(ascii: "y"), 9, 4, 0, 0, 0]
    let place = try #require(
      bytes.indices.first { Array(bytes[$0...].prefix(field.count)) == field })
    for offset: UInt8 in [0, 1, 3, 5] {
      bytes[place + 6] = offset
      Checksum.repair(&bytes)
      #expect {
        _ = try Snapshot(Data(bytes))
      } throws: {
        if case .malformed = ($0 as? SnapshotError)?.reason { true } else { false }
      }
    }
  }

  @Test func `an error says what is wrong, and where`() throws {
    var bytes = try Self.small()
    bytes[65] ^= 1
    #expect(throws: SnapshotError(.damaged, name: "block", offset: 64)) {
      try Snapshot(Data(bytes))
    }
    #expect(throws: SnapshotError(.notASnapshot)) { try Snapshot(Data("ECSSNAP2".utf8)) }
    #expect(throws: SnapshotError(.notASnapshot)) { try Snapshot(Data()) }
    let error = SnapshotError(.truncated(needed: 8, available: 3), name: "book.isbn", offset: 128)
    expectEqual("\(error)", "book.isbn: at 128: 8 bytes should follow, but 3 are left")
  }
}

/// Damages bytes in ways that depend on a seed.
struct Fuzzer {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func input(_ seed: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(seed))
    var input = bytes
    for _ in 0...random.below(3) {
      let at = random.below(input.count)
      switch random.below(7) {
      case 0: input[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: input[at] ^= 1 << UInt8(random.below(8))
      case 2: input[at] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff][random.below(7)]
      case 3:
        // A number, at any of the places where one may be.
        let number = [0, 1, UInt32.max, UInt32.max - 1, 0x8000_0000, 0x7fff_ffff, 64, 3]
        let value = number[random.below(8)]
        for byte in 0..<4 where at + byte < input.count {
          input[at + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))
        }
      case 4: input.removeSubrange(at..<min(input.count, at + 1 + random.below(8)))
      case 5: input.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
      default:
        let from = random.below(input.count)
        let length = min(random.below(32), input.count - max(at, from))
        for offset in 0..<length { input[at + offset] = input[from + offset] }
      }
      if input.isEmpty { return input }
    }
    if !random.oneIn(20) { Checksum.repair(&input) }
    return input
  }
}
