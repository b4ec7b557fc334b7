import Foundation

/// Counts the instructions of this program, run once more with other arguments.
struct Valgrind {
  private let executable: URL

  /// Finds valgrind; nil if it is not installed.
  init?() {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let candidates = path.split(separator: ":").map { "\($0)/valgrind" }
    guard let found = candidates.first(where: FileManager.default.isExecutableFile(atPath:))
    else { return nil }
    executable = URL(fileURLWithPath: found)
  }

  /// The number of instructions of a run; nil if there was none.
  func instructions(_ arguments: [String]) -> Int? {
    guard let program = Bundle.main.executablePath else { return nil }
    let process = Process()
    process.executableURL = executable
    process.arguments =
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", program] + arguments
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
