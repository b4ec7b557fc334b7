#if Inspector
  import ECS

  /// Looks for entities in slices, between which other threads have their turns.
  struct EntitySearch {
    /// The entities of the page, how many match in all, and whether all were looked at.
    struct Result {
      var total = 0
      var isComplete = true
      var page: [Entity] = []
    }

    private let context: Context
    private let inspection: ContextInspection
    private let query: EntityQuery
    private let end: ContinuousClock.Instant
    private var result = Result()

    /// Of sorted entities, those that may be on the page.
    private var sorted: [(key: Scalar, entity: Entity)] = []

    /// How many slots are looked at in a section.
    static var sliceSize: Int { 4_096 }

    init(_ context: Context, _ query: EntityQuery, limit: Duration) {
      (self.context, self.query) = (context, query)
      inspection = ContextInspection(context)
      end = ContinuousClock.now + limit
      unseen =
        query.conditions.map { ($0.path, "where") }
        + (query.order.map { [($0.path, "sort")] } ?? [])
    }

    /// Fields that no value has had so far.
    private var unseen: [(path: FieldPath, parameter: String)]

    mutating func run() throws(Failure) -> Result {
      if query.read.isEmpty {
        for table in inspection.tables where query.accepts(table.components) {
          result.total += table.entities
        }
      }
      let slots = inspection.slotCount
      var slot = 0
      while slot < slots, !isDone, !isOver() {
        let slice = slot..<min(slot + EntitySearch.sliceSize, slots)
        look(at: inspection.entities(inSlots: slice, where: query.accepts))
        slot = slice.upperBound
      }
      // Values that were not looked at may have the field.
      if hasRead, result.isComplete, let (path, parameter) = unseen.first {
        let fields = path.fields.joined(separator: ".")
        var failure = Failure(400, "no \(path.component) has \(fields)", at: path.position)
        failure.parameter = parameter
        throw failure
      }
      if query.order != nil {
        sort()
        result.page = sorted.dropFirst(query.range.lowerBound).map(\.entity)
      }
      return result
    }

    /// Whether the time is over.
    private mutating func isOver() -> Bool {
      if ContinuousClock.now > end { result.isComplete = false }
      return !result.isComplete
    }

    /// Whether the page is full, where the total is known.
    private var isDone: Bool {
      query.read.isEmpty && skipped + result.page.count >= query.range.upperBound
    }

    /// Whether values were looked at.
    private var hasRead = false

    /// How many entities have come that are before the page.
    private var skipped = 0

    private mutating func look(at entities: [Entity]) {
      if query.read.isEmpty {
        for entity in entities { take(entity) }
        return
      }
      var next = 0
      while next < entities.count, !isOver() {
        // Values are copied within the section, and looked at outside.
        var values: [(entity: Entity, values: [any Component])] = []
        context.reading {
          repeat {
            let entity = entities[next]
            let found = query.read.compactMap { $0.value(of: entity) }
            if found.count == query.read.count { values.append((entity, found)) }
            next += 1
          } while next < entities.count
            && !(next.isMultiple(of: 64) && ContinuousClock.now > end)
            && !(next.isMultiple(of: 1_024) && context.isAwaited)
        }
        // What values say of themselves may take long.
        for (number, (entity, values)) in values.enumerated() {
          if number.isMultiple(of: 64), isOver() { return }
          look(at: entity, values)
        }
      }
    }

    private mutating func look(at entity: Entity, _ values: [any Component]) {
      func value(_ path: FieldPath) -> any Component {
        values[query.read.firstIndex(of: path.component) ?? 0]
      }
      hasRead = true
      if !unseen.isEmpty { unseen = unseen.filter { !$0.path.isIn(value($0.path)) } }
      guard query.conditions.allSatisfy({ $0.holds(for: value($0.path)) }) else { return }
      result.total += 1
      guard let order = query.order else { return take(entity) }
      sorted.append((order.path.scalar(of: value(order.path)) ?? .none, entity))
      if sorted.count > 2 * query.range.upperBound + 1_000 { sort() }
    }

    private mutating func take(_ entity: Entity) {
      if skipped < query.range.lowerBound {
        skipped += 1
      } else if result.page.count < query.range.count {
        result.page.append(entity)
      }
    }

    private mutating func sort() {
      let isDescending = query.order?.isDescending ?? false
      sorted.sort {
        if $0.key.precedes($1.key) { return !isDescending }
        if $1.key.precedes($0.key) { return isDescending }
        return $0.entity.numbers.slot < $1.entity.numbers.slot
      }
      sorted.removeLast(max(0, sorted.count - query.range.upperBound))
    }
  }
#endif
