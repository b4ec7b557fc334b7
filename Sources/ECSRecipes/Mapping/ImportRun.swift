import ECS
import JSONValues

/// A record that is to be imported.
struct ImportItem {
  // PERFORMANCE: Errors are large, and few: in an object, they cost the others nothing (P1, P2).
  final class Refusal {
    let error: RecipeError

    init(_ error: RecipeError) { self.error = error }
  }

  enum Content {
    /// What a record says, and those nested in it.
    case tree(RecordTree)
    case record(DecodedRecord)
    case refused(Refusal)
  }

  let content: Content

  /// Where it begins in a stream.
  var location: StreamLocation?

  /// The data, if it may be needed to find the entity that a refused record was about.
  var data: JSONValue?

  init(
    _ recipe: Recipe, _ data: JSONValue, only selection: FieldSelection?, keepsData: Bool,
    _ trees: inout RecordTreeReader
  ) {
    if selection == nil, let layout = recipe.definition.layout,
      let tree = trees.read(data, by: layout)
    {
      content = .tree(tree)
    } else {
      do throws(RecipeError) {
        content = .record(
          try DecodedRecord(recipe, data, at: .root, only: selection))
      } catch {
        content = .refused(Refusal(error))
      }
    }
    if keepsData { self.data = data }
  }

  init(_ content: Content, at location: StreamLocation) {
    (self.content, self.location) = (content, location)
  }

  init(refused error: RecipeError) { content = .refused(Refusal(error)) }

  /// What a record about one entity alone says about each component; nil if that is not known.
  var patches: RecordPatches? {
    if case .tree(.one(let patches)) = content { patches } else { nil }
  }

  /// The record, or why there is none.
  func record(of recipe: Recipe) throws(RecipeError) -> DecodedRecord {
    switch content {
    case .tree(let tree): return DecodedRecord(tree, of: recipe)
    case .record(let record): return record
    case .refused(let refusal): throw refusal.error
    }
  }
}

/// An import that leaves out bad records, while it goes on.
struct ImportRun {
  /// How long a critical section lasts that other threads wait for, apart from its last records.
  private static let longestSection = Duration.milliseconds(2)

  /// The number of records after which it is asked whether other threads wait.
  private static let recordsBetweenLooks = 4

  private let mapper: Mapper
  private let recipe: Recipe
  private let limit: Int
  private let listsEntities: Bool
  private var search: AbsenceSearch?
  private(set) var report = ImportReport()

  init(
    _ mapper: Mapper, _ recipe: Recipe, limit: Int, listsEntities: Bool, _ search: AbsenceSearch?
  ) {
    (self.mapper, self.recipe, self.limit) = (mapper, recipe, limit)
    (self.listsEntities, self.search) = (listsEntities, search)
  }

  /// Applies records in one critical section, or in several that are not long while other threads
  /// wait.
  mutating func apply(_ items: [ImportItem], in range: Range<Int>) {
    var next = range.lowerBound
    while next < range.upperBound {
      mapper.context.perform("recipe \(recipe.name)") {
        var plan = ChangePlan(mapper)
        var applier = recipe.definition.layout.flatMap { RecordApplier(mapper, $0) }
        let end = ContinuousClock.now + ImportRun.longestSection
        // PERFORMANCE: P4: of what a span lends, only the content is copied.
        let items = items.span
        repeat {
          for _ in 0..<ImportRun.recordsBetweenLooks where next < range.upperBound {
            if !applyDirectly(items, next, &applier) { apply(items[next], &plan) }
            next += 1
          }
        } while next < range.upperBound && !(mapper.context.isAwaited && ContinuousClock.now > end)
      }
    }
  }

  /// Carries out a record without a plan; false, without a change, if it needs one.
  private mutating func applyDirectly(
    _ items: Span<ImportItem>, _ index: Int, _ applier: inout RecordApplier?
  ) -> Bool {
    guard case .tree(let tree) = items[index].content,
      let (entity, outcome) = applier?.apply(tree)
    else { return false }
    note(entity, outcome)
    guard search != nil else { return true }
    search?.note(CollectionOfOne(entity))
    if case .many = tree, let mentioned = applier?.mentioned { search?.note(mentioned) }
    return true
  }

  private mutating func apply(_ item: ImportItem, _ plan: inout ChangePlan) {
    do throws(RecipeError) {
      let (entity, outcome) = try mapper.apply(try item.record(of: recipe), in: &plan)
      note(entity, outcome)
      search?.note(plan.mentioned)
    } catch {
      report.note(
        .init(position: report.count, location: item.location, error: error), limit: limit)
      if listsEntities { report.entities.append(nil) }
      if let data = item.data { search?.note(data, recipe, mapper) } else { search?.giveUp() }
    }
  }

  private mutating func note(_ entity: Entity, _ outcome: RecipeOutcome) {
    report.note(outcome)
    if listsEntities { report.entities.append(entity) }
  }

  mutating func cancel() { report.isCancelled = true }

  /// The report, when all is applied.
  func finished() -> ImportReport {
    var report = report
    report.absent = report.isCancelled ? nil : search?.absent
    return report
  }
}

/// Looks for entities that data does not mention.
struct AbsenceSearch {
  private let present: [Entity]
  private var unseen: Set<Entity>
  private var isReliable = true

  init(in group: Group) {
    present = group.sorted()
    unseen = Set(present)
  }

  /// Those that were not mentioned and live; nil if that is not known.
  var absent: [Entity]? {
    isReliable ? present.filter { unseen.contains($0) && $0.isAlive } : nil
  }

  mutating func note(_ mentioned: some Sequence<Entity>) {
    for entity in mentioned { unseen.remove(entity) }
  }

  /// Notes that some data could not be read.
  mutating func giveUp() { isReliable = false }

  /// Notes which entities refused data was about, if it has keys.
  mutating func note(_ data: JSONValue, _ recipe: Recipe, _ mapper: Mapper, depth: Int = 0) {
    guard depth <= Recipe.maximumNesting else { return giveUp() }
    if let identity = recipe.identity {
      guard let number = recipe.identityNumber,
        let record = try? DecodedRecord(recipe, data, at: .root, only: FieldSelection([])),
        let patch = record.patches[number], let index = mapper.indexes.indexMaking(of: identity)
      else { return giveUp() }
      if let entity = index.findByPatch(patch, recipe.identityField) { unseen.remove(entity) }
    }
    for relation in recipe.nested {
      guard let found = try? data.lookUp(relation.path) else { continue }
      let other = relation.recipe(in: recipe)
      for link in relation.nested.isMany ? found.array ?? [] : [found] where !link.isNull {
        let data = try? relation.values?.entityData(in: link) ?? link
        guard let value = data, !value.isNull else { continue }
        if relation.nested.form == .key, let keyPath = relation.keyPath {
          note(value.wrapped(at: keyPath), other, mapper, depth: Recipe.maximumNesting)
        } else {
          note(value, other, mapper, depth: depth + 1)
        }
      }
    }
  }
}
