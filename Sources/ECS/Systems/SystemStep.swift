/// A system in a loop: what it can do, and what it has done.
final class SystemStep {
  /// The outcome of initialising a system.
  enum Initialisation {
    /// Nothing yet.
    case due

    /// The system threw: it is left out until it does not.
    case failed

    case done
  }

  let name: String
  let triggers: [Collector]
  var statistics: SystemStatistics
  var initialisation = Initialisation.due

  let initial: (any InitSystem)?
  let executing: (any ExecuteSystem)?
  let reactive: (any ReactiveSystem)?
  let collector: Collector?
  let isStrict: Bool
  let cleaning: (any CleanupSystem)?
  let ending: (any TeardownSystem)?

  /// The runner of the system, if that is a loop.
  let nested: SystemRunner?

  /// The cause in journals of the changes that the system makes.
  let cause: CurrentCause

  /// Whether it is time to execute the system; nil if it is executed in every pass.
  let due: PeriodicSystem.Due?

  /// Where the system may be called.
  let isolation: SystemIsolation

  init(_ system: any System, inLoop loop: String) {
    isolation = SystemIsolation(of: system)
    require(
      isolation.isCurrent,
      "System \(type(of: system)) was given to loop \(loop) by code that does not run on the actor that the system belongs to: make the loop, or add the system, on that actor."
    )
    name = system.name
    cause = CurrentCause(Cause(kind: .system, name: system.name, loop: loop))
    statistics = SystemStatistics(name: name)
    initial = system as? any InitSystem
    executing = system as? any ExecuteSystem
    reactive = system as? any ReactiveSystem
    collector = reactive?.collector
    let listed = system.triggers
    triggers =
      listed
      + [collector].compactMap(\.self).filter { own in
        !listed.contains { $0 === own }
      }
    isStrict = system is any StrictReactiveSystem
    cleaning = system as? any CleanupSystem
    ending = system as? any TeardownSystem
    nested = (system as? Loop)?.runner
    due = (system as? PeriodicSystem)?.due
  }

  /// Whether the system still has to be initialized; of a loop, whether one of its systems has.
  var needsInit: Bool {
    initial != nil && (initialisation != .done || nested?.needsInit == true)
  }

  /// Whether the system is not called because it could not be initialized.
  var isLeftOut: Bool { initialisation == .failed }

  /// The triggers that no system looks after because their systems are left out.
  var leftOutTriggers: [Collector] {
    isLeftOut ? triggers : nested?.leftOutTriggers ?? []
  }

  /// Whether the system may be torn down.
  var canBeTornDown: Bool { initial == nil || initialisation == .done }

  /// Whether something was collected since the last run, restored entities apart, or it is time.
  var hasNews: Bool { due?.isSet == true || hasCollectedNews }

  /// Whether something was collected since the last run, restored entities apart.
  var hasCollectedNews: Bool { isAnyTrigger(\.hasNews) }

  /// Whether one of the triggers holds restored entities and no others.
  var hasRestored: Bool { isAnyTrigger { !$0.isEmpty && !$0.hasNews } }

  var hasCollected: Bool { isAnyTrigger { !$0.isEmpty } }

  /// Whether a condition holds for one of the triggers that a system looks after.
  @inline(never)
  private func isAnyTrigger(_ condition: (Collector) -> Bool) -> Bool {
    let leftOut = leftOutTriggers
    return triggers.contains { trigger in
      !leftOut.contains { $0 === trigger } && condition(trigger)
    }
  }
}
