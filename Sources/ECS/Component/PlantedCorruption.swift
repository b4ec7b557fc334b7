#if InternalChecks
  /// A fault that a test plants inside a context, to see that the walk of its invariants stops
  /// there.
  @usableFromInline
  package enum PlantedCorruption: String, CaseIterable, Codable, Sendable {
    case rowOfEntity, countOfEntities, ordinalOfEntity, tablesOfGroup
    case freedSlot, forgottenSlot
    case handleInLog
    case positionInIndex, countOfKeys, entityInIndex, linkToKey
    case orderOfView, countOfView, entityOfView
    case linkOfRelation, cycleOfRelation, secondTarget, linkOfView
  }
#endif
