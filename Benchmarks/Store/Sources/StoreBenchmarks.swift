import Foundation

/// Measures stores beside GRDB and the C API: `store-benchmarks [--rounds N] [--n N] [--filter TEXT]`.
@main
enum StoreBenchmarks {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("store-benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    let rounds = try number("--rounds", arguments) ?? 11
    let n = try number("--n", arguments) ?? 100_000
    let filter = try text("--filter", arguments) ?? ""
    let workspace = try Workspace()
    let rows: [(String, () throws -> Row)] = [
      ("K1", { .savingNew(.one, n, workspace) }),
      ("K1.parts", { .savingNew(.three, n, workspace) }),
      ("K2", { try .savingDirty(.one, isScattered: false, n, workspace) }),
      ("K2.parts", { try .savingDirty(.three, isScattered: false, n, workspace) }),
      ("K2.scattered", { try .savingDirty(.one, isScattered: true, n, workspace) }),
      ("K3", { try .loading(.one, n, workspace) }),
      ("K3.parts", { try .loading(.three, n, workspace) }),
      ("K4", { try .refreshing(n, workspace) }),
      ("K5", { try .savingNothing(n, workspace) }),
      ("K6", { .holdingLock(n, workspace) }),
    ]
    print(
      line("row", "contender", "min", "median", "wall min", "unit", "times", "goal", "workload"))
    var count = 0
    for (id, make) in rows where filter.isEmpty || id.hasPrefix(filter) {
      try show(try make(), rounds)
      count += 1
    }
    if count == 0 { throw BenchmarkFailure("no row begins with \(filter)") }
  }

  private static func show(_ row: Row, _ rounds: Int) throws {
    var samples = row.contenders.map { _ in Samples() }
    for round in -1..<rounds {
      for (number, contender) in row.contenders.enumerated() {
        // The first one warms up.
        var unused = Samples()
        let prepared = try contender.makeRound(round + 1)
        if round < 0 {
          try unused.measure(prepared)
        } else {
          try samples[number].measure(prepared)
        }
      }
    }
    let scale = 1 / Double(max(1, row.operations))
    for (number, contender) in row.contenders.enumerated() {
      let sample = samples[number]
      var (times, goal) = ("", "")
      if let (other, limit) = contender.goal,
        let base = row.contenders.firstIndex(where: { $0.name == other })
      {
        times = String(format: "%.2f", sample.minimum / samples[base].minimum)
        goal = String(format: "%.2f × ", limit) + other
      }
      print(
        line(
          number == 0 ? row.id : "", contender.name, figure(sample.minimum * scale),
          figure(sample.median * scale), figure(sample.wallMinimum * scale), "ns/\(row.unit)",
          times, goal, number == 0 ? row.title : ""))
    }
  }

  private static func figure(_ value: Double) -> String { String(format: "%.0f", value) }

  private static func line(_ cells: String...) -> String {
    let widths = [13, 24, 7, 7, 9, 16, 7, 20]
    return cells.enumerated().map { number, cell in
      let width = number < widths.count ? widths[number] : 0
      return cell + String(repeating: " ", count: max(1, width - cell.count))
    }.joined()
  }

  private static func text(_ option: String, _ arguments: [String]) throws -> String? {
    guard let place = arguments.firstIndex(of: option) else { return nil }
    guard place + 1 < arguments.count else { throw BenchmarkFailure("\(option) needs a value") }
    return arguments[place + 1]
  }

  private static func number(_ option: String, _ arguments: [String]) throws -> Int? {
    guard let text = try text(option, arguments) else { return nil }
    guard let number = Int(text), number > 0 else {
      throw BenchmarkFailure("\(option) needs a number above 0")
    }
    return number
  }
}
