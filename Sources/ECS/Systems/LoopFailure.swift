/// A failure in a loop, as passed to its error handler.
///
/// Without an error handler, it is logged as a line on standard error: see ``log()``. A failure in
/// a ``Loop`` that is a system of another loop is reported to the handlers of both, the inner one
/// first, and counts as an error of the inner loop in the ``SystemStatistics`` of the outer one.
///
/// ```swift
/// ReactiveLoop(ctx: context, queue: queue, systems: [Persist(context)]) { failure in
///   report(failure)
///   if failure.error is Unrecoverable { failure.dropsEntities = true }
/// }
/// ```
///
/// The other systems keep running. The entities of the run that threw are collected again, unless
/// the handler drops them: a ``Loop`` gives them to the system when it next executes, a
/// ``ReactiveLoop`` with the next change or after a while, as ``ReactiveLoop/Retry`` says.
///
/// A system that threw when it was initialized is skipped: it does not execute, clean up or get
/// torn down, and its collectors keep collecting, until initializing it succeeds. A ``Loop``
/// tries that with each ``Loop/initialise()``, a ``ReactiveLoop`` when it retries entities.
public struct LoopFailure: Error {
  /// The phase that a system was in.
  public enum Phase: Hashable, Sendable {
    /// `initialise`.
    case initialise

    /// `execute`.
    case execute

    /// `cleanup`.
    case cleanup

    /// `teardown`.
    case teardown
  }

  /// The kinds of failures.
  public enum Reason: Sendable {
    /// A system threw an error.
    case systemThrew(any Error, in: Phase)

    /// Systems of a reactive loop kept it awake for this many passes in a row by changing what
    /// they or each other collect. The loop goes on.
    case keptAwake(passes: Int)
  }

  /// What happened.
  public let reason: Reason

  /// The name of the loop.
  public let loop: String

  /// The names of the systems: the one that threw, or those that keep triggering each other.
  public let systems: [String]

  /// The entities that the system was working on; empty if it was not a reactive one.
  public let entities: EntitySet

  /// Whether the entities are given up.
  ///
  /// False by default: they are collected again.
  public var dropsEntities = false

  /// The name of the system that threw, or the first of those that keep triggering each other.
  public var system: String { systems.first ?? "" }

  /// The error that a system threw; nil if none did.
  public var error: (any Error)? {
    if case .systemThrew(let error, _) = reason { error } else { nil }
  }
}

extension LoopFailure: CustomStringConvertible {
  /// A sentence with all names and numbers.
  public var description: String {
    switch reason {
    case .systemThrew(let error, let phase):
      "System \(system) of loop \(loop) threw in \(phase)\(work): \(error)"
    case .keptAwake(let passes):
      "Systems of loop \(loop) kept it awake for \(passes) passes: \(systems.joined(separator: ", "))"
    }
  }

  private var work: String {
    switch entities.count {
    case 0: ""
    case 1: ", with 1 entity"
    default: ", with \(entities.count) entities"
    }
  }

  /// Writes the description as a line to standard error.
  ///
  /// Loops without an error handler do this; a handler that only adds something can call it, too.
  public func log() { StandardError.writeLine("\(self)") }
}
