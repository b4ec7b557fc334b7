/// A system in a loop: what it can do, and what it has done.
final class SystemStep {
  let name: String
  let triggers: [Collector]
  var statistics: SystemStatistics
  var isInitialised = false

  let initial: (any InitSystem)?
  let executing: (any ExecuteSystem)?
  let reactive: (any ReactiveSystem)?
  let collector: Collector?
  let isStrict: Bool
  let cleaning: (any CleanupSystem)?
  let ending: (any TeardownSystem)?

  init(_ system: any System) {
    name = system.name
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
  }

  /// Whether the system still has to be initialised.
  var needsInit: Bool { initial != nil && !isInitialised }

  /// Whether something was collected since the last run, restored entities apart.
  var hasNews: Bool { triggers.contains(where: \.hasNews) }

  /// Whether one of the triggers holds restored entities and no others.
  var hasRestored: Bool { triggers.contains { !$0.isEmpty && !$0.hasNews } }

  var hasCollected: Bool { triggers.contains { !$0.isEmpty } }
}
