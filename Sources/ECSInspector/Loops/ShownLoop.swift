#if Inspector
  import ECS
  import JSONValues
  import Synchronization

  /// A loop that is shown.
  struct ShownLoop: Sendable {
    /// A loop that runs by itself, which is not kept alive.
    struct Reactive: Sendable {
      weak let loop: ReactiveLoop?
      let errors = LastErrors()

      /// The name of the logger, so that several inspectors show one loop.
      let loggerName = "inspector " + Token.randomHex().prefix(8)
    }

    enum Kind: Sendable {
      case reactive(Reactive)

      /// One that its program runs, whose systems are followed.
      case plain(SystemRecord, SystemRecords)
    }

    let number: Int
    let name: String
    let kind: Kind

    private var loop: ReactiveLoop? {
      if case .reactive(let shown) = kind { shown.loop } else { nil }
    }

    var context: Context? { loop?.context }

    /// Takes the logger away from a loop that runs by itself, and what it follows from that of
    /// another one.
    func end() {
      switch kind {
      case .reactive(let shown): shown.loop?.setLogger(nil, named: shown.loggerName)
      case .plain(let record, let records): records.remove(record)
      }
    }

    func json(context: Int?) -> JSONValue {
      let systems: [JSONValue]
      let canPause: Bool
      switch kind {
      case .reactive(let shown):
        systems = (shown.loop?.statistics ?? []).map {
          SystemNumbers($0).json(lastError: shown.errors[$0.name])
        }
        canPause = true
      case .plain(let record, _):
        systems = record.numbers.map { $0.json(lastError: record.errors[$0.name]) }
        canPause = false
      }
      return [
        "id": .count(number), "name": .string(name),
        "context": context.map { .count($0) } ?? .null,
        "paused": .bool(loop?.isPaused ?? false),
        "cancelled": .bool(canPause && (loop?.isCancelled ?? true)), "canPause": .bool(canPause),
        "systems": .array(systems),
      ]
    }

    // MARK: Switches

    private func running() throws(Failure) -> ReactiveLoop {
      guard case .reactive(let shown) = kind else {
        throw Failure(409, "the loop \(name) is run by its program, which alone can pause it")
      }
      guard let loop = shown.loop, !loop.isCancelled else {
        throw Failure(410, "the loop \(name) has ended")
      }
      return loop
    }

    func pause() throws(Failure) { try running().pause() }
    func resume() throws(Failure) { try running().resume() }

    /// Lets a paused loop, or one that is paused by that, make one pass.
    ///
    /// - Returns: Whether a pass has begun, which it does only when its queue is free.
    func step() async throws(Failure) -> Bool {
      let loop = try running()
      loop.pause()
      let watch = PassWatch(loop)
      // Of its own, since other pages step, too.
      let name = "inspector step " + Token.randomHex().prefix(8)
      loop.setLogger(watch, named: name)
      loop.resume()
      let end = ContinuousClock.now + .seconds(1)
      while !watch.hasEnded, !loop.isCancelled, !Task.isCancelled, ContinuousClock.now < end {
        try? await Task.sleep(for: .milliseconds(2))
      }
      loop.pause()
      loop.setLogger(nil, named: name)
      return watch.hasBegun
    }
  }

  /// Pauses a loop as soon as it has begun a pass, and sees it end.
  private final class PassWatch: SystemLogger {
    private weak let loop: ReactiveLoop?
    private let state = Atomic<Int>(0)

    init(_ loop: ReactiveLoop) { self.loop = loop }

    var hasBegun: Bool { state.load(ordering: .acquiring) > 0 }
    var hasEnded: Bool { state.load(ordering: .acquiring) == 2 }

    func willBegin(_ phase: LoopFailure.Phase) {
      guard phase == .execute else { return }
      loop?.pause()
      state.store(1, ordering: .releasing)
    }

    func didEnd(_ phase: LoopFailure.Phase) {
      if phase == .cleanup, state.load(ordering: .acquiring) == 1 {
        state.store(2, ordering: .releasing)
      }
    }
  }
#endif
