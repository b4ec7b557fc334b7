/// The pending work of a reactive loop.
struct ReactiveLoopState {
  enum Phase {
    /// Nothing to do.
    case idle

    /// The pass with the newest ticket will begin on the queue.
    case scheduled

    case running
  }

  /// The work that has to be done once the state is free again.
  enum Launch {
    case nothing
    case now(ticket: UInt64)
    case later(Duration, ticket: UInt64)
  }

  var phase = Phase.idle
  var isPaused = false
  var isCancelled = false
  var hasTeardown = false
  var isTearingDown = false

  /// Scheduled passes with older tickets are void.
  var ticket: UInt64 = 0

  /// Timers for retries with older tickets are void.
  var retryTicket: UInt64 = 0

  /// Whether a timer for a retry waits.
  var isRetryPlanned = false

  /// Whether the next pass is made even if there is nothing but restored entities.
  var isForced = false

  /// When the scheduled pass is due.
  var due = Duration.zero
  var lastPass: Duration?

  /// What the systems drain, those that come in with the next pass included.
  var claims = CollectorClaims([], ofLoop: "")

  /// The collectors of systems that could not be initialized in the last pass.
  var leftOut: Set<ObjectIdentifier> = []

  /// What the works of systems call, and the next pass.
  var loggers = LoggerList(nil)

  /// Whether the running or last pass has other loggers.
  var hasNewLoggers = false

  /// Systems that come in with the next pass.
  var additions: [SystemStep] = []

  var statistics: [SystemStatistics] = []

  /// The systems whose work awaits, with their positions among all systems.
  var asyncSystems: [(position: Int, system: AsyncSystem)] = []

  /// When the loop's own timers are due, by their numbers; never, for one that is being started.
  private var timers: [UInt64: Duration] = [:]
  private var lastTimer: UInt64 = 0

  /// A task that waits for the loop to settle.
  struct Sleeper {
    let continuation: CheckedContinuation<Void, Never>

    /// The time at which it began to wait, and the last timer of then.
    ///
    /// Later ones don't hold it: those of a loop that can't keep up are always due.
    let start: Duration
    let lastTimer: UInt64
  }

  private(set) var sleepers: [UInt64: Sleeper] = [:]
  var lastSleeper: UInt64 = 0

  var canRun: Bool { !isPaused && !isCancelled }

  /// Plans the next pass because of a trigger.
  ///
  /// The loop is idle, or its pass is over.
  mutating func schedule(_ timing: ReactiveLoop.Timing, at now: Duration) -> Launch {
    due = timing.due(triggeredAt: now, lastPass: lastPass)
    return launch(at: now)
  }

  /// Plans the pass that is due.
  mutating func launch(at now: Duration) -> Launch {
    phase = .scheduled
    ticket += 1
    return due > now ? .later(due - now, ticket: ticket) : .now(ticket: ticket)
  }

  /// Makes a scheduled pass void.
  mutating func unschedule() {
    guard phase == .scheduled else { return }
    phase = .idle
    ticket += 1
  }

  /// A timer for a retry is due; returns whether it is not void.
  mutating func endRetry(_ ticket: UInt64) -> Bool {
    guard retryTicket == ticket else { return false }
    isRetryPlanned = false
    return true
  }

  /// Notes a timer, and returns its number.
  mutating func addTimer() -> UInt64 {
    lastTimer += 1
    timers[lastTimer] = .seconds(Int64.max)
    return lastTimer
  }

  /// Notes when a timer is due, unless it has ended by now.
  mutating func setDue(_ due: Duration, ofTimer number: UInt64) {
    if timers[number] != nil { timers[number] = due }
  }

  mutating func endTimer(_ number: UInt64) { timers[number] = nil }

  mutating func addSleeper(
    _ number: UInt64, at start: Duration, _ continuation: CheckedContinuation<Void, Never>
  ) {
    sleepers[number] = Sleeper(continuation: continuation, start: start, lastTimer: lastTimer)
  }

  mutating func removeSleeper(_ number: UInt64) -> CheckedContinuation<Void, Never>? {
    sleepers.removeValue(forKey: number)?.continuation
  }

  /// Takes those that are to be notified that the loop has settled, if it has.
  mutating func takeSleepers() -> [CheckedContinuation<Void, Never>] {
    guard !sleepers.isEmpty, phase == .idle, !isTearingDown,
      !asyncSystems.contains(where: { $0.system.isBusy(canRun) })
    else {
      return []
    }
    let settled = sleepers.filter { !isHeld($0.value) }
    for number in settled.keys { sleepers[number] = nil }
    return settled.values.map(\.continuation)
  }

  /// Whether a timer that was due when a task began to wait has not done its work.
  private func isHeld(_ sleeper: Sleeper) -> Bool {
    canRun
      && timers.contains { number, due in
        number <= sleeper.lastTimer && due <= sleeper.start
      }
  }
}
