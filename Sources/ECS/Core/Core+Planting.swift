#if InternalChecks
  extension Core {
    /// Puts something wrong, wherever there is something of the kind.
    func plant(_ contradiction: PlantedCorruption) {
      switch contradiction {
      case .rowOfEntity: unsafe pointer.pointee.slots.records[0].row += 1
      case .countOfEntities: pointer.pointee.slots.liveCount += 1
      case .ordinalOfEntity:
        // SAFETY: there are two entities.
        let ordinals = unsafe pointer.pointee.slots.creationOrder.writableOrdinals(
          of: pointer.pointee.slots.room)
        unsafe ordinals[1] = ordinals[0]
      case .tablesOfGroup:
        for set in pointer.pointee.listeners.sets {
          if let table = unsafe set.tables.last { unsafe set.removeLast(table) }
        }
      case .freedSlot:
        // SAFETY: kept slots had entities.
        for slot in retention.slotsOfHolders {
          unsafe (pointer.pointee.slots.records + Int(slot)).pointee.row = Record.none
        }
      case .forgottenSlot: pointer.pointee.retainedSlots?.counts = [:]
      case .handleInLog:
        for set in pointer.pointee.listeners.sets {
          for log in set.logs { log.log.pointee.plant() }
        }
      case .positionInIndex, .countOfKeys, .entityInIndex, .linkToKey:
        for set in pointer.pointee.listeners.sets {
          for index in set.indexes { index.history.plant(contradiction) }
        }
      case .orderOfView, .countOfView, .entityOfView:
        for sink in sinks.all { sink.plant(contradiction) }
      case .linkOfRelation, .cycleOfRelation, .secondTarget, .linkOfView:
        pointer.pointee.listeners.destructionSink?.plant(contradiction)
      }
    }
  }
#endif
