import ECS
import ECSHistory
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

private struct Motor: Component, Equatable {
  var power = 0
  static var requires: Requirement { Requirement(Wheels(), whenRemoved: .cascades) }
}

private struct Wheels: Component, Equatable {
  var count = 4
  static var requires: Requirement { Frame() }
}

private struct Frame: Component, Equatable { var size = 7 }

/// Histories of components that bring others.
@Suite(.noHangs) struct RequirementHistoryTests {
  private let context = Context()

  private func history() -> UndoHistory {
    UndoHistory(context, of: Motor.self, Wheels.self, Frame.self)
  }

  @Test func `a step that brought components takes all of them away, and brings them again`() throws
  {
    let history = history()
    let entity = context.createEntity()
    history.group("Set") { entity.set(Motor(power: 3)) }
    try history.undo()
    expectTrue(entity.components().isEmpty)
    try history.redo()
    expectTrue(
      entity.get() == Motor(power: 3) && entity.get() == Wheels() && entity.get() == Frame())
  }

  @Test func `a step back completes nothing, and its removals do not spread`() throws {
    let history = history()
    let entity = context.createEntity(with: Motor())
    history.group("Free") { entity.remove(Frame.self) }
    history.group("Strip") { entity.remove(Motor.self).remove(Wheels.self) }
    try history.undo()
    expectTrue(entity.has(Motor.self) && entity.has(Wheels.self) && !entity.has(Frame.self))
    history.group("Destroy") { entity.destroy() }
    try history.undo()
    expectTrue(entity.has(Motor.self) && entity.has(Wheels.self) && !entity.has(Frame.self))
    try history.undo()
    expectEqual(entity.get(), Frame())
    let other = context.createEntity()
    history.group("Wheels") { other.set(Wheels(count: 3)) }
    other.set(Motor())
    #expect(throws: Never.self) { try history.undo() }
    expectTrue(other.get(Motor.self) == Motor() && !other.has(Wheels.self))
  }

  @Test func `a replay ends with what there was`() throws {
    let schema = try Schema("motors") {
      Stored(of: Motor(), as: "motor") { Field(\.power, at: "power") }
      Stored(of: Wheels(), as: "wheels") { Field(\.count, at: "count") }
      Stored(of: Frame(), as: "frame") { Field(\.size, at: "size") }
    }
    let bare = context.createEntity(with: Motor(power: 1))
    bare.remove(Frame.self)
    let recorder = try RunRecorder(context, schema)
    let later = context.createEntity(with: Motor(power: 2))
    later.remove(Frame.self)
    let third = context.createEntity()
    third.set(Motor(power: 3))
    third.remove(Frame.self)
    third.set(Wheels(count: 2))
    let copy = Context()
    let replay = try Replay(try recorder.recording(), into: copy, schema)
    try replay.seek(to: .end)
    expectTrue(copy.group(Motor.matcher).count == 3 && copy.group(Frame.matcher).isEmpty)
    try replay.seek(to: .start)
    expectTrue(copy.count == 1 && copy.group(Frame.matcher).isEmpty)
    try replay.seek(to: .end)
    expectTrue(copy.group(Wheels.matcher).count == 3 && copy.group(Frame.matcher).isEmpty)
  }

  @Test func `snapshots are restored and merged as they were saved`() throws {
    let schema = try Schema("motors") {
      Stored(of: Motor(), as: "motor") { Field(\.power, at: "power") }.identified(by: \.power)
      Stored(of: Wheels(), as: "wheels") { Field(\.count, at: "count") }
      Stored(of: Frame(), as: "frame") { Field(\.size, at: "size") }
    }
    for entity in context.createEntities(from: 0..<3, with: { Motor(power: $0) }) {
      entity.remove(Frame.self)
    }
    let snapshot = try context.snapshot(schema)
    let copy = Context()
    try snapshot.restore(into: copy, schema)
    expectTrue(copy.group(Wheels.matcher).count == 3 && copy.group(Frame.matcher).isEmpty)
    let target = Context()
    let motors = target.primaryIndex { (motor: Motor) in motor.power }
    let known = target.createEntity(with: Motor(power: 1))
    try snapshot.merge(into: target, schema, by: motors)
    expectTrue(target.count == 3 && Array(target.group(Frame.matcher)) == [known])
    // Nothing is made up that an earlier version of a schema left out.
    let early = try Schema("motors") {
      Stored(of: Motor(), as: "motor") { Field(\.power, at: "power") }
      Excluded(Wheels.self)
    }
    let old = Context()
    old.createEntity(with: Motor(power: 9))
    let late = Context()
    try old.snapshot(early).restore(into: late, early)
    expectTrue(late.group(Motor.matcher).count == 1 && late.group(Wheels.matcher).isEmpty)
  }
}
