#if Inspector
  import ECS
  import ECSHistory
  import JSONValues

  /// A timeline of commits: of a recorder that runs, or of a run that was recorded.
  struct ShownTimeline: Sendable {
    enum Kind: Sendable {
      case flight(FlightRecorder)
      case run(RecordedRun, loops: [String])
    }

    let number: Int
    let name: String
    let kind: Kind

    /// The context whose present entities the changes are of.
    var context: Context? {
      if case .flight(let recorder) = kind { recorder.context } else { nil }
    }

    /// Ends replays.
    func end() {
      if case .run(let run, _) = kind { run.end() }
    }

    func json(context: Int?) -> JSONValue {
      var (hasEntities, loops): (Bool, [String]) = (false, [])
      if case .run(_, let names) = kind { (hasEntities, loops) = (true, names) }
      return [
        "id": .count(number), "name": .string(name),
        "context": context.map { .count($0) } ?? .null, "entities": .bool(hasEntities),
        "loops": .array(loops.map { .string($0) }),
      ]
    }

    /// The last changes of an entity of a recorder's context.
    func changes(of entity: Entity) -> [JSONValue] {
      guard case .flight(let recorder) = kind else { return [] }
      return recorder.why(entity).lazy.map { TimelineChange($0) }.about(EntityName(entity), nil)
    }
  }

  extension FlightRecorder {
    /// The commits that are kept, or what changed an entity: all that a timeline says.
    func shown(_ what: String?, _ question: Question) throws(Failure) -> JSONValue {
      guard what == "why" else {
        return try timeline.shown(what, question, dropped: droppedCommits)
      }
      // It may be dead by now, and is found by what it was called.
      return try entries().lazy.map { TimelineChange($0) }.why(question)
    }
  }

  extension RecordedRun {
    func shown(_ what: String?, _ question: Question) throws(Failure) -> JSONValue {
      try atEnd { (_, commits) throws(Failure) in
        guard what == "why" else { return try commits.shown(what, question, dropped: 0) }
        return try commits.reversed().lazy.flatMap { $0.changes.reversed() }.why(question)
      }
    }
  }

  extension [TimelineCommit] {
    fileprivate func shown(
      _ what: String?, _ question: Question, dropped: Int
    ) throws(Failure) -> JSONValue {
      switch what {
      case nil: try overview(question, dropped: dropped)
      case "commits": try page(question)
      default: throw Failure.unknown("such address")
      }
    }
  }

  extension Sequence<TimelineChange> {
    /// What changed an entity, or a component of it.
    fileprivate func why(_ question: Question) throws(Failure) -> JSONValue {
      let name = try EntityName(question.query["entity"] ?? "")
      let component = question.query["component"].flatMap { $0.isEmpty ? nil : $0 }
      return ["changes": .array(about(name, component))]
    }
  }

  extension FlightRecorder {
    /// The commits that are kept, oldest first.
    fileprivate var timeline: [TimelineCommit] {
      var commits: [TimelineCommit] = []
      var changes: [TimelineChange] = []
      for entry in entries().reversed() {
        if let last = changes.last, last.commit != entry.commit {
          commits.append(TimelineCommit(number: last.commit, time: last.time, changes: changes))
          changes = []
        }
        changes.append(TimelineChange(entry))
      }
      if let last = changes.last {
        commits.append(TimelineCommit(number: last.commit, time: last.time, changes: changes))
      }
      return commits
    }
  }
#endif
