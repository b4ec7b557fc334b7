import Dispatch
import ECS
import ECSRecipes
import ECSSnapshots
import Foundation
import Synchronization

extension Benchmark {
  /// Saving a context and restoring it: entities with two components of 8 bytes each.
  static var snapshots: [Benchmark] {
    besideSnapshots + [
      row("N1", "take a snapshot, with checksums, in memory", .kept, SnapshotWorld.filled) {
        $0.take()
      },
      row(
        "N1.bare", "copy the same bytes to fresh memory, for comparison", .kept,
        SnapshotWorld.saved
      ) {
        $0.copy()
      },
      row("N2", "read it from memory and restore it", .fresh, SnapshotWorld.saved) {
        $0.restore()
      },
      row(
        "N2.bare", "fill fresh memory for as many entities, for comparison", .kept,
        SnapshotWorld.saved
      ) {
        $0.fill()
      },
      row("N3", "write it to a file, brought to the disk", .kept, SnapshotWorld.saved) {
        $0.writeFile()
      },
      row(
        "N3.bare", "write the same bytes to a file, brought to the disk, for comparison", .kept,
        SnapshotWorld.saved
      ) {
        $0.writeBytes()
      },
      row("N3.load", "read it from a file and restore it", .fresh, SnapshotWorld.savedToFile) {
        $0.restoreFile()
      },
      row("N4", "write it as lines of JSON", .kept, SnapshotWorld.saved, sizes: [standardSize]) {
        $0.writeText()
      },
      row("N4.load", "read lines of JSON", .kept, SnapshotWorld.savedAsText, sizes: [standardSize])
      {
        $0.readText()
      },
      Benchmark(
        "N5", "take a snapshot of names of 32 letters, in memory", sizes: [standardSize],
        ecs: Workload(
          plain: .kept, setUp: NamesWorld.filled, run: { $0.take() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "N5.load", "read names of 32 letters from memory and restore them", sizes: [standardSize],
        ecs: Workload(
          plain: .fresh, setUp: NamesWorld.saved, run: { $0.restore() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      merge("N6", "merge it by keys into a context without entities", .fresh) { MergeWorld($0) },
      merge("N6.more", "merge it by keys into a context that has as many others", .fresh) {
        MergeWorld($0, others: $0)
      },
    ]
  }

  private static var besideSnapshots: [Benchmark] {
    [
      longest("NW", "replace one component") { $0.set(Position(x: 1, y: 2)) },
      longest("NW.get", "read one component") { _ = $0.get(Position.self) },
    ]
  }

  private static func longest(
    _ id: String, _ title: String, _ call: @escaping @Sendable (Entity) -> Void
  ) -> Benchmark {
    Benchmark(
      id, title + " without a break: the longest call beside a snapshot takes",
      .nanoseconds(per: "call"), sizes: [largeSize], operations: { _ in 1 },
      ecs: Workload(0.5, of: { SnapshotWorld.filled($0).longestCalls(call) }))
  }

  private static func merge(
    _ id: String, _ title: String, _ lifetime: Workload.Lifetime,
    _ setUp: @escaping (Int) -> MergeWorld
  ) -> Benchmark {
    Benchmark(
      id, title, sizes: [standardSize, largeSize],
      ecs: Workload(
        plain: lifetime, setUp: setUp, run: { $0.merge() },
        check: { world, count in Checksum(count, expected: Double(world.n)) }))
  }

  private static func row(
    _ id: String, _ title: String, _ lifetime: Workload.Lifetime,
    _ setUp: @escaping (Int) -> SnapshotWorld, sizes: [Int] = [largeSize],
    _ run: @escaping (SnapshotWorld) -> Double
  ) -> Benchmark {
    Benchmark(
      id, title, sizes: sizes,
      ecs: Workload(
        plain: lifetime, setUp: setUp, run: run,
        check: { world, count in Checksum(count, expected: Double(world.n)) }))
  }
}

/// A context that is saved, and what was saved.
final class SnapshotWorld {
  let n: Int
  let schema: Schema
  let context = Context()
  private let target = Context()
  private var snapshot: Snapshot?
  private var data = Foundation.Data()
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("ecs-benchmark-\(UUID()).ecs")

  init(_ n: Int) {
    self.n = n
    let schema = try? Schema(
      "benchmark",
      {
        Stored(of: Position(x: 0, y: 0), as: "position") {
          Field(\.x, at: "x")
          Field(\.y, at: "y")
        }
        Stored(of: Velocity(dx: 0, dy: 0), as: "velocity") {
          Field(\.dx, at: "dx")
          Field(\.dy, at: "dy")
        }
      })
    guard let schema else { fatalError("The schema of the benchmarks is not valid.") }
    self.schema = schema
  }

  deinit { try? FileManager.default.removeItem(at: file) }

  static func filled(_ n: Int) -> SnapshotWorld {
    let world = SnapshotWorld(n)
    for i in 0..<n { world.context.createEntity(with: Seed.position(i), Seed.velocity) }
    return world
  }

  static func saved(_ n: Int) -> SnapshotWorld {
    let world = filled(n)
    world.snapshot = try? world.context.snapshot(world.schema)
    world.data = world.snapshot?.data ?? Foundation.Data()
    return world
  }

  static func savedToFile(_ n: Int) -> SnapshotWorld {
    let world = saved(n)
    _ = world.writeFile()
    return world
  }

  static func savedAsText(_ n: Int) -> SnapshotWorld {
    let world = saved(n)
    if let text = try? world.snapshot?.json(world.schema) { world.data = text }
    return world
  }

  func writeText() -> Double {
    // Behind the head, a line for each entity; counted at once, since that is part of the time.
    let text = (try? snapshot?.json(schema)) ?? Foundation.Data()
    var lines = -1
    unsafe text.withUnsafeBytes { text in
      for unsafe(byte) in unsafe text where byte == UInt8(ascii: "\n") { lines += 1 }
    }
    return Double(lines)
  }

  func readText() -> Double {
    Double((try? Snapshot(json: data, schema))?.entityCount ?? 0)
  }

  func take() -> Double { Double((try? context.snapshot(schema))?.entityCount ?? 0) }

  /// How long the longest of the calls takes that another thread makes while a snapshot is taken,
  /// for each of some.
  func longestCalls(_ call: @Sendable (Entity) -> Void) -> [Double] {
    let (context, schema, entities) = (context, schema, Array(context.entities()))
    let longest = Mutex([Double](repeating: 0, count: 16))
    // The number of the snapshot that is being taken; -1 between two, and -2 when all are.
    let taken = Atomic(-1)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      guard thread == 0 else {
        var place = 0
        while taken.load(ordering: .acquiring) != -2 {
          place = (place + 7919) % entities.count
          let before = taken.load(ordering: .acquiring)
          let time = ContinuousClock().measure { call(entities[place]) } / .nanoseconds(1)
          let number = max(before, taken.load(ordering: .acquiring))
          if number >= 0 { longest.withLock { $0[number] = max($0[number], time) } }
        }
        return
      }
      for number in 0..<16 {
        // Starting the other thread takes its time, too.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
        taken.store(number, ordering: .releasing)
        // The other thread may have to wait for a processor.
        while longest.withLock({ $0[number] }) == 0 {}
        _ = try? context.snapshot(schema)
        taken.store(-1, ordering: .releasing)
      }
      taken.store(-2, ordering: .releasing)
    }
    return longest.withLock(\.self)
  }

  func restore() -> Double {
    let report = try? Snapshot(data).restore(into: target, schema)
    return Double(report?.created ?? 0)
  }

  func copy() -> Double {
    let bytes = [UInt8](data)
    return bytes.last == data.last ? Double(n) : 0
  }

  /// Fills what contexts take for an entity: two components of 8 bytes, and 24 to tell where it is.
  func fill() -> Double {
    let bytes = [UInt8](repeating: 1, count: n * 40)
    return bytes.last == 1 ? Double(n) : 0
  }

  func writeFile() -> Double {
    guard let snapshot, (try? snapshot.write(to: file)) != nil else { return 0 }
    return Double(snapshot.entityCount)
  }

  func writeBytes() -> Double {
    guard (try? data.write(to: file)) != nil, let handle = try? FileHandle(forUpdating: file),
      (try? handle.synchronize()) != nil
    else {
      return 0
    }
    return Double(n)
  }

  func restoreFile() -> Double {
    let report = try? Snapshot(contentsOf: file).restore(into: target, schema)
    return Double(report?.created ?? 0)
  }
}

private struct Label: Component { var text = "" }

/// A context of names that are too long for the memory of a string itself.
private final class NamesWorld {
  let n: Int
  private let schema: Schema
  private let context = Context()
  private let target = Context()
  private var data = Foundation.Data()

  init(_ n: Int) {
    self.n = n
    let schema = try? Schema(
      "benchmark", { Stored(of: Label(), as: "label") { Field(\.text, at: "text") } })
    guard let schema else { fatalError("The schema of the benchmarks is not valid.") }
    self.schema = schema
  }

  static func filled(_ n: Int) -> NamesWorld {
    let world = NamesWorld(n)
    for i in 0..<n {
      let number = String(1_000_000_000 + i)
      world.context.createEntity(with: Label(text: "the name of something: " + number.dropFirst()))
    }
    return world
  }

  static func saved(_ n: Int) -> NamesWorld {
    let world = filled(n)
    world.data = (try? world.context.snapshot(world.schema))?.data ?? Foundation.Data()
    return world
  }

  func take() -> Double { Double((try? context.snapshot(schema))?.entityCount ?? 0) }

  func restore() -> Double {
    let report = try? Snapshot(data).restore(into: target, schema)
    return Double(report?.created ?? 0)
  }
}

private struct Customer: Component {
  var id: Int
  var cents = 0
}

/// What a worker of a cluster does that takes a partition over: entities of two components, all with keys.
private final class MergeWorld {
  let n: Int
  private let schema: Schema
  private let target = Context()
  private let customers: PrimaryIndex<Customer, Int>
  private var data = Foundation.Data()

  init(_ n: Int, others: Int = 0) {
    self.n = n
    let schema = try? Schema(
      "benchmark",
      {
        Stored(of: Customer(id: 0), as: "customer") {
          Field(\.id, at: "id")
          Field(\.cents, at: "cents")
        }
        Stored(of: Velocity(dx: 0, dy: 0), as: "velocity") {
          Field(\.dx, at: "dx")
          Field(\.dy, at: "dy")
        }
      })
    guard let schema else { fatalError("The schema of the benchmarks is not valid.") }
    self.schema = schema
    customers = target.primaryIndex { (customer: Customer) in customer.id }
    for id in 0..<others { target.createEntity(with: Customer(id: 2 * id + 1), Seed.velocity) }
    let source = Context()
    for id in 0..<n { source.createEntity(with: Customer(id: 2 * id), Seed.velocity) }
    data = (try? Snapshot(of: Array(source.entities()), schema))?.data ?? Foundation.Data()
  }

  func merge() -> Double {
    let report = try? Snapshot(data).merge(into: target, schema, by: customers)
    return Double(report?.created ?? 0)
  }
}
