import Dispatch
import Foundation
import Synchronization

/// Counts the instructions of this program, run once more with other arguments.
struct Valgrind {
  private let executable: URL

  /// A copy of this program without debug information, which older valgrinds stumble over.
  private let program: URL

  /// Finds valgrind and what else it takes; nil if that is not installed.
  init?() {
    guard let executable = Valgrind.find("valgrind"), let strip = Valgrind.find("strip"),
      let original = Bundle.main.executablePath
    else { return nil }
    self.executable = executable
    program = FileManager.default.temporaryDirectory
      .appending(path: "gates-\(ProcessInfo.processInfo.processIdentifier)")
    let process = Process()
    process.executableURL = strip
    process.arguments = ["--strip-debug", "-o", program.path, original]
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
  }

  private static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile(atPath:)).map { URL(fileURLWithPath: $0) }
  }

  /// Removes the copy of the program.
  func end() { try? FileManager.default.removeItem(at: program) }

  private static let fewRounds = 2
  private static let manyRounds = 4

  /// What was counted before: what breaks one gate breaks others, too.
  private static let counts = Mutex<[[String]: Int]>([:])

  /// What a round takes of this program, to which the number of rounds is given as well: some more of them in one
  /// process than in another, so that start and set-up, which are the same in both, don't count.
  func instructionsOfRound(_ arguments: [String]) -> Int? {
    if let count = Valgrind.counts.withLock({ $0[arguments] }) { return count }
    let count = counted(arguments)
    Valgrind.counts.withLock { $0[arguments] = count }
    return count
  }

  private func counted(_ arguments: [String]) -> Int? {
    let counts = Mutex<[Int: Int]>([:])
    let allRounds = [Valgrind.fewRounds, Valgrind.manyRounds]
    // Both at once: each process has one thread.
    DispatchQueue.concurrentPerform(iterations: allRounds.count) { position in
      let rounds = allRounds[position]
      let count = instructions(arguments + ["\(rounds)"])
      counts.withLock { $0[rounds] = count }
    }
    return counts.withLock { counts in
      guard let few = counts[Valgrind.fewRounds], let many = counts[Valgrind.manyRounds] else {
        return nil
      }
      return (many - few) / (Valgrind.manyRounds - Valgrind.fewRounds)
    }
  }

  /// The number of instructions of a run; nil if there was none.
  private func instructions(_ arguments: [String]) -> Int? {
    let process = Process()
    process.executableURL = executable
    process.arguments =
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path] + arguments
    // Hash seeds that differ would make the counts differ.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    let pipe = Pipe()
    process.standardError = pipe
    guard (try? process.run()) != nil else { return nil }
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    let line = output.split(separator: "\n").last { $0.contains("Collected : ") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}
