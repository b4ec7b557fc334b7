public import ECS

/// A way to follow what a loop does: by logs, metrics or traces.
///
/// ```swift
/// loop.instrument(.logging(logger), .metrics(), .tracing())
/// ```
///
/// Each of them needs the trait of its name: `Logging`, `Metrics`, `Tracing`. Instruments can be
/// given to any number of loops, which tell themselves apart by their names.
public struct LoopInstrument: Sendable {
  /// The name, of which a loop has one instrument at most.
  let name: String

  /// What the loop calls.
  let logger: any SystemLogger
}

extension ReactiveLoop {
  /// Follows what the loop does from its next pass on.
  ///
  /// A loop has one instrument of each kind: a second one replaces the first, so nothing is counted
  /// twice. A loop inside the loop has its own instruments.
  ///
  /// - Parameter instruments: What follows the loop.
  /// - Complexity: O(1) for each instrument.
  public func instrument(_ instruments: LoopInstrument...) {
    for instrument in instruments { setLogger(instrument.logger, named: instrument.name) }
  }
}

extension Loop {
  /// Follows what the loop does from the next call on.
  ///
  /// A loop has one instrument of each kind: a second one replaces the first, so nothing is counted
  /// twice. A loop inside the loop has its own instruments.
  ///
  /// - Parameter instruments: What follows the loop.
  /// - Complexity: O(1) for each instrument.
  public func instrument(_ instruments: LoopInstrument...) {
    for instrument in instruments { setLogger(instrument.logger, named: instrument.name) }
  }
}
