#if Inspector
  public import ECS
  public import ECSHistory
  public import ECSSnapshots

  /// The parts of a program that an ``Inspector`` shows.
  public struct InspectorSources {
    private(set) var contexts: [ShownContext] = []
    private(set) var loops: [ShownLoop] = []
    private(set) var timelines: [ShownTimeline] = []
    private(set) var log: EventLog?

    init() {}

    // MARK: What there is

    /// Shows a context, which is not kept alive.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - schema: The components that can be edited, as snapshots have them in text; none unless
    ///     given.
    ///   - name: What the page calls it; its own name unless given.
    public mutating func add(
      _ context: Context, _ schema: Schema? = nil, as name: String? = nil
    ) {
      contexts.append(
        ShownContext(
          number: contexts.count, name: name ?? context.name, schema: schema, context: context))
    }

    /// Shows a loop that runs by itself, which is not kept alive; if changes are allowed, the page
    /// can pause it, resume it, and let it make single passes.
    ///
    /// - Parameter loop: The loop, which gets a logger, for errors, until the inspector ends.
    public mutating func add(_ loop: ReactiveLoop) {
      let shown = ShownLoop.Reactive(loop: loop)
      loop.setLogger(shown.errors, named: shown.loggerName)
      loops.append(ShownLoop(number: loops.count, name: loop.name, kind: .reactive(shown)))
    }

    /// Shows a loop that the program runs, which no other thread can pause.
    ///
    /// - Parameter loop: The loop, which gets a logger, `inspector`, since no other thread may ask it
    ///   what its systems have done; it is one for all inspectors, and counts nothing when they have
    ///   ended.
    public mutating func add(_ loop: Loop) {
      let record = SystemRecord(loop.statistics)
      let records = (loop.logger(named: "inspector") as? SystemRecords) ?? SystemRecords()
      records.add(record)
      loop.setLogger(records, named: "inspector")
      loops.append(ShownLoop(number: loops.count, name: loop.name, kind: .plain(record, records)))
    }

    /// Shows what a recorder keeps: what changed, when and by which causes.
    ///
    /// - Parameters:
    ///   - recorder: The recorder.
    ///   - name: What the page calls it.
    public mutating func add(_ recorder: FlightRecorder, as name: String = "flight recorder") {
      timelines.append(
        ShownTimeline(number: timelines.count, name: name, kind: .flight(recorder)))
    }

    /// Shows a recorded run, with the entities as they were after each commit.
    ///
    /// It is replayed, when it is first looked at, in a context of its own, which takes the memory
    /// of the entities and of all commits.
    ///
    /// - Parameters:
    ///   - recording: The recording.
    ///   - schema: What components and relations are called.
    ///   - name: What the page calls it.
    ///   - loops: Make loops that are to do again what loops of these names did; see
    ///     `Replay.run(_:until:)`. The page can ask for that if changes are allowed.
    public mutating func add(
      _ recording: RunRecording, _ schema: Schema, as name: String = "recording",
      loops: [String: @Sendable (Context) -> Loop] = [:]
    ) {
      timelines.append(
        ShownTimeline(
          number: timelines.count, name: name,
          kind: .run(RecordedRun(recording, schema, loops), loops: loops.keys.sorted())))
    }

    /// Shows an event log, in place of one that was added before.
    ///
    /// - Parameter log: The log.
    public mutating func add(_ log: EventLog) { self.log = log }
  }

  /// A context that is shown.
  struct ShownContext: Sendable {
    let number: Int
    let name: String
    let schema: Schema?
    weak let context: Context?

    /// The context, unless it has ended.
    func living() throws(Failure) -> Context {
      guard let context else { throw Failure(410, "the context \(name) has ended") }
      return context
    }
  }
#endif
