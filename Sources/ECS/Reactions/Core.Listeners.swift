extension Core {
  /// Everything that reacts to changes, by the sets of tables that it listens to.
  struct Listeners: ~Copyable {
    /// Counts when the reactions to changes of tables are forgotten.
    var epoch: UInt64 = 0

    /// The sets of tables, by their indices.
    var sets: [TableSet] = []

    /// Those of them that have listeners, in any order.
    var listening: [TableSet] = []

    /// The sets of all tables with one component, of those that were ever indexed.
    var setsOfComponents: [CID: TableSet] = [:]

    /// The set of all tables; nil until needed.
    var setOfAll: TableSet?

    /// The sinks of sets that read values.
    var readers: [ObjectIdentifier: EntitySink] = [:]

    /// The sinks that have put changes off.
    var dirtySinks: [EntitySink] = []

    /// The number of indexes and sinks that were ever registered.
    var registrations: UInt64 = 0

    /// Notified of each entity that is destroyed, after everything else.
    var destructionSink: EntitySink?

    /// The observers of the context.
    var contextObservers: EventSubscriber?

    /// The number of times that a matcher was asked whether it accepts a table, which is never done
    /// for an entity.
    var matcherEvaluations = 0

    /// Notes whether a set has listeners.
    mutating func noteListening(to set: TableSet) {
      guard set.isInUse else { return }
      let index = set.listeningIndex
      if set.hasListeners {
        guard index < 0 else { return }
        set.listeningIndex = listening.count
        listening.append(set)
      } else if index >= 0 {
        let last = listening.removeLast()
        if last !== set {
          listening[index] = last
          last.listeningIndex = index
        }
        set.listeningIndex = -1
      }
    }

    /// Whether a sink may read values of a component, at any change.
    ///
    /// If there are many sinks, they are not asked.
    func mayRead(_ cid: CID) -> Bool {
      let readers = readers
      if readers.isEmpty { return false }
      return readers.count > 16
        || readers.values.contains { sink in
          sink.more.contains(cid) || sink.tables?.matcher.mentions(cid) == true
        }
    }

    /// Whether a primary index is of a component.
    func hasPrimaryIndex(of cid: CID) -> Bool {
      setsOfComponents[cid]?.indexes.contains { $0.identify != nil } == true
    }

    /// Forgets all sets and listeners.
    mutating func removeAll() {
      (sets, listening, setsOfComponents, setOfAll) = ([], [], [:], nil)
      (readers, destructionSink, contextObservers) = ([:], nil, nil)
    }
  }
}
