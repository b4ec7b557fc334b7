import Foundation

/// This program once more, with other arguments.
///
/// Started through the shell rather than by `Process`, whose leftovers a leak check takes for leaks.
enum WorkerProcess {
  /// What came of a run.
  enum Outcome {
    case output(Foundation.Data)
    case failure(String)
  }

  /// Runs to the end and returns what was written to standard output.
  static func run(_ arguments: [String]) -> Outcome {
    guard let program = Bundle.main.executablePath else { return .failure("has no path") }
    let command = ([program] + arguments).map(quoted).joined(separator: " ")
    guard let file = popen("exec \(command)", "r") else { return .failure("did not start") }
    var output = Foundation.Data()
    while case let byte = getc(file), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
    let status = pclose(file)
    let signal = status & 0x7f
    if signal != 0 { return .failure("ended with signal \(signal)") }
    if status != 0 { return .failure("ended with status \(status >> 8 & 0xff)") }
    return .output(output)
  }

  private static func quoted(_ argument: String) -> String {
    "'\(argument.replacingOccurrences(of: "'", with: #"'\''"#))'"
  }
}
