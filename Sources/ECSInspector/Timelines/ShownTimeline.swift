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

    func overview(_ question: Question) async throws(Failure) -> JSONValue {
      switch kind {
      case .flight(let recorder):
        try recorder.timeline.overview(question, dropped: recorder.droppedCommits)
      case .run(let run, _):
        try await run.atEnd { (_, commits) throws(Failure) in
          try commits.overview(question, dropped: 0)
        }
      }
    }

    func commits(_ question: Question) async throws(Failure) -> JSONValue {
      switch kind {
      case .flight(let recorder): try recorder.timeline.page(question)
      case .run(let run, _):
        try await run.atEnd { (_, commits) throws(Failure) in try commits.page(question) }
      }
    }

    /// What changed an entity, or a component of it.
    func why(_ question: Question) async throws(Failure) -> JSONValue {
      let label = question.query["entity"] ?? ""
      let component = question.query["component"].flatMap { $0.isEmpty ? nil : $0 }
      let name = try EntityName(label)
      switch kind {
      case .flight(let recorder):
        // It may be dead by now, and is found by what it was called.
        let changes = recorder.entries().lazy.map { TimelineChange($0) }
        return ["changes": .array(changes.about(name, component))]
      case .run(let run, _):
        return try await run.atEnd { (_, commits) throws(Failure) in
          let changes = commits.reversed().lazy.flatMap { $0.changes.reversed() }
          return ["changes": .array(changes.about(name, component))]
        }
      }
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
