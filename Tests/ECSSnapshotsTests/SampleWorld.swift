import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation

struct Point: Component, Equatable {
  var x: Float = 0
  var y: Float = 0
}

struct Score: Component, Equatable {
  var points: Int32 = 0
  var isFinal = false
}

struct Book: Component, Equatable {
  var isbn = ""
  var title: String?
  var pages = 0
  var tags: [String] = []
  var published: Date?
  var id: UUID?
}

struct Likes: Component, Equatable {
  var best: Entity?
  var all: [Entity] = []
}

struct Chosen: Component, Equatable {}

struct Rules: Component, Codable, Equatable {
  enum Mode: String, Codable { case easy, hard }
  var mode = Mode.easy
  var limits: [String: Int] = [:]
}

struct Clock: UniqueComponent, Equatable { var seconds: Double = 0 }

struct Service: UniqueComponent { var name = "" }

struct Cache: Component { var count = 0 }

enum WrittenBy: ToOneRelation {}
enum Near: Relation {}

/// A schema with every kind of part.
func sampleSchema() throws -> Schema {
  try Schema("sample") {
    Stored(of: Point(), as: "point") {
      Field(\.x, at: "x")
      Field(\.y, at: "y")
    }
    Stored(of: Score(), as: "score") {
      Field(\.points, at: "points")
      Field(\.isFinal, at: "final")
    }
    Stored(of: Book(), as: "book") {
      Field(\.isbn, at: "isbn")
      Field(\.title, at: "title")
      Field(\.pages, at: "pages")
      Field(\.tags, at: "tags")
      Field(\.published, at: "published", as: .iso8601)
      Field(\.id, at: "id")
    }
    .identified(by: \.isbn)
    Stored(of: Likes(), as: "likes") {
      Field(\.best, at: "best")
      Field(\.all, at: "all")
    }
    Stored(of: Chosen(), as: "chosen")
    Stored(Rules.self, as: "rules")
    Stored(of: Clock(), as: "clock") { Field(\.seconds, at: "seconds") }
    Excluded(Service.self)
    Links(WrittenBy.self, as: "writtenBy")
    Links(Near.self, as: "near")
    Links(ChildOf.self, as: "childOf")
  }
}

/// A context that has some of everything, depending on a seed.
func sampleWorld(seed: UInt64, count: Int = 40) -> Context {
  var random = SplitMix64(seed: seed)
  let context = Context(name: "sample")
  var entities: [Entity] = []
  for number in 0..<count {
    let entity = context.createEntity()
    entities.append(entity)
    if random.oneIn(2) { entity.set(Point(x: Float(number) / 3, y: -.infinity)) }
    if random.oneIn(3) { entity.set(Score(points: Int32(number), isFinal: random.oneIn(2))) }
    if random.oneIn(2) {
      entity.set(
        Book(
          isbn: "isbn \(number)", title: random.oneIn(2) ? "Tïtle \(number)" : nil,
          pages: random.below(1000), tags: (0..<random.below(3)).map { "tag \($0)" },
          published: random.oneIn(2) ? Date(timeIntervalSince1970: Double(number)) : nil,
          id: random.oneIn(2)
            ? UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") : nil))
    }
    if random.oneIn(4) { entity.set(Chosen()) }
    if random.oneIn(5) {
      entity.set(Rules(mode: random.oneIn(2) ? .hard : .easy, limits: ["a": number]))
    }
  }
  for entity in entities {
    let other = entities[random.below(count)]
    if random.oneIn(4) {
      entity.set(Likes(best: random.oneIn(2) ? other : nil, all: [entity, other]))
    }
    if random.oneIn(3) { entity.relate(WrittenBy.self, to: other) }
    if random.oneIn(2) { entity.relate(Near.self, to: other) }
    if random.oneIn(3) { try? entity.setParent(other) }
  }
  for entity in entities where random.oneIn(10) { entity.destroy() }
  context.setUniqueComponent(Clock(seconds: 12.5))
  context.setUniqueComponent(Service(name: "live"))
  return context
}

/// Everything that a snapshot keeps, as text: entities are their places in the order of creation.
func picture(of context: Context) -> String {
  context.perform {
    let entities = context.entities().filter { !$0.has(Service.cid) }
    var places: [Entity: Int] = [:]
    for (place, entity) in entities.enumerated() { places[entity] = place }
    func place(_ entity: Entity) -> String { places[entity].map { "\($0)" } ?? "nobody" }
    var lines: [String] = []
    for entity in entities {
      var line = place(entity)
      if let value = entity.get(Point.self) { line += " \(value)" }
      if let value = entity.get(Score.self) { line += " \(value)" }
      if let value = entity.get(Book.self) { line += " \(value)" }
      if let value = entity.get(Likes.self) {
        let all = value.all.filter { places[$0] != nil }.map(place)
        line += " likes \(value.best.flatMap { places[$0] }.map { "\($0)" } ?? "none") \(all)"
      }
      if entity.has(Chosen.cid) { line += " chosen" }
      if let value = entity.get(Rules.self) { line += " \(value.mode) \(value.limits)" }
      if let value = entity.get(Clock.self) { line += " \(value)" }
      line += " by \(entity.target(WrittenBy.self).map(place) ?? "none")"
      line += " wrote \(entity.sources(WrittenBy.self).map(place))"
      line +=
        " near \(entity.targets(Near.self).map(place)) \(entity.sources(Near.self).map(place))"
      line += " in \(entity.parent.map(place) ?? "none") has \(entity.children.map(place))"
      lines.append(line)
    }
    for type in [Point.cid, Score.cid, Book.cid, Chosen.cid] {
      lines.append("\(type.name): \(context.group(Matcher(all: [type])).map(place))")
    }
    return lines.joined(separator: "\n")
  }
}
