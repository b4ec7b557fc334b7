import ECSRecipes
import ECSTestSupport

/// What a random recipe maps: plain data, for the real recipe and for the naive interpreter.
struct RecipeSpec {
  /// A field, each of a kind of its own.
  enum Field: String, CaseIterable {
    case count, label, code, state, note, rank, flags
    // Mapped automatically.
    case fontSize, theme, sizes

    static let listed: [Field] = [.count, .label, .code, .state, .note, .rank, .flags]
    static let automatic: [Field] = [.fontSize, .theme, .sizes]

    var isOptional: Bool { self == .note || self == .rank || self == .theme }

    /// Whether the data may say this.
    func accepts(_ value: JSONValue) -> Bool {
      if value == .null { return isOptional }
      switch self {
      case .count, .rank, .fontSize: return value.number?.int != nil
      case .label, .note, .theme: return value.string != nil
      case .code: return value.string.map { Int($0) != nil } == true
      case .state: return value == "on" || value == "off"
      case .flags, .sizes: return value.array?.allSatisfy { $0.number?.int != nil } == true
      }
    }

    func randomValue(_ random: inout SplitMix64) -> JSONValue {
      let number = JSONValue.number(JSONNumber(random.below(3)))
      switch self {
      case .count, .rank, .fontSize: return number
      case .label, .note, .theme: return ["p", "q"][random.below(2)]
      case .code: return ["7", "8"][random.below(2)]
      case .state: return ["on", "off"][random.below(2)]
      case .flags, .sizes: return .array((0..<random.below(3)).map { _ in number })
      }
    }
  }

  /// A relation to another entity.
  struct Link {
    var slot: Slot
    var path: JSONPath
    var isKey: Bool
    var recipe: RecipeSpec
  }

  var name: String

  /// Where the key stands; nil if the recipe has no identity.
  var key: JSONPath?
  var fields: [(field: Field, path: JSONPath)]
  var required: Set<Field>
  var links: [Link]
  var unknownKeysAreErrors: Bool

  /// A random recipe, without paths that contradict each other.
  init(_ name: String, levels: Int, _ random: inout SplitMix64) {
    self.name = name
    var paths = RecipeSpec.paths[random.below(RecipeSpec.paths.count)].shuffled(using: &random)
    func path() -> JSONPath { paths.popLast() ?? .root }
    key = random.oneIn(2) ? path() : nil
    fields = Field.listed.filter { _ in random.oneIn(2) }.map { ($0, path()) }
    required = Set(fields.map(\.field).filter { _ in random.oneIn(5) })
    unknownKeysAreErrors = random.oneIn(8)
    if random.oneIn(2) {
      let base = path()
      let keys = ["font_size", "theme", "sizes"]
      fields += zip(Field.automatic, keys).map { ($0, base.appending(key: $1)) }
    }
    if key == nil, fields.isEmpty { fields = [(.count, path())] }
    links = []
    guard levels > 0 else { return }
    for slot in Slot.allCases where slot.level == levels && random.oneIn(2) {
      let recipe = RecipeSpec("\(name)-\(slot)", levels: levels - 1, &random)
      let isKey = recipe.key != nil && random.oneIn(3)
      links.append(Link(slot: slot, path: path(), isKey: isKey, recipe: recipe))
    }
  }

  /// Where the automatic fields stand; nil if the recipe has none.
  var automaticBase: JSONPath? {
    fields.first { $0.field == .fontSize }.map { JSONPath(steps: $0.path.steps.dropLast()) }
  }

  /// Each list has no two paths that contradict each other, and enough for all fields.
  private static let paths: [[JSONPath]] = [
    (0..<16).map { JSONPath(steps: [.key("k\($0)")]) },
    (0..<16).map { JSONPath(steps: [.key("\($0 % 4)"), .key("x.\($0 / 4)")]) },
    (0..<16).map { JSONPath(steps: [.key("a"), .key("b\($0 % 8)"), .index($0 / 8)]) },
    (0..<16).map {
      $0 < 8
        ? JSONPath(steps: [.key("list"), .index($0), .key("v")])
        : JSONPath(steps: [.key("o"), .key("p\($0)")])
    },
  ]
}

extension RecipeSpec: CustomStringConvertible {
  var description: String {
    let fields = fields.map {
      "\($0.field) at \($0.path)\(required.contains($0.field) ? " required" : "")"
    }
    let links = links.map {
      "\($0.slot) at \($0.path)\($0.isKey ? " as key" : "") through (\($0.recipe))"
    }
    return "\(name): key \(key.map { "\($0)" } ?? "none"); \(fields); \(links)"
      + (unknownKeysAreErrors ? "; no unknown keys" : "")
  }
}

/// Where an entity keeps related ones.
enum Slot: String, CaseIterable {
  case owner, parts, partner, members, next, children

  /// The level of recipes that use it: no two of one nesting use the same.
  var level: Int { self == .next || self == .children ? 1 : 2 }

  var isMany: Bool { self == .parts || self == .members || self == .children }
}
