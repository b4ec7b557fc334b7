import ECS
import ECSRecipes
import ECSTestSupport
import Foundation

/// What is done to both of two contexts; entities are named by their numbers among those that are
/// known.
indirect enum TwinStep {
  case create(hasSize: Bool)
  case destroy(Int)
  case make(Int, JSONValue)
  /// Updates an entity, one of another context if there is none of that number.
  case update(Int, by: Int, JSONValue)
  /// Imports some records, or the lines that they are written as.
  case importAll(Int, [JSONValue], asLines: Bool)
  /// Imports all of some records, or none.
  case importTogether(Int, [JSONValue])
  /// Does other steps when an iteration visits its first entity, a copy of whose component is
  /// written back.
  case iterate([TwinStep])
}

/// One of two contexts to which the same is done: by the calls that may do without a plan, or by
/// ``Mapper/apply(_:to:with:only:)``, which never does.
final class Twin {
  private let context = Context()
  private let mapper: Mapper
  private let recipes: [Recipe]
  private let isPlanned: Bool
  private let foreigner: Entity
  private var known: [Entity] = []
  private var handles: [String: Int] = [:]
  private let events = Recorder<String>()

  init(_ recipes: [Recipe], isPlanned: Bool, foreigner: Entity) {
    mapper = Mapper(context)
    (self.recipes, self.isPlanned, self.foreigner) = (recipes, isPlanned, foreigner)
    for kind in TwinRecipes.components {
      events.keep(
        context.group(Matcher(all: [kind])).observeChanges { [events] change in
          events.append("\(change.kind) \(kind.name) of \(change.entity)")
        })
    }
    events.keep(context.observeEvents { [events] in events.append("\($0)") })
  }

  var knownCount: Int { known.count }

  // MARK: Steps

  /// Does a step and tells all that comes of it.
  func run(_ step: TwinStep) -> [String] {
    switch step {
    case .create(let hasSize):
      let entity = context.createEntity()
      if hasSize { entity.set(TwinRecipes.Size()) }
      return [name(entity)]
    case .destroy(let number):
      if known.indices.contains(number) { known[number].destroy() }
      return []
    case .make(let recipe, let data): return [make(recipes[recipe], data)]
    case .update(let number, let recipe, let data):
      let entity = known.indices.contains(number) ? known[number] : foreigner
      return [update(entity, recipes[recipe], data)]
    case .importAll(let recipe, let records, let asLines):
      return context.perform {
        isPlanned
          ? applyAll(recipes[recipe], records) : importAll(recipes[recipe], records, asLines)
      }
    case .importTogether(let recipe, let records):
      return importTogether(recipes[recipe], records)
    case .iterate(let steps):
      var told: [String]?
      context.group(TwinRecipes.Size.matcher).withEach {
        (entity: Entity, size: inout TwinRecipes.Size) in
        guard told == nil else { return }
        told = ["at \(name(entity))"] + steps.flatMap(run)
      }
      return told ?? []
    }
  }

  private func make(_ recipe: Recipe, _ data: JSONValue) -> String {
    do throws(RecipeError) {
      return name(
        isPlanned
          ? try mapper.apply(data, with: recipe).entity : try mapper.make(recipe, from: data))
    } catch {
      return "\(error)"
    }
  }

  private func update(_ entity: Entity, _ recipe: Recipe, _ data: JSONValue) -> String {
    do throws(RecipeError) {
      let outcome =
        isPlanned
        ? try mapper.apply(data, to: entity, with: recipe).outcome
        : try mapper.update(entity, with: recipe, from: data)
      return "\(outcome)"
    } catch {
      return "\(error)"
    }
  }

  private func importAll(_ recipe: Recipe, _ records: [JSONValue], _ asLines: Bool) -> [String] {
    let report: ImportReport
    if asLines {
      var rest = Data(records.map { $0.data() + [UInt8(ascii: "\n")] }.joined())
      var options = StreamOptions()
      (options.format, options.listsEntities) = (.lines, true)
      report = mapper.importStream(with: recipe, options: options) {
        defer { rest = Data() }
        return rest
      }
    } else {
      report = (try? mapper.importList(records, with: recipe)) ?? ImportReport()
    }
    return told(report)
  }

  private func importTogether(_ recipe: Recipe, _ records: [JSONValue]) -> [String] {
    // What comes twice needs a plan, and changes nothing more if all of it has a key.
    let isDoubled = isPlanned && recipe.key != nil && recipe.relations.isEmpty
    let list = records + (isDoubled ? records.suffix(1) : [])
    do throws(ImportError) {
      var report = try mapper.importList(list, with: recipe, policy: .allOrNothing)
      if isDoubled {
        report.unchanged -= 1
        report.entities.removeLast()
      }
      return told(report)
    } catch {
      return error.failures.filter { $0.position < records.count }.map {
        "\($0.position): \($0.error)"
      }
    }
  }

  private func applyAll(_ recipe: Recipe, _ records: [JSONValue]) -> [String] {
    var (counts, entities, failures) = ([RecipeOutcome: Int](), [Entity?](), [String]())
    for (position, record) in records.enumerated() {
      do throws(RecipeError) {
        let result = try mapper.apply(record, with: recipe)
        counts[result.outcome, default: 0] += 1
        entities.append(result.entity)
      } catch {
        failures.append("\(position): \(error)")
        entities.append(nil)
      }
    }
    let outcomes = [RecipeOutcome.made, .updated, .unchanged].map { "\(counts[$0] ?? 0)" }
    return outcomes + failures + entities.map { $0.map(name) ?? "none" }
  }

  private func told(_ report: ImportReport) -> [String] {
    let counts = [report.made, report.updated, report.unchanged].map { "\($0)" }
    return counts + report.failures.map { "\($0.position): \($0.error)" }
      + report.entities.map { $0.map(name) ?? "none" }
  }

  /// The number of an entity, known from now on.
  private func name(_ entity: Entity) -> String {
    if let number = known.firstIndex(of: entity) { return "entity \(number)" }
    known.append(entity)
    return "entity \(known.count - 1)"
  }

  // MARK: Contents

  /// All that can be read of the context, and what observers heard since they were last asked.
  func contents() -> [String] {
    let entities = context.entities().map { entity in
      let components = entity.components().map { "\($0)" }
      let links = entity.links().map { "\($0.relation) \($0.target)" }
      let sources = [
        "\(entity.sources(TwinRecipes.Tagged.self).entities().map { "\($0)" })",
        "\(entity.sources(TwinRecipes.PartOf.self).entities().map { "\($0)" })",
        "\(entity.sources(TwinRecipes.Inside.self).entities().map { "\($0)" })",
        "\(entity.sources(TwinRecipes.MadeBy.self).entities().map { "\($0)" })",
      ]
      return "\(entity): \(components) \(links) \(sources)"
    }
    let told = events.take().reduce(into: [String]()) { told, text in
      // Each record tries to make the index of its key, if that can't be made.
      if !text.hasPrefix("createdIndex") || told.last != text { told.append(text) }
    }
    return (entities + told).map(numbered)
  }

  /// A text in which entities have numbers in the place of their slots and generations, which go on
  /// from one context to the next.
  private func numbered(_ text: String) -> String {
    let parts = text.components(separatedBy: "Entity ")
    return parts.dropFirst().reduce(parts[0]) { text, part in
      let handle = String(part.prefix { $0.isNumber || $0 == "." })
      let number = handles[handle] ?? handles.count
      handles[handle] = number
      return text + "#\(number)" + part.dropFirst(handle.count)
    }
  }
}
