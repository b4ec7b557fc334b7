// The standard library cannot read the environment.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How much tests do whose worth grows with it.
///
/// Debug builds take ten times as long for it and show nothing that optimized ones don't, so they
/// do less: `Scripts/check release` does all of it.
package enum Effort {
  /// Whether `ECS_LONG_TESTS` is set: tests may take minutes, and do for real what they get to by a
  /// short cut otherwise.
  package static let isUnlimited = unsafe getenv("ECS_LONG_TESTS") != nil

  /// Whether this build is another than that of `swift test` without options.
  package static var isOptimizedOrSanitized: Bool {
    #if DEBUG && !AddressSanitizer && !ThreadSanitizer
      false
    #else
      true
    #endif
  }

  /// How many steps each thread of a race makes: `ECS_RACE_STEPS`, or what the normal run can
  /// afford.
  package static let raceSteps: Int = raceSteps(orElse: 100_000)

  /// The same for a race that shows what there is to show in fewer steps.
  package static func raceSteps(orElse affordable: Int) -> Int {
    number("ECS_RACE_STEPS") ?? full(affordable, debug: 1_000)
  }

  /// How long chains are that must not be followed by recursion.
  package static let chainLength = full(1_000_000, debug: 100_000)

  /// How many programs of a model are run: `ECS_MODEL_SEEDS`, or what the normal run can afford.
  package static let modelSeeds = number("ECS_MODEL_SEEDS") ?? full(200, debug: 1)

  /// The seeds of random programs: as many as asked for, but at least one, from
  /// `ECS_FIRST_MODEL_SEED` on, or the one of `ECS_MODEL_SEED`.
  package static func seeds(_ count: Int = modelSeeds) -> Range<UInt64> {
    let first = UInt64(onlyModelSeed ?? number("ECS_FIRST_MODEL_SEED") ?? 0)
    return first..<first + UInt64(onlyModelSeed == nil ? max(1, count) : 1)
  }

  /// How many steps a random program makes: all, or half of them in debug builds.
  package static func steps(_ count: Int) -> Int { full(count, debug: count / 2) }

  /// How many steps a program makes in which listeners begin and end: `ECS_BEGINNING_STEPS`, or
  /// what the normal run can afford.
  package static let beginningSteps = number("ECS_BEGINNING_STEPS") ?? full(1000, debug: 200)

  /// `ECS_MODEL_SEED`: run this one program of a model only, and print each step before it is run.
  package static let onlyModelSeed = number("ECS_MODEL_SEED")

  /// How many inputs a fuzz test of saved data tries: `ECS_SNAPSHOT_INPUTS`, or what the normal run
  /// can afford.
  package static func inputs(orElse affordable: Int) -> Int {
    number("ECS_SNAPSHOT_INPUTS") ?? affordable
  }

  /// A number for optimized builds and long runs, or the one for debug builds.
  package static func full(_ count: Int, debug: Int) -> Int {
    #if DEBUG
      isUnlimited ? count : debug
    #else
      count
    #endif
  }

  private static func number(_ variable: String) -> Int? {
    unsafe getenv(variable).flatMap { unsafe Int(String(cString: $0)) }
  }
}
