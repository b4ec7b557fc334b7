import Foundation

/// Counts what has to hold on every machine, and fails if a count is wrong.
///
/// It also fails if a gate does not notice that its property is broken.
@main
enum GatesProgram {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments {
    case []: judgeAll()
    case [Valgrind.option]: Valgrind.serve(run)
    default:
      print("Usage: swift run -c release gates")
      exit(64)
    }
  }

  /// Does what is counted in a process of its own; false if there is no such thing.
  private static func run(_ arguments: [String], rounds: Int) -> Bool {
    guard arguments.count == 3 else { return false }
    let (option, program, variant) = (arguments[0], arguments[1], arguments[2])
    switch option {
    case "--count":
      guard let program = Gate.CountedProgram(rawValue: program),
        let audience = Gate.Audience(rawValue: variant)
      else { return false }
      Gate.run(program, audience, rounds: rounds)
    case "--count-recipes":
      guard let operation = RecipeGateWorld.Operation(rawValue: program),
        let form = RecipeGateWorld.Form(rawValue: variant)
      else { return false }
      do { try Gate.run(operation, form, rounds: rounds) } catch {
        print("\(error)")
        exit(1)
      }
    case "--count-history":
      guard let program = Gate.HistoryProgram(rawValue: program) else { return false }
      Gate.run(program, rounds: rounds)
    case "--count-merges":
      guard let way = Gate.MergeWay(rawValue: program) else { return false }
      do { try Gate.runMerges(way, rounds: rounds) } catch {
        print("\(error)")
        exit(1)
      }
    default: return false
    }
    return true
  }

  private static func judgeAll() {
    var failures = 0
    for (name, gates) in [
      ("Allocations", Gate.allocations), ("Notifications", Gate.notifications),
      ("Matcher evaluations", Gate.evaluations), ("Instructions", Gate.instructions),
      ("Required components", Gate.requirements),
      ("Histories", Gate.histories), ("Recipes", Gate.recipes), ("Merging", Gate.merges),
    ] {
      print(name)
      for gate in gates {
        let verdict = gate.judge()
        if verdict.isFailure { failures += 1 }
        print("  \(gate.report(verdict))")
      }
    }
    Valgrind.shared?.end()
    if failures > 0 {
      print("\(failures) failed.")
      exit(1)
    }
  }
}
