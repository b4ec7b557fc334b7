/// A system that works on the entities that changed.
///
/// ```swift
/// final class Persist: ReactiveSystem {
///   let collector: Collector
///   init(_ context: Context) {
///     collector = context.collector(for: Option.matcher, type: .addedOrUpdated)
///   }
///   func execute(entities: EntitySet) throws { for entity in entities { try save(entity) } }
/// }
/// ```
///
/// Each run drains the collector, so each system needs its own: a loop refuses two systems
/// that share one, since the second of them would never run.
///
/// If `execute(entities:)` throws, the loop's error handler is called, and the entities are
/// collected again unless it drops them. See ``LoopFailure``.
public protocol ReactiveSystem: System {
  /// What the system works on. A loop asks once, when the system is added.
  var collector: Collector { get }

  /// Works on the entities that were collected since the last run; not called if there are none.
  ///
  /// - Parameter entities: All collected entities, in the order in which they were first collected.
  ///   Some may be dead or no longer match; see ``StrictReactiveSystem``.
  /// - Throws: Any error; see ``LoopFailure``.
  func execute(entities: EntitySet) throws
}
