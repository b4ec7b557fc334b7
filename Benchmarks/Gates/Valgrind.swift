import CAllocationCounter
import Foundation

/// Counts the instructions of what this program does, in a process of its own below valgrind.
///
/// One process counts everything, since starting takes longer than most of what is counted: it reads
/// what to run, a line each, and says when it has been.
final class Valgrind {
  /// Nil if valgrind, or what else it takes, is not installed or does not work here.
  // Used on one thread.
  @safe nonisolated(unsafe) static let shared = Valgrind()

  private static let fewRounds = 2
  private static let manyRounds = 4

  /// What makes this program count; see `serve(_:)`.
  static let option = "--serve"

  private static let readiness = "ready"

  /// What the process writes: a copy of this program without debug information, which older valgrinds
  /// stumble over, and counts.
  private let folder: URL
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// How many counts it has written.
  private var countCount = 0

  /// What was counted before: what breaks one gate breaks others, too.
  private var counts: [[String]: Int] = [:]

  private init?() {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "gates-\(UUID())")
    guard let valgrind = Valgrind.find("valgrind"), let strip = Valgrind.find("strip"),
      let original = Bundle.main.executablePath,
      (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false))
        != nil
    else { return nil }
    let program = folder.appending(path: "gates").path
    guard Valgrind.run(strip, ["--strip-debug", "-o", program, original]),
      start(valgrind, program), answer() == Valgrind.readiness
    else {
      end()
      return nil
    }
  }

  /// Ends the process, and removes what it has written.
  func end() {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.waitUntilExit() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// What a round takes of what some arguments name; nil if it can't be run.
  ///
  /// Some more rounds are counted in one run than in another, so that what comes before and after
  /// them, which is the same in both, doesn't count; and a third time before, so that what is done
  /// once for a process doesn't, either.
  func instructionsOfRound(_ arguments: [String]) -> Int? {
    if let count = counts[arguments] { return count }
    try? input.fileHandleForWriting.write(
      contentsOf: Data((arguments.joined(separator: " ") + "\n").utf8))
    guard answer() == Valgrind.readiness, nextCount() != nil, let few = nextCount(),
      let many = nextCount()
    else { return nil }
    let count = (many - few) / (Valgrind.manyRounds - Valgrind.fewRounds)
    counts[arguments] = count
    return count
  }

  /// What runs below valgrind: what each line names, with a number of rounds.
  static func serve(_ run: (_ arguments: [String], _ rounds: Int) -> Bool) {
    // Valgrind ends a count where this function ends.
    counting_ends()
    repeat {
      try? FileHandle.standardOutput.write(contentsOf: Data("\(readiness)\n".utf8))
      guard let line = readLine() else { return }
      let arguments = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      for rounds in [1, fewRounds, manyRounds] {
        guard run(arguments, rounds) else { exit(64) }
        counting_ends()
      }
    } while true
  }

  private static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    guard
      let process = try? Process.run(
        URL(fileURLWithPath: program), arguments: arguments, terminationHandler: nil)
    else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private func start(_ valgrind: String, _ program: String) -> Bool {
    process.executableURL = URL(fileURLWithPath: valgrind)
    process.arguments = [
      "--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder.path)/count",
      "--dump-after=counting_ends", program, Valgrind.option,
    ]
    // Hash seeds that differ would make the counts differ.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    // Writing to a process that has ended is an error, and not the end of this one.
    signal(SIGPIPE, SIG_IGN)
    guard (try? process.run()) != nil else { return false }
    // What is counted before the first run.
    countCount = 1
    return true
  }

  /// The next line that the process prints; nil if it has ended.
  private func answer() -> String? {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first {
      if first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(first)
    }
    return nil
  }

  /// The number of instructions of the next count.
  private func nextCount() -> Int? {
    countCount += 1
    let file = folder.appending(path: "count.\(countCount)")
    defer { try? FileManager.default.removeItem(at: file) }
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").last { $0.hasPrefix("totals: ") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}
