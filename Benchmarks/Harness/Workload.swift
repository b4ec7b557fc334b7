import CMemoryMeter

/// One contender's way through a row: how its world is set up, what runs on the clock, and how to
/// see that the work was done.
///
/// The clock runs during `run` alone. What comes before and after, and the end of the world, is in
/// other closures and so outside of it by construction.
struct Workload {
  /// Which forms there are.
  let forms: [Form]

  /// Makes what takes one sample after another.
  let makeSampler: (_ n: Int, _ form: Form) -> Sampler

  typealias Sampler = () -> Reading

  /// What one run has given.
  struct Reading {
    /// Nanoseconds, or bytes, in total.
    let total: Double

    let checksum: Checksum
  }

  /// Whether each sample has a world of its own.
  enum Lifetime {
    /// A new world for each sample: for workloads that change its structure.
    case fresh

    /// One world for all samples, put back in order by `prepare` before each.
    case kept
  }

  /// A workload on worlds that can make many calls one.
  init<World: Batching>(
    _ lifetime: Lifetime,
    forms: [Form] = Form.allCases,
    setUp: @escaping (_ n: Int) -> World,
    prepare: @escaping (World) -> Void = { _ in },
    run: @escaping (World) -> Double,
    check: @escaping (World, Double) -> Checksum
  ) {
    self.forms = forms
    makeSampler = { n, form in
      let timed =
        switch form {
        case .batch: { (world: World) in world.batch { run(world) } }
        case .call: run
        }
      return Workload.sampler(lifetime, n, setUp, prepare, timed, check)
    }
  }

  /// A workload on worlds whose calls are always plain calls.
  init<World>(
    plain lifetime: Lifetime,
    setUp: @escaping (_ n: Int) -> World,
    prepare: @escaping (World) -> Void = { _ in },
    run: @escaping (World) -> Double,
    check: @escaping (World, Double) -> Checksum
  ) {
    forms = [.call]
    makeSampler = { n, _ in
      Workload.sampler(lifetime, n, setUp, prepare, run, check)
    }
  }

  /// A workload that is not timed: what counts is the memory that its world holds in the end.
  init<World: AnyObject>(
    bytesOf setUp: @escaping (_ n: Int) -> World,
    fill: @escaping (World) -> Void,
    check: @escaping (World) -> Checksum
  ) {
    forms = [.call]
    makeSampler = { n, _ in
      {
        let world = setUp(n)
        let before = Int(memory_in_use())
        fill(world)
        let bytes = Int(memory_in_use()) - before
        return Reading(total: Double(bytes), checksum: check(world))
      }
    }
  }

  /// A workload that takes the time of many calls itself: what counts is the one that so great a part of
  /// them doesn't exceed.
  init(_ quantile: Double, of times: @escaping (_ n: Int) -> [Double]) {
    forms = [.call]
    makeSampler = { n, _ in
      {
        let times = times(n).sorted()
        let place = min(times.count - 1, Int(Double(times.count) * quantile))
        return Reading(
          total: times.isEmpty ? 0 : times[place],
          checksum: Checksum(times.isEmpty ? 0 : 1, expected: 1))
      }
    }
  }

  private static func sampler<World>(
    _ lifetime: Lifetime, _ n: Int,
    _ setUp: @escaping (Int) -> World,
    _ prepare: @escaping (World) -> Void,
    _ run: @escaping (World) -> Double,
    _ check: @escaping (World, Double) -> Checksum
  ) -> Sampler {
    var kept: World?
    return {
      let world = kept ?? setUp(n)
      if lifetime == .kept { kept = world }
      prepare(world)
      let (nanoseconds, result) = time(world, run)
      return Reading(total: nanoseconds, checksum: check(world, result))
    }
  }

  /// The only place where the clock is read.
  @inline(never)
  private static func time<World>(
    _ world: World, _ run: (World) -> Double
  ) -> (nanoseconds: Double, result: Double) {
    let start = ContinuousClock.now
    let result = run(world)
    let duration = ContinuousClock.now - start
    let (seconds, attoseconds) = duration.components
    return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9, result)
  }
}

/// A world that can make many calls one.
protocol Batching {
  /// Runs a body as one atomic section.
  func batch(_ body: () -> Double) -> Double
}
