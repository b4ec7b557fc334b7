/// A property of the package that can be counted, and therefore holds on every machine or on none.
///
/// A gate also has a way to break its property, and has to notice: one that cannot fail says
/// nothing.
struct Gate {
  /// The property, as a sentence.
  let name: String

  /// What is counted.
  let unit: String

  /// The counts that are all right.
  let allowed: ClosedRange<Int>

  /// Counts what the property is about.
  let count: () -> Count

  /// Counts the same where the property does not hold.
  let countBroken: () -> Count

  /// What counting gave.
  enum Count {
    case of(Int)
    case impossible(String)
  }

  /// What became of a gate.
  enum Verdict {
    case holds(Int, broken: Int)
    case fails(Int)
    case cannotFail(broken: Int)
    case skipped(String)

    var isFailure: Bool {
      switch self {
      case .holds, .skipped: false
      case .fails, .cannotFail: true
      }
    }
  }

  /// Counts both.
  func judge() -> Verdict {
    switch (count(), countBroken()) {
    case (.impossible(let reason), _), (_, .impossible(let reason)): .skipped(reason)
    case (.of(let count), .of(let broken)):
      if !allowed.contains(count) {
        .fails(count)
      } else if allowed.contains(broken) {
        .cannotFail(broken: broken)
      } else {
        .holds(count, broken: broken)
      }
    }
  }

  /// The line that tells the verdict.
  func report(_ verdict: Verdict) -> String {
    let limit = allowed.count == 1 ? "\(allowed.lowerBound)" : "\(allowed)"
    switch verdict {
    case .holds(let count, let broken):
      return "ok       \(name): \(count) \(unit) (broken on purpose: \(broken))"
    case .fails(let count):
      return "FAILED   \(name): \(count) \(unit), allowed: \(limit)"
    case .cannotFail(let broken):
      return "FAILED   \(name): broken on purpose, there were \(broken) \(unit) anyway"
    case .skipped(let reason):
      return "skipped  \(name): \(reason)"
    }
  }
}
