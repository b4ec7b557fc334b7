import ECS
import ECSHistory
import ECSTestSupport
import Testing

@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct HistoryRaceTests {
  @Test func `threads make steps, undo, redo and change at once`() throws {
    let context = Context()
    let history = UndoHistory(context, of: Health.self, Name.self, limit: .steps(20))
    let flight = FlightRecorder(context, memory: 50_000)
    let entities = (0..<16).map { context.createEntity(with: Health(points: Int32($0))) }
    let announced = Tally()
    let token = history.observe { history in announced.add(history.canUndo ? 1 : 0) }
    Threads.run { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<Effort.raceSteps {
        let entity = entities[random.below(entities.count)]
        switch random.below(16) {
        case 0..<4: history.group("Set") { _ = entity.set(Health(points: Int32(step))) }
        case 4:
          let made = history.group("Make") { context.createEntity(with: Name("\(step)")) }
          if random.oneIn(2) { history.group("Drop") { made.destroy() } }
        case 5..<8: _ = try? history.undo(random.oneIn(2) ? .refuse : .overwrite)
        case 8..<10: _ = try? history.redo(random.oneIn(2) ? .refuse : .overwrite)
        case 10: history.coalesce("Piece", within: .seconds(1)) { _ = entity.set(Name("a")) }
        case 11..<15: entity.set(Health(points: -Int32(thread)))
        default:
          _ = history.undoName
          if step % 256 == 0 { _ = flight.why(entity, Health.self).first?.line }
        }
      }
    }
    token.cancel()
    expectTrue(
      history.undoNames.count + history.redoNames.count <= 20 && flight.byteCount <= 50_000)
    while try history.undo(.overwrite) != nil {}
    history.removeAll()
    expectTrue(history.keptEntityCount == 0 && history.byteCount == 0)
    expectTrue(entities.allSatisfy(\.isAlive) && announced.value > 0)
  }

  @Test func `a recording is of one moment`() throws {
    let context = Context()
    let flight = FlightRecorder(context, memory: 200_000)
    let entity = context.createEntity()
    let first = try #require(flight.commits.first?.number)
    Threads.run { thread in
      for step in 0..<Effort.raceSteps {
        guard thread == 0, step % 256 == 0 else {
          entity.set(Health(points: Int32(step)))
          continue
        }
        let recording = flight.recording()
        let commits = Set(recording.lines.map(\.commit))
        guard let last = commits.max() else { continue }
        guard last - first + 1 != commits.count + recording.droppedCommits else { continue }
        Issue.record(
          "\(recording.droppedCommits) dropped, \(commits.count) kept of \(last - first + 1)")
        return
      }
    }
  }

  @Test func `threads change a context whose run is recorded, and replayed`() throws {
    let context = Context()
    let entities = (0..<8).map { context.createEntity(with: ReplayWorld.Value(value: $0)) }
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    Threads.run { thread in
      let entity = entities[thread]
      // The loops of two threads work on what nothing else changes, so that they can be replayed.
      let loop = Loop(
        name: "loop \(thread)",
        systems: [
          ClosureExecuteSystem("Add") { entity.update(ReplayWorld.Value.self) { $0.value += 1 } }
        ], logger: recorder)
      for step in 0..<Effort.raceSteps {
        if step % 64 != 0 {
          _ = entity.get(ReplayWorld.Value.self)
        } else if thread < 2 {
          loop.execute()
        } else {
          entity.set(ReplayWorld.Text(text: "\(step)"))
        }
        if step % 8_192 == thread { _ = try? recorder.recording() }
      }
    }
    let recording = try recorder.recording()
    expectEqual(Set(recording.loops), ["loop 0", "loop 1"])
    for number in 0..<2 {
      let copy = Context()
      let replay = try Replay(recording, into: copy, try ReplayWorld.schema())
      let entity = copy.group(ReplayWorld.Value.matcher).sorted()[number]
      let loop = Loop(
        name: "loop \(number)",
        systems: [
          ClosureExecuteSystem("Add") { entity.update(ReplayWorld.Value.self) { $0.value += 1 } }
        ])
      try replay.run(loop)
      expectEqual(ReplayWorld.digest(copy), ReplayWorld.digest(context))
    }
  }

  @Test func `threads change contexts, log what they do and ask`() throws {
    let contexts = [Context(name: "one"), Context(name: "other")]
    let log = EventLog(contexts, capacity: 500, key: { $0.get(Name.self)?.text })
    let query = try EventQuery(#"events where any(key:a info:"note" tick:3..) none(system:S1)"#)
    let entities = contexts.map { $0.createEntity(with: Name("a")) }
    Threads.run { thread in
      let entity = entities[thread % 2]
      for step in 0..<Effort.raceSteps {
        switch step % 8 {
        case 0: log.info("note \(step % 50)", entity: entity)
        case 1: log.willExecute("S\(thread)")
        case 2: log.didExecute("S\(thread)")
        default: entity.set(Health(points: Int32(step)))
        }
        if step % 1_024 == thread { _ = log.query(query, limit: 5) }
      }
    }
    expectTrue(log.count == 500 && log.nameCount < 1_000)
    expectEqual(log.droppedEvents + 500, UInt64(8 * Effort.raceSteps + 4))
    withExtendedLifetime(contexts) {}
  }
}
