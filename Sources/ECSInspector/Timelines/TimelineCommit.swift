#if Inspector
  import ECS
  import ECSHistory
  import JSONValues

  /// A change as it is shown, with the cause that it had when it was recorded.
  struct TimelineChange: Sendable {
    let commit: Int
    let time: Duration
    let change: CommittedChange
    let cause: Cause

    /// What a recorder has kept, with the functions that made the change, whose names take long.
    private let entry: FlightEntry?

    init(_ entry: FlightEntry) {
      (commit, time, change) = (entry.commit, entry.time, entry.change)
      (cause, self.entry) = (entry.cause, entry)
    }

    init(_ change: CommittedChange, _ cause: Cause, of commit: ReplayedCommit) {
      (self.commit, time, self.change) = (commit.number, commit.time, change)
      (self.cause, entry) = (cause, nil)
    }

    /// Whether it is of an entity, or of a link that leads to it.
    func concerns(_ entity: EntityName) -> Bool {
      EntityName(change.entity) == entity || change.target.map { EntityName($0) } == entity
    }

    /// Whether it set or took a value of a component.
    func concerns(_ component: String) -> Bool {
      if let cid = change.component { return cid.name == component }
      guard change.relation == nil else { return false }
      return (change.newComponents() + change.oldComponents()).contains {
        $0.shownName == component
      }
    }

    var json: JSONValue {
      [
        "commit": .count(commit), "seconds": .seconds(time), "kind": .string("\(change.kind)"),
        "entity": .string(change.entity.label), "component": .optional(change.component?.name),
        "relation": change.relation.map { .short("\($0)") } ?? .null,
        "target": .optional(change.target?.label),
        "old": .string(
          TimelineChange.text(change.oldComponents() + [change.oldLinkValue].compactMap(\.self))),
        "new": .string(
          TimelineChange.text(change.newComponents() + [change.newLinkValue].compactMap(\.self))),
        "cause": .short(cause.name), "callers": .array((entry?.callers ?? []).map { .short($0) }),
      ]
    }

    private static func text(_ components: [any Component]) -> String {
      var texts: [String] = []
      var left = ValueText.longest
      for component in components where left > 0 {
        let text = ValueText(component, limit: left).text
        left -= text.count
        texts.append(text)
      }
      return texts.joined(separator: ", ")
    }
  }

  /// A commit of a timeline.
  struct TimelineCommit: Sendable {
    let number: Int
    let time: Duration

    /// In the order in which they were made.
    let changes: [TimelineChange]

    /// How many changes of a commit are shown.
    static var mostChanges: Int { 200 }

    /// How many causes of a run of commits are counted each.
    static var mostCauses: Int { 20 }

    var json: JSONValue {
      [
        "commit": .count(number), "seconds": .seconds(time),
        "cause": .short(changes.first?.cause.name ?? ""),
        "more": .count(max(0, changes.count - TimelineCommit.mostChanges)),
        "changes": .array(changes.prefix(TimelineCommit.mostChanges).map(\.json)),
      ]
    }
  }

  extension [TimelineCommit] {
    /// How much happened, in runs of commits, oldest first.
    func overview(_ question: Question, dropped: Int) throws(Failure) -> JSONValue {
      let wanted = try question.number("buckets", in: 1...1_000) ?? 200
      let size = Swift.max(1, (count + wanted - 1) / wanted)
      var buckets: [JSONValue] = []
      for start in stride(from: 0, to: count, by: size) {
        let run = self[start..<Swift.min(start + size, count)]
        var (changes, causes): (Int, [String: Int]) = (0, [:])
        for commit in run {
          changes += commit.changes.count
          for change in commit.changes { causes[change.cause.name, default: 0] += 1 }
        }
        var shown: JSONObject = [:]
        let sorted = causes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (cause, number) in sorted.prefix(TimelineCommit.mostCauses) {
          let name = ValueText(cause, limit: ValueText.shortest).text
          shown[name] = .count(number + (shown[name]?.number?.int ?? 0))
        }
        let others = sorted.dropFirst(TimelineCommit.mostCauses).reduce(0) { $0 + $1.value }
        if others > 0 { shown["others"] = .count(others + (shown["others"]?.number?.int ?? 0)) }
        buckets.append([
          "from": .count(self[start].number), "to": .count(run.last?.number ?? 0),
          "changes": .count(changes), "causes": .object(shown),
        ])
      }
      return [
        "first": .count(first?.number ?? 0), "last": .count(last?.number ?? 0),
        "dropped": .count(dropped), "buckets": .array(buckets),
      ]
    }

    /// Some commits with their changes, from a number on.
    func page(_ question: Question) throws(Failure) -> JSONValue {
      let from = try question.number("from", in: 0...Int.max) ?? 0
      let count = try question.number("count", in: 1...200) ?? 50
      return ["commits": .array(self[partition(before: from)...].prefix(count).map(\.json))]
    }

    /// The index of the first commit from a number on; their numbers ascend.
    func partition(before number: Int) -> Int {
      var (low, high) = (startIndex, endIndex)
      while low < high {
        let middle = low + (high - low) / 2
        if self[middle].number < number { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  extension Sequence<TimelineChange> {
    /// The changes of an entity, or of one of its components; the newest first if these are.
    func about(_ entity: EntityName, _ component: String?) -> [JSONValue] {
      let found = lazy.filter { change in
        change.concerns(entity) && (component.map { change.concerns($0) } ?? true)
      }
      return found.prefix(50).map(\.json)
    }
  }
#endif
