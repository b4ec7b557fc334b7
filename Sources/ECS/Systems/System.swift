/// A piece of work that a ``Loop`` or a ``ReactiveLoop`` carries out.
///
/// The protocols that a system conforms to, any number of them, say when it is called:
///
/// | Protocol | When it is called |
/// |---|---|
/// | ``InitSystem`` | once, before everything else |
/// | ``ReactiveSystem``, ``StrictReactiveSystem`` | with the entities that its collector gathered |
/// | ``ExecuteSystem`` | in every pass |
/// | ``CleanupSystem`` | in every pass, after all systems have executed |
/// | ``TeardownSystem`` | once, at the end |
///
/// Systems need not be `Sendable`: a loop calls its systems one at a time. A system of the main
/// actor says so in its conformance, and goes into a loop on the main queue:
///
/// ```swift
/// @MainActor final class Display: @MainActor ReactiveSystem { ... }
/// ```
public protocol System {
  /// The name in logs, statistics and errors. By default, the name of the type.
  var name: String { get }

  /// The collectors that wake a ``ReactiveLoop`` when they fill.
  ///
  /// None by default. The ``ReactiveSystem/collector`` of a reactive system always is one, listed
  /// or not. The system drains any others itself: as long as something new is in them, the loop
  /// makes further passes. A loop asks once, when the system is added.
  var triggers: [Collector] { get }
}

extension System {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }

  /// No collectors.
  public var triggers: [Collector] { [] }
}
