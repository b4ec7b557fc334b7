import Foundation

/// This program once more, with other arguments.
///
/// Started through the shell rather than by `Process`, whose leftovers a leak check takes for leaks.
/// Its standard input is a pipe that this process never writes to, and that ends with this process,
/// whatever ends it: so no worker goes on measuring in vain.
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
    guard lifeline >= 0 else { return .failure("got no standard input") }
    guard let file = unsafe popen("exec \(command)", "r") else { return .failure("did not start") }
    var output = Foundation.Data()
    while case let byte = unsafe getc(file), byte != EOF {
      output.append(UInt8(truncatingIfNeeded: byte))
    }
    let status = unsafe pclose(file)
    let signal = status & 0x7f
    if signal != 0 { return .failure("ended with signal \(signal)") }
    if status != 0 { return .failure("ended with status \(status >> 8 & 0xff)") }
    return .output(output)
  }

  /// Has this process end, as a worker, when the one that has started it is gone.
  static func endWithStarter() {
    var input = stat()
    // A worker that is started by hand has another input.
    guard unsafe fstat(STDIN_FILENO, &input) == 0, input.st_mode & S_IFMT == S_IFIFO else { return }
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while true {
        let count = unsafe read(STDIN_FILENO, &byte, 1)
        if count == 0 || (count < 0 && errno != EINTR) { _exit(EXIT_FAILURE) }
      }
    }
  }

  /// The other end of what becomes the standard input of this process and its workers.
  private static let lifeline: Int32 = {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0, dup2(ends[0], STDIN_FILENO) == STDIN_FILENO else { return -1 }
    close(ends[0])
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    return ends[1]
  }()

  private static func quoted(_ argument: String) -> String {
    "'\(argument.replacingOccurrences(of: "'", with: #"'\''"#))'"
  }
}
