import Foundation

/// A row of the table: some contenders do the same work, in turns.
struct Row {
  let id: String
  let title: String

  /// How many units of work each run does.
  let operations: Int
  let unit: String
  let contenders: [Contender]
}

/// One way to do a row's work.
struct Contender {
  let name: String

  /// The contender that this is compared with, and how many times as long it may take.
  let goal: (other: String, limit: Double)?

  /// Prepares one round: what runs on the clock, and what then tells whether the work was done.
  let makeRound: (_ number: Int) throws -> Round

  init(
    _ name: String, goal: (other: String, limit: Double)? = nil,
    makeRound: @escaping (_ number: Int) throws -> Round
  ) {
    (self.name, self.goal, self.makeRound) = (name, goal, makeRound)
  }
}

struct Round {
  let run: () throws -> Void
  let check: () throws -> Void

  /// Nanoseconds, if the row measures something else than the processor's time.
  var measured: (() -> Double)?
}

/// What some rounds took: the processor's time of all threads, and that of the clock on the wall.
struct Samples {
  private var cpu: [Double] = []
  private var wall: [Double] = []

  mutating func measure(_ round: Round) throws {
    let (wallStart, cpuStart) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    try round.run()
    let (wallEnd, cpuEnd) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    try round.check()
    cpu.append(round.measured?() ?? cpuEnd - cpuStart)
    wall.append(wallEnd - wallStart)
  }

  var minimum: Double { cpu.min() ?? 0 }
  var median: Double { cpu.sorted()[cpu.count / 2] }
  var wallMinimum: Double { wall.min() ?? 0 }

  private func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
