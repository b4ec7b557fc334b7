import ECS

/// A component that brings another one of 8 bytes.
private struct Bringing: Component {
  var v: Int64 = 0
  static var requires: Requirement { Brought() }
}

private struct Brought: Component { var v: Int64 = 0 }

/// A component that brings none.
private struct Alone: Component { var v: Int64 = 0 }

extension Gate {
  /// What takes as many instructions with required components as by hand.
  static var requirements: [Gate] {
    [
      Gate(
        name: "to set a component that brings another, beside setting both",
        unit: "% more instructions", allowed: -100...175,
        count: { countBringing(in: .nobody) },
        countBroken: { countBringing(in: .runningTransaction) })
    ]
  }

  private static func countBringing(in audience: Audience) -> Count {
    counting { valgrind in
      func count(_ program: CountedProgram, _ audience: Audience) -> Int? {
        valgrind.instructionsOfRound(["--count", program.rawValue, audience.rawValue])
      }
      guard let hand = count(.settingBoth, .nobody), let brought = count(.bringing, audience)
      else { return nil }
      return Int((Double(brought - hand) / Double(hand) * 100).rounded())
    }
  }

  /// Sets a component on entities that have neither it nor the one that it requires, and removes
  /// both.
  static func makeBringing(_ audience: Audience, byHand: Bool, rounds: Int) {
    let context = Context()
    let entities = context.createEntities(1000, with: Position(x: 0, y: 0))
    func makeRounds() {
      for _ in 0..<rounds {
        for entity in entities {
          if byHand {
            entity.set(Brought())
            entity.set(Alone())
          } else {
            entity.set(Bringing())
          }
        }
        for entity in entities {
          if byHand { entity.remove(Alone.self) } else { entity.remove(Bringing.self) }
          entity.remove(Brought.self)
        }
      }
    }
    if audience == .runningTransaction { context.transaction(makeRounds) } else { makeRounds() }
    precondition(entities.allSatisfy { !$0.has(Brought.self) }, "A component was not removed.")
  }
}
