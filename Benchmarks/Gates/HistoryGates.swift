import ECS
import ECSHistory

extension Gate {
  /// What taking changes back, and recording them, costs beside the changes.
  static var histories: [Gate] {
    [
      instructions(
        "replace a component in a step of an undo history", of: .step, broken: .steps, atMost: 600),
      Gate(
        name: "to take a replaced component of a step back", unit: "instructions",
        allowed: 0...900,
        count: { countReturns(.stepBack, .step) },
        countBroken: { countReturns(.stepsBack, .steps) }),
      instructions(
        "make a step of one replaced component", of: .steps, broken: .largeSteps, atMost: 3450),
      Gate(
        name: "to take a step of one replaced component back", unit: "instructions",
        allowed: 0...6900,
        count: { countReturns(.stepsBack, .steps) },
        countBroken: { countReturns(.largeSteps, .steps) }),
      instructions(
        "replace a component under a flight recorder", of: .flight, broken: .namedFlight,
        atMost: 870),
      Gate(
        name: "for each replaced component of 8 bytes in a step", unit: "bytes", allowed: 0...48,
        count: { .of(bytes(of: .step)) }, countBroken: { .of(bytes(of: .steps)) }),
    ]
  }

  /// What is done below valgrind with the positions of a thousand entities.
  enum HistoryProgram: String {
    /// Replaces all in one step.
    case step

    /// The same, and takes it back.
    case stepBack

    /// Replaces each in a step of its own.
    case steps

    /// The same, and takes them back.
    case stepsBack

    /// Replaces each in a step that has others, too.
    case largeSteps

    /// Replaces each under a flight recorder.
    case flight

    /// The same, in sections with names.
    case namedFlight
  }

  private static let entityCount = 1000

  private static func instructions(
    _ name: String, of program: HistoryProgram, broken: HistoryProgram, atMost limit: Int
  ) -> Gate {
    func count(_ program: HistoryProgram) -> Count {
      counting { instructions(of: program, $0) }
    }
    return Gate(
      name: "to \(name)", unit: "instructions", allowed: 0...limit, count: { count(program) },
      countBroken: { count(broken) })
  }

  /// What a program takes more than another one.
  private static func countReturns(_ program: HistoryProgram, _ other: HistoryProgram) -> Count {
    counting { valgrind in
      guard let all = instructions(of: program, valgrind),
        let some = instructions(of: other, valgrind)
      else { return nil }
      return all - some
    }
  }

  private static func instructions(of program: HistoryProgram, _ valgrind: Valgrind) -> Int? {
    valgrind.instructionsOfRound(["--count-history", program.rawValue, "-"])
      .map { $0 / entityCount }
  }

  private static func bytes(of program: HistoryProgram) -> Int {
    let context = Context()
    let history = UndoHistory(context, of: Position.self)
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    run(program, entities, history, context)
    return history.byteCount / entityCount
  }

  /// What runs below valgrind.
  static func run(_ program: HistoryProgram, rounds: Int) {
    let context = Context()
    let isFlight = program == .flight || program == .namedFlight
    let flight = isFlight ? FlightRecorder(context) : nil
    let history = isFlight ? nil : UndoHistory(context, of: Position.self)
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    for _ in 0..<rounds { run(program, entities, history, context) }
    precondition(
      flight.map { $0.byteCount > 64 * entityCount }
        ?? (history?.canUndo ?? false || history?.canRedo ?? false), "Nothing was recorded.")
  }

  private static func run(
    _ program: HistoryProgram, _ entities: [Entity], _ history: UndoHistory?, _ context: Context
  ) {
    func replace(_ number: Int, _ entity: Entity) {
      entity.set(Position(x: Float(number), y: 2))
    }
    func replaceAll() {
      for (number, entity) in entities.enumerated() { replace(number, entity) }
    }
    switch program {
    case .step: history?.group("Move", replaceAll)
    case .stepBack:
      history?.group("Move", replaceAll)
      _ = try? history?.undo()
    case .steps, .stepsBack:
      for (number, entity) in entities.enumerated() {
        history?.group("Move") { replace(number, entity) }
        if program == .stepsBack { _ = try? history?.undo() }
      }
    case .largeSteps:
      for (number, entity) in entities.enumerated() {
        history?.group("Move") {
          for other in entities.prefix(100) { replace(number, other) }
          replace(number, entity)
        }
      }
    case .flight: replaceAll()
    case .namedFlight:
      for (number, entity) in entities.enumerated() {
        context.perform("move") { replace(number, entity) }
      }
    }
  }
}
