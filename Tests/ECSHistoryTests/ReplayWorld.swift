import ECS
import ECSHistory
import ECSRecipes
import ECSSnapshots
import ECSTestSupport

/// A context in which random things happen, some of them by a loop, and what replays need of it.
// Guarded by the context: used in it and by one thread.
final class ReplayWorld: @unchecked Sendable {
  struct Value: Component, Equatable { var value: Int }
  struct Text: Component, Equatable { var text: String }
  struct Ref: Component, Equatable { var target: Entity? }
  struct Blob: Component, Codable { var parts: [String: Int] }
  struct Mark: Component {}
  struct Only: UniqueComponent, Equatable { var rank: Int }

  /// It is not recorded.
  struct Extra: Component { var value: Int }

  enum Likes: Relation {}
  enum In: ToOneRelation {}

  static func schema() throws -> Schema {
    try Schema("world") {
      Stored(of: Value(value: 0), as: "value") { Field(\.value, at: "value") }
      Stored(of: Text(text: ""), as: "text") { Field(\.text, at: "text") }
      Stored(of: Ref(target: nil), as: "ref") { Field(\.target, at: "target") }
      Stored(Blob.self, as: "blob")
      Stored(of: Mark(), as: "mark")
      Stored(of: Only(rank: 0), as: "only") { Field(\.rank, at: "rank") }
      Excluded(Extra.self)
      Links(Likes.self, as: "likes")
      Links(In.self, as: "in")
      Links(ChildOf.self, as: "childOf")
    }
  }

  let context = Context()
  private var entities: [Entity] = []

  // MARK: The program

  /// Whether entities have components that are not recorded: then groups have them in another
  /// order.
  var leavesOut = true

  /// Changes something, as code does that is no system.
  func change(_ random: inout SplitMix64) {
    let entity = any(&random)
    switch random.below(18) {
    case 0: entities.append(context.createEntity(with: Value(value: random.below(8))))
    case 1: entities.append(context.createEntity().set(Text(text: "new")))
    case 2:
      entities.append(
        context.createEntity(
          with: Ref(target: entity), Blob(parts: ["a": 1, "b": random.below(3)])))
    case 3: entities += context.createEntities(3, with: Value(value: 2), Mark())
    case 4: entity?.destroy()
    case 5, 6: entity?.set(Value(value: random.below(8)))
    case 7: entity?.set(Text(text: "\(random.below(3))"))
    case 8: entity?.set(Ref(target: any(&random)))
    case 9: entity?.remove(Value.self)
    case 10: entity?.set(Blob(parts: ["c": random.below(4), "d": 0, "e": 7]))
    case 11:
      switch random.below(3) {
      case 0: context.setUniqueComponent(Only(rank: random.below(3)))
      case 1: context.removeUniqueComponent(Only.self)
      default: entity?.set(Only(rank: 9))
      }
    case 12: if let target = any(&random) { entity?.relate(Likes.self, to: target) }
    case 13: if let target = any(&random) { entity?.relate(In.self, to: target) }
    case 14:
      switch random.below(3) {
      case 0: entity?.unrelate(Likes.self).unrelate(In.self)
      case 1: if let target = any(&random) { entity?.targets(Likes.self).insert(target, at: 0) }
      default: entity?.sources(Likes.self).reverse()
      }
    case 15: if let target = any(&random) { try? entity?.setParent(target) }
    case 16: if leavesOut { entity?.set(Extra(value: 1)) }
    default:
      _ = try? context.transaction {
        for _ in 0..<3 { change(&random) }
        if random.oneIn(2) { throw UndoWorld.Failure() }
      }
    }
  }

  private func any(_ random: inout SplitMix64) -> Entity? {
    entities.isEmpty ? nil : entities[max(0, entities.count - 1 - random.below(8))]
  }

  // MARK: What there is to see

  /// A copy in words of all that a schema names, the same in contexts that have the same.
  static func digest(_ context: Context) -> String {
    var all: [(number: UInt64, entity: Entity)] = []
    for entity in context.entities() {
      let components = entity.components()
      // Entities that have nothing that is recorded are left out.
      guard components.contains(where: { !($0 is Extra) }) else { continue }
      all.append((entity.creationNumber ?? 0, entity))
    }
    all.sort { $0.number < $1.number }
    var numbers: [Entity: Int] = [:]
    for (number, entry) in all.enumerated() { numbers[entry.entity] = number }
    // Which entities those were that are dead is no longer known.
    func name(_ entity: Entity) -> String { numbers[entity].map { "#\($0)" } ?? "-" }
    return all.map { entry in
      let entity = entry.entity
      var parts = [name(entity)]
      if let value = entity.get(Value.self) { parts.append("value \(value.value)") }
      if let text = entity.get(Text.self) { parts.append("text \(text.text)") }
      if let ref = entity.get(Ref.self) { parts.append("ref \(ref.target.map(name) ?? "-")") }
      if let blob = entity.get(Blob.self) {
        parts.append("blob \(blob.parts.sorted { $0.key < $1.key }.map { "\($0)\($1)" })")
      }
      if entity.has(Mark.self) { parts.append("mark") }
      if let only = entity.get(Only.self) { parts.append("only \(only.rank)") }
      // Links to what is not recorded aren't, either.
      let liked = entity.targets(Likes.self).filter { numbers[$0] != nil }
      for target in liked { parts.append("likes \(name(target))") }
      let liking = entity.sources(Likes.self).filter { numbers[$0] != nil }
      for source in liking { parts.append("liked by \(name(source))") }
      if let target = entity.target(In.self), numbers[target] != nil {
        parts.append("in \(name(target))")
      }
      if let parent = entity.parent, numbers[parent] != nil {
        parts.append("child of \(name(parent))")
      }
      return parts.joined(separator: ", ")
    }.joined(separator: "\n")
  }

  // MARK: The loop

  /// Tells texts of values, makes entities, destroys some.
  final class Tell: ReactiveSystem {
    let name = "Tell"
    let collector: Collector
    private let context: Context

    init(_ context: Context) {
      self.context = context
      collector = Collector(group: context.group(Value.matcher), type: .addedOrUpdated)
    }

    func execute(entities: EntitySet) {
      for entity in entities {
        guard let value = entity.get(Value.self)?.value else { continue }
        entity.set(Text(text: "is \(value)"))
        switch value {
        case 3:
          context.perform("spawn") {
            let child = context.createEntity(with: Ref(target: entity), Text(text: "child"))
            child.set(Blob(parts: ["of": value]))
            child.relate(In.self, to: entity)
          }
        case 5: entity.destroy()
        case 6: context.setUniqueComponent(Only(rank: value))
        case 7: context.removeUniqueComponent(Only.self)
        default: break
        }
      }
    }
  }

  /// Counts all values up.
  struct Count: ExecuteSystem, CleanupSystem {
    let name = "Count"
    let context: Context

    func execute() {
      context.group(Value.matcher).withEach { (_: Entity, value: inout Value) in
        if value.value < 6 { value.value += 1 }
      }
    }

    func cleanup() {
      for entity in context.group(Matcher(all: [Mark.cid, Text.cid])) { entity.remove(Mark.self) }
    }
  }

  static func loop(_ context: Context, logger: (any SystemLogger)? = nil) -> Loop {
    Loop(name: "sim", systems: [Tell(context), Count(context: context)], logger: logger)
  }

  /// Changes in response what the recorded run changes; no replay has it.
  func observe() -> Subscription {
    context.group(Matcher(all: [Text.cid])).observeChanges(.updated, name: "echo") { [context] in
      guard $0.new(Text.self)?.text == "is 4" else { return }
      $0.entity.set(Blob(parts: ["echo": 1]))
      context.createEntity(with: Mark(), Ref(target: $0.entity))
    }
  }
}
