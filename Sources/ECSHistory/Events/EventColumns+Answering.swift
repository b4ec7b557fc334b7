import ECS

extension EventColumns {
  func answer(
    _ query: EventQuery, limit: Int, contextNames: [String], groupNames: [String]
  ) -> EventQueryResult {
    let mask = matches(query, contextNames: contextNames, groupNames: groupNames)
    switch query.subject {
    case .events: return events(mask, limit, contextNames)
    case .systems:
      let system = EventColumns.number(of: .system)
      return .systems(counts(causes, mask) { causeKinds[$0] == system })
    case .components: return .components(counts(components, mask) { _ in true })
    case .entities: return entities(mask, limit, contextNames)
    case .durations: return .durations(durations(mask))
    }
  }

  private func events(_ mask: [UInt8], _ limit: Int, _ contextNames: [String]) -> EventQueryResult {
    let total = mask.reduce(0) { $0 &+ Int($1) }
    var found: [LoggedEvent] = []
    var age = count - 1
    // From the newest one on.
    while found.count < min(limit, total), age >= 0 {
      let place = (first + age) % count
      if mask[place] == 1 { found.append(event(at: place, contextNames)) }
      age -= 1
    }
    return .events(found.reversed(), total: total)
  }

  private func event(at place: Int, _ contextNames: [String]) -> LoggedEvent {
    let context = Int(contexts[place])
    let isOfContext = context < contextNames.count
    let causeKind: Cause.Kind =
      switch causeKinds[place] {
      case 1: .section
      case 2: .system
      case 3: .observer
      default: .unknown
      }
    return LoggedEvent(
      number: number(at: place), kind: EventKind.allCases[Int(kinds[place])],
      time: .nanoseconds(times[place]), tick: ticks[place],
      context: isOfContext ? contextNames[context] : nil,
      commit: commits[place] == 0 ? nil : Int(clamping: commits[place]),
      entity: slots[place] == .max ? nil : "\(slots[place]).\(generations[place])",
      key: names[keys[place]], component: names[components[place]], causeKind: causeKind,
      cause: names[causes[place]], text: names[texts[place]],
      duration: durations[place] < 0 ? nil : .nanoseconds(durations[place]))
  }

  private func counts(
    _ column: [UInt32], _ mask: [UInt8], _ isCounted: (Int) -> Bool
  ) -> [EventCount] {
    var counts: [Int] = []
    for place in mask.indices where mask[place] == 1 && isCounted(place) {
      let number = Int(column[place])
      if number >= counts.count {
        counts += [Int](repeating: 0, count: max(64, number + 1 - counts.count))
      }
      counts[number] += 1
    }
    let found = counts.enumerated().compactMap { number, count in
      count == 0 ? nil : names[UInt32(number)].map { EventCount(name: $0, count: count) }
    }
    return EventColumns.sorted(found)
  }

  private static func sorted(_ counts: [EventCount]) -> [EventCount] {
    counts.sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }

  /// An entity of one of the contexts.
  private struct Place: Hashable {
    let context: UInt16
    let slot: UInt32
    let generation: UInt32
  }

  private func entities(
    _ mask: [UInt8], _ limit: Int, _ contextNames: [String]
  ) -> EventQueryResult {
    // Most slots have one entity; others have those in a table.
    var generation: [UInt32] = []
    var context: [UInt16] = []
    var counts: [Int] = []
    var others: [Place: Int] = [:]
    for place in mask.indices where mask[place] == 1 && slots[place] != .max {
      let slot = Int(slots[place])
      if slot >= counts.count {
        let more = max(1024, slot + 1 - counts.count)
        counts += [Int](repeating: 0, count: more)
        generation += [UInt32](repeating: 0, count: more)
        context += [UInt16](repeating: 0, count: more)
      }
      if counts[slot] == 0 {
        (generation[slot], context[slot]) = (generations[place], contexts[place])
      }
      if generation[slot] == generations[place], context[slot] == contexts[place] {
        counts[slot] += 1
      } else {
        let other = Place(
          context: contexts[place], slot: slots[place], generation: generations[place])
        others[other, default: 0] += 1
      }
    }
    var found: [(place: Place, count: Int)] = others.map { ($0, $1) }
    for (slot, count) in counts.enumerated() where count > 0 {
      let place = Place(context: context[slot], slot: UInt32(slot), generation: generation[slot])
      found.append((place, count))
    }
    let total = found.count
    found.sort { (left, right) in
      let (one, other) = (left.place, right.place)
      return left.count != right.count
        ? left.count > right.count
        : (one.slot, one.generation, one.context) < (other.slot, other.generation, other.context)
    }
    let counted = found.prefix(limit).map { place, count in
      let number = Int(place.context)
      return EventCount(
        name: "\(place.slot).\(place.generation)", count: count,
        context: number < contextNames.count ? contextNames[number] : nil)
    }
    return .entities(counted, total: total)
  }

  private func durations(_ mask: [UInt8]) -> [SystemDuration] {
    struct Sum {
      var count = 0
      var total: Int64 = 0
      var longest: Int64 = 0
    }
    var sums: [UInt64: Sum] = [:]
    for place in mask.indices where mask[place] == 1 && durations[place] >= 0 {
      let key = UInt64(causes[place]) << 8 | UInt64(kinds[place])
      sums[key, default: Sum()].count += 1
      sums[key, default: Sum()].total &+= durations[place]
      sums[key, default: Sum()].longest = max(sums[key]?.longest ?? 0, durations[place])
    }
    return sums.compactMap { key, sum in
      names[UInt32(truncatingIfNeeded: key >> 8)].map {
        SystemDuration(
          system: $0, kind: EventKind.allCases[Int(key & 0xFF)], count: sum.count,
          total: .nanoseconds(sum.total), longest: .nanoseconds(sum.longest))
      }
    }
    .sorted {
      $0.total != $1.total
        ? $0.total > $1.total : ($0.system, $0.kind.rawValue) < ($1.system, $1.kind.rawValue)
    }
  }
}
