import Foundation

/// Counts what has to hold on every machine, and fails if a count is wrong.
///
/// It also fails if a gate does not notice that its property is broken.
@main
enum GatesProgram {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.isEmpty { return judgeAll() }
    guard arguments.count == 4, arguments[0] == "--count",
      let program = Gate.CountedProgram(rawValue: arguments[1]),
      let audience = Gate.Audience(rawValue: arguments[2]), let rounds = Int(arguments[3]),
      rounds > 0
    else {
      print("Usage: swift run -c release gates")
      exit(64)
    }
    Gate.run(program, audience, rounds: rounds)
  }

  private static func judgeAll() {
    var failures = 0
    for (name, gates) in [
      ("Allocations", Gate.allocations), ("Notifications", Gate.notifications),
      ("Matcher evaluations", Gate.evaluations), ("Instructions", Gate.instructions),
    ] {
      print(name)
      for gate in gates {
        let verdict = gate.judge()
        if verdict.isFailure { failures += 1 }
        print("  \(gate.report(verdict))")
      }
    }
    if failures > 0 {
      print("\(failures) failed.")
      exit(1)
    }
  }
}
