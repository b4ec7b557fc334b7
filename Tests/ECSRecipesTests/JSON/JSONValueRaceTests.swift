import ECSRecipes
import ECSTestSupport
import Testing

/// Eight threads on copies of one value.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct JSONValueRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  @Test func `Threads read a value and change copies of it`() {
    let shared: JSONArray = [1, ["a": [2, 3], "b": "x"], [[4]]]
    let wrong = Tally()
    Threads.run(Self.threads) { thread in
      for step in 0..<Self.steps {
        var copy = shared
        switch step % 4 {
        case 0:
          copy[0] = .number(JSONNumber(thread))
          if copy[0].number?.int != thread { wrong.add() }
        case 1:
          copy.append("new")
          if copy.count != 4 { wrong.add() }
        case 2:
          guard case .object(var object) = copy[1] else { return wrong.add() }
          object["b"] = .number(JSONNumber(thread))
          if object["b"]?.number?.int != thread { wrong.add() }
        default: if copy[1]["a"]?[1]?.number?.int != 3 { wrong.add() }
        }
      }
    }
    expectEqual(shared, [1, ["a": [2, 3], "b": "x"], [[4]]])
    expectEqual(wrong.value, 0)
  }
}
