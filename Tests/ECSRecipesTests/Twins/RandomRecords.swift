import ECSRecipes
import ECSTestSupport

/// Random data for any recipe: mostly what it asks for, rarely what it refuses.
struct RandomRecords {
  var random: SplitMix64

  /// Data seldom is wrong, or never.
  let mayBeHostile: Bool

  private static let hostile: [JSONValue] = [
    .null, 1.5, "x", true, [], [:], ["id": 1], [.null], "7", -1, ["code": "x"], [[1]],
  ]

  mutating func record(for recipe: Recipe, depth: Int = 0) -> JSONValue {
    var data: JSONValue = recipe.fields.isEmpty ? [:] : .null
    for field in recipe.fields {
      // Keys and what is required are seldom left out.
      let isNeeded = field.isIdentity || field.isRequired
      guard !random.oneIn(isNeeded ? 12 : 3) else { continue }
      data.put(value(of: field), at: field.path.steps[...])
    }
    for relation in recipe.relations where !random.oneIn(3) && depth < 4 {
      data.put(related(relation, depth: depth + 1), at: relation.path.steps[...])
    }
    if data.object != nil, random.oneIn(4) { data.put(anything(), at: [.key("other")]) }
    if mayBeHostile, random.oneIn(40) { return anything() }
    if random.oneIn(3), let object = data.object {
      let entries = object.map { ($0.key, $0.value) }.shuffled(using: &random)
      data = .object(JSONObject(uniqueKeysWithValues: entries))
    }
    return data.isNull && recipe.fields.first?.path != .root ? [:] : data
  }

  private mutating func value(of field: RecipeField) -> JSONValue {
    if mayBeHostile, random.oneIn(40) { return anything() }
    if field.isOptional, random.oneIn(5) { return .null }
    switch field.expected {
    case "number", "integer": return .number(JSONNumber(random.below(4)))
    case "string": return .string("\(random.below(4))")
    case "bool": return .bool(random.oneIn(2))
    default: return anything()
    }
  }

  private mutating func related(_ relation: RecipeRelation, depth: Int) -> JSONValue {
    if mayBeHostile, random.oneIn(40) { return anything() }
    guard relation.isMany else {
      return random.oneIn(6) ? .null : one(relation, depth: depth)
    }
    return .array((0..<random.below(4)).map { _ in one(relation, depth: depth) })
  }

  private mutating func one(_ relation: RecipeRelation, depth: Int) -> JSONValue {
    guard relation.form == .key, let key = relation.recipe.fields.first(where: \.isIdentity) else {
      return record(for: relation.recipe, depth: depth)
    }
    return value(of: key)
  }

  private mutating func anything() -> JSONValue {
    Self.hostile[random.below(Self.hostile.count)]
  }
}
