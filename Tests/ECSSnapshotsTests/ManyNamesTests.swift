import ECS
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Files may have any number of names: reading, keeping and writing them takes time in proportion.
@Suite struct ManyNamesTests {
  private enum Shape: CaseIterable {
    /// Each entity has a component that no other has.
    case components
    /// An entity has a component with many fields.
    case fields
    case relations
  }

  /// A file as a program could have written it that has so many types.
  private static func file(_ shape: Shape, _ count: Int) -> Data {
    var directory = Bytes()
    let names = (0..<count).map { "name \($0)" }
    directory.text("many")
    func component(_ name: String, fields: [String]) {
      directory.text(name)
      directory.number(UInt32(1))
      directory.number(UInt8(2))
      directory.number(UInt32(0))
      directory.number(UInt32(fields.count))
      for field in fields {
        directory.text(field)
        directory.number(UInt8(5))
        directory.number(UInt32(0))
      }
    }
    var blocks: [[UInt8]] = []
    func order(_ position: Int) -> [UInt8] {
      var bytes = Bytes()
      bytes.number(UInt32(position))
      return bytes.all
    }
    let entities = shape == .components ? count : shape == .fields ? 1 : 0
    directory.number(UInt32(shape == .components ? count : shape == .fields ? 1 : 0))
    switch shape {
    case .components: for name in names { component(name, fields: []) }
    case .fields: component("one", fields: names)
    case .relations: break
    }
    directory.number(UInt32(entities))
    directory.number(UInt32(entities))
    for entity in 0..<entities {
      directory.number(UInt32(1))
      directory.number(UInt32(1))
      directory.number(UInt32(entity))
      blocks.append(order(entity))
      if shape == .fields { blocks += names.map { _ in [7] } }
    }
    directory.number(UInt32(shape == .relations ? count : 0))
    if shape == .relations {
      for name in names {
        directory.text(name)
        directory.number(UInt32(0))
        blocks.append([])
      }
    }
    var file = Bytes()
    directory.number(UInt32(blocks.count))
    file.all = [UInt8](repeating: 0, count: 64)
    for block in blocks {
      file.align()
      directory.number(UInt64(file.all.count))
      directory.number(UInt64(block.count))
      // Repaired in the end, which would take 0 for the number of blocks.
      directory.number(UInt64.max)
      file.all += block
    }
    file.align()
    var head = Bytes()
    head.all = Array("ECSSNAP1".utf8)
    head.number(UInt32(1))
    head.number(UInt32(0))
    head.number(UInt64(file.all.count + directory.all.count))
    head.number(UInt64(file.all.count))
    head.number(UInt64(directory.all.count))
    file.all.replaceSubrange(0..<head.all.count, with: head.all)
    file.all += directory.all
    Checksum.repair(&file.all)
    return Data(file.all)
  }

  private static func phases(_ shape: Shape, _ data: Data) throws -> [Double] {
    let schema = try Schema("many") { Stored(of: Chosen(), as: "chosen") }
    var times: [Double] = []
    func measure<Result>(_ body: () throws -> Result) throws -> Result {
      let start = ThreadTime.now
      defer { times.append(ThreadTime.now - start) }
      return try body()
    }
    let snapshot = try measure { try Snapshot(data) }
    let context = Context()
    _ = try measure { try snapshot.restore(into: context, schema, unknown: .keep) }
    let again = try measure { try context.snapshot(schema) }
    expectEqual(again.entityCount, snapshot.entityCount)
    if shape != .relations {
      expectEqual(again.componentNames.count, snapshot.componentNames.count + 1)
    }
    return times
  }

  @Test(arguments: [0, 1, 2])
  func `time grows with the number of names`(shape: Int) throws {
    let shape = Shape.allCases[shape]
    var files: [Int: Data] = [:]
    let exponents = Growth.exponents(from: Effort.full(2000, debug: 300), rounds: 6) { count in
      let data = files[count] ?? Self.file(shape, count)
      files[count] = data
      do {
        return try Self.phases(shape, data)
      } catch {
        Issue.record("\(error)")
        return [0]
      }
    }
    for (phase, exponent) in exponents.enumerated() {
      expectLessThan(exponent, 1.6, "\(shape), phase \(phase)")
    }
  }
}

private struct Bytes {
  var all: [UInt8] = []

  mutating func number<Value: FixedWidthInteger>(_ value: Value) {
    for byte in 0..<Value.bitWidth / 8 {
      all.append(UInt8(truncatingIfNeeded: value >> Value(8 * byte)))
    }
  }

  mutating func text(_ text: String) {
    number(UInt32(text.utf8.count))
    all += Array(text.utf8)
  }

  mutating func align() { while all.count % 64 != 0 { all.append(0) } }
}
