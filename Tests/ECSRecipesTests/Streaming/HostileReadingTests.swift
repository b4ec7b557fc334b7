import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// Random and hostile records come to the same in all ways: the direct one, lists of values, lists
/// in streams, and the way that is sure, of parsing each record and looking its values up by paths
/// of several steps.
@Suite(.longRunning) struct HostileReadingTests {
  struct Item: Component, Equatable {
    var id = 0
    var name = ""
    var note: String?
    var price = 0.0
    var isActive = false
    var data: JSONValue = .bool(false)
  }

  struct Size: Component, Equatable {
    var width = 0
    var height: Double?
  }

  /// Fields with transformers of several kinds.
  struct Part: Component, Equatable {
    enum Level: Int, Sendable {
      case low
      case high = 7
    }

    var code = ""
    var level: Level?
    var since: Date?
    var amount = Decimal(0)
    var exact: JSONNumber = 0
    var counts: [Int] = []
    var small: Int8 = 0
    var ratio: Float = 0
    var seen = ""
  }

  enum Kind: String, CaseIterable, Sendable {
    /// Two components, of which the first has the identity.
    case item

    /// The identity is a string of the second component, and its fields have transformers.
    case part

    /// No identity: each record makes an entity.
    case size

    /// Keys that no field has are refused, which is not for the direct way.
    case strict

    /// The recipe, with all values below a path.
    func recipe(below base: String) throws -> Recipe {
      let unknown = self == .strict ? Recipe.UnknownKeys.refuse : .ignore
      return try Recipe(rawValue, unknownKeys: unknown) {
        switch self {
        case .item, .strict:
          Identity(\Item.id)
          Fields(of: Item()) {
            Field(\.id, at: base + "id")
            Field(\.name, at: base + "name").required()
            Field(\.note, at: base + "note")
            Field(\.price, at: base + "price")
            Field(\.isActive, at: base + "is_active")
            Field(\.data, at: base + "data")
          }
          sizes(base)
        case .part:
          sizes(base)
          Identity(\Part.code)
          Fields(of: Part()) {
            Field(\.code, at: base + "name")
            Field(\.level, at: base + "id", as: .rawValue)
            Field(\.since, at: base + "note", as: .iso8601)
            Field(\.amount, at: base + "price")
            Field(\.exact, at: base + "K")
            Field(\.counts, at: base + "data")
            Field(\.small, at: base + "other")
            Field(\.ratio, at: base + "names")
            Field(\.seen, at: base + "na", as: String.transformer.readOnly)
          }
        case .size: sizes(base)
        }
      }
    }

    @RecipeBuilder private func sizes(_ base: String) -> [RecipePart] {
      Fields(of: Size()) {
        if self == .size { Field(\.width, at: base + "width").required() }
        if self != .size { Field(\.width, at: base + "width") }
        Field(\.height, at: base + "height")
      }
    }
  }

  /// What became of a record.
  private enum Outcome: Equatable {
    case done(RecipeOutcome)
    case refused(RecipeError)
  }

  // MARK: Ways

  /// Everything that can be read of the entities of a context.
  private func contents(_ context: Context) -> [String] {
    context.entities().map { entity in
      entity.components().map { "\($0)" }.joined(separator: " ")
    }
  }

  /// Imports lines one by one, through recipes whose values stand one level deeper.
  private func importSurely(_ lines: [[UInt8]], _ context: Context, _ kind: Kind) throws
    -> [Outcome]
  {
    let (mapper, recipe) = (Mapper(context), try kind.recipe(below: "r."))
    var offset = 0
    return lines.enumerated().map { number, line in
      defer { offset += line.count + 1 }
      do {
        let value = try JSONValue(data: Data(line))
        // The object around the record is not there to be checked.
        if value.object == nil {
          let reason = RecipeError.Reason.typeMismatch(expected: "object", found: value.kind)
          return .refused(RecipeError(recipe: recipe.name, path: .root, reason: reason))
        }
        return .done(try mapper.apply(["r": value], with: recipe).outcome)
      } catch let error as JSONSyntaxError {
        let moved = JSONSyntaxError(
          reason: error.reason, offset: offset + error.offset, line: number + error.line,
          column: error.column)
        return .refused(RecipeError(recipe: recipe.name, path: .root, reason: .syntax(moved)))
      } catch let error as RecipeError {
        let path = JSONPath(steps: Array(error.path.steps.dropFirst()))
        return .refused(RecipeError(recipe: error.recipe, path: path, reason: error.reason))
      } catch {
        Issue.record(error)
        return .done(.unchanged)
      }
    }
  }

  private func stream(
    _ data: Data, _ kind: Kind, chunk: Int, at path: JSONPath = .root, _ options: StreamOptions
  ) throws -> (context: Context, report: ImportReport) {
    let context = Context()
    var rest = data
    let report = Mapper(context).importStream(
      at: path, with: try kind.recipe(below: ""), options: options
    ) {
      defer { rest = Data(rest.dropFirst(chunk)) }
      return rest.prefix(chunk)
    }
    return (context, report)
  }

  private func counts(_ report: ImportReport) -> [Int] {
    [report.made, report.updated, report.unchanged]
  }

  /// Compares a report with what is sure; errors of syntax without their places, if these are
  /// others.
  private func compare(
    _ report: ImportReport, _ expected: [Outcome], hasPlaces: Bool = true, _ comment: Comment
  ) {
    func count(_ outcome: RecipeOutcome) -> Int { expected.count { $0 == .done(outcome) } }
    expectEqual(
      counts(report),
      [.made, .updated, .unchanged].map { (outcome: RecipeOutcome) in count(outcome) },
      comment)
    var refused: [(position: Int, error: RecipeError)] = []
    for (position, outcome) in expected.enumerated() {
      if case .refused(let error) = outcome { refused.append((position, error)) }
    }
    expectEqual(report.failures.map(\.position), refused.map(\.position), comment)
    for (found, wanted) in zip(report.failures.map(\.error), refused.map(\.error)) {
      expectEqual(
        withoutPlace(found, unless: hasPlaces), withoutPlace(wanted, unless: hasPlaces), comment)
    }
  }

  private func withoutPlace(_ error: RecipeError, unless hasPlace: Bool) -> RecipeError {
    guard !hasPlace, case .syntax(let syntax) = error.reason else { return error }
    let bare = JSONSyntaxError(reason: syntax.reason, offset: 0, line: 0, column: 0)
    return RecipeError(recipe: error.recipe, path: error.path, reason: .syntax(bare))
  }

  // MARK: Comparison

  @Test(arguments: Kind.allCases, 0..<20 as Range<UInt64>)
  func `Lines give the same result in every way`(kind: Kind, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var source = HostileLines(seed: seed &* 4 &+ UInt64(kind.rawValue.utf8.count))
    let lines = source.lines(60, areMutated: seed % 2 == 1)
    let sure = Context()
    let expected = try importSurely(lines, sure, kind)

    var options = StreamOptions()
    options.format = .lines
    options.batchSize = Int.random(in: 1..<70, using: &generator)
    let data = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
    let streamed = try stream(
      data, kind, chunk: Int.random(in: 1..<5000, using: &generator), options)
    expectEqual(streamed.report.count, lines.count)
    expectEqual(contents(streamed.context), contents(sure), "seed \(seed)")
    compare(streamed.report, expected, "seed \(seed)")

    let listed = Context()
    let values = lines.compactMap { try? JSONValue(data: Data($0)) }
    let list = try Mapper(listed).importList(values, with: try kind.recipe(below: ""))
    expectEqual(contents(listed), contents(sure), "seed \(seed)")
    expectEqual(counts(list), counts(streamed.report), "seed \(seed)")
    try compareDecomposed(streamed.context, sure, kind)
  }

  /// What entities decompose to at once is what fields at longer paths do.
  private func compareDecomposed(_ one: Context, _ other: Context, _ kind: Kind) throws {
    let (mapper, surely) = (Mapper(one), Mapper(other))
    let (flat, deep) = (try kind.recipe(below: ""), try kind.recipe(below: "r."))
    for (entity, twin) in zip(one.entities(), other.entities()) {
      let expected = try surely.decompose(twin, with: deep)["r"] ?? [:]
      try expectEqual(mapper.decompose(entity, with: flat).json(), expected.json())
    }
  }

  @Test(arguments: Kind.allCases, 0..<20 as Range<UInt64>)
  func `Elements of streamed lists give the same result in every way`(kind: Kind, seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    var source = HostileLines(seed: seed &* 4 &+ UInt64(kind.rawValue.utf8.count))
    // What breaks the list around it ends the import, which is tried elsewhere.
    let lines = source.lines(80, areMutated: seed % 2 == 1).filter(isContained)
    let sure = Context()
    let expected = try importSurely(lines, sure, kind)

    var options = StreamOptions()
    options.batchSize = Int.random(in: 1..<70, using: &generator)
    let isBelow = Bool.random(using: &generator)
    var text = Array((isBelow ? #"{"x":[{"data":1}],"data":{"items":["# : "\u{feff} [").utf8)
    text += lines.joined(separator: Array("\n,".utf8)) + Array("]".utf8)
    if isBelow { text += Array("}} and the rest".utf8) }
    let streamed = try stream(
      Data(text), kind, chunk: Int.random(in: 1..<300, using: &generator),
      at: isBelow ? try JSONPath("data.items") : .root, options)
    expectEqual(contents(streamed.context), contents(sure), "seed \(seed)")
    compare(streamed.report, expected, hasPlaces: false, "seed \(seed)")
  }

  /// Whether a line is one element of a list, right or wrong: its strings end, and so do its
  /// containers, not before its last character.
  private func isContained(_ line: [UInt8]) -> Bool {
    var (depth, isInString, isEscaped) = (0, false, false)
    for (position, byte) in line.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          isInString = byte != UInt8(ascii: "\"")
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if depth <= 0, position < line.count - 1,
        line[(position + 1)...].contains(where: { $0 > 0x20 })
      {
        return false
      }
    }
    return depth == 0 && !isInString
  }
}
