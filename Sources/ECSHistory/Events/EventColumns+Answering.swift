import ECS

extension EventColumns {
  func answer(
    _ query: EventQuery, limit: Int, contextNames: [String], groupNames: [String]
  ) -> EventQueryResult {
    let mask = matches(query, contextNames: contextNames, groupNames: groupNames)
    switch query.subject {
    case .events: return events(mask, limit, contextNames)
    case .systems: return .systems(systems(mask))
    case .components: return .components(componentCounts(mask))
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
      cause: names[causes[place]], loop: names[loops[place]], text: names[texts[place]],
      duration: durations[place] < 0 ? nil : .nanoseconds(durations[place]))
  }

  private func componentCounts(_ mask: [UInt8]) -> [EventCount] {
    var counts = Tally<UInt32>()
    for place in mask.indices where mask[place] == 1 { counts.add(components[place], 0) }
    return EventColumns.sorted(
      counts.all.compactMap { number, _, count in
        names[number].map { EventCount(name: $0, count: count) }
      })
  }

  private func systems(_ mask: [UInt8]) -> [EventCount] {
    let system = EventColumns.number(of: .system)
    var counts = Tally<UInt32>()
    for place in mask.indices where mask[place] == 1 && causeKinds[place] == system {
      counts.add(causes[place], loops[place])
    }
    return EventColumns.sorted(
      counts.all.compactMap { number, loop, count in
        names[number].map { EventCount(name: $0, count: count, loop: names[loop]) }
      })
  }

  private static func sorted(_ counts: [EventCount]) -> [EventCount] {
    counts.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : ($0.name, $0.loop ?? "") < ($1.name, $1.loop ?? "")
    }
  }

  /// The properties that tell entities of one slot apart.
  private struct Occupant: Hashable {
    var context: UInt16 = 0
    var generation: UInt32 = 0
  }

  private func entities(
    _ mask: [UInt8], _ limit: Int, _ contextNames: [String]
  ) -> EventQueryResult {
    var counts = Tally<Occupant>()
    for place in mask.indices where mask[place] == 1 && slots[place] != .max {
      counts.add(
        slots[place], Occupant(context: contexts[place], generation: generations[place]))
    }
    var found = counts.all
    let total = found.count
    found.sort { (left, right) in
      let (one, other) = (left.rest, right.rest)
      return left.count != right.count
        ? left.count > right.count
        : (left.number, one.generation, one.context)
          < (right.number, other.generation, other.context)
    }
    let counted = found.prefix(limit).map { slot, occupant, count in
      let number = Int(occupant.context)
      return EventCount(
        name: "\(slot).\(occupant.generation)", count: count,
        context: number < contextNames.count ? contextNames[number] : nil)
    }
    return .entities(counted, total: total)
  }

  private func durations(_ mask: [UInt8]) -> [SystemDuration] {
    struct Sum {
      var count = 0
      var total: Int64 = 0
      var longest: Int64 = 0

      mutating func add(_ duration: Int64) {
        count += 1
        let (sum, overflows) = total.addingReportingOverflow(duration)
        total = overflows ? .max : sum
        longest = max(longest, duration)
      }
    }
    struct Run: Hashable {
      let system: UInt32
      let loop: UInt32
      let kind: UInt8
    }
    var sums: [Run: Sum] = [:]
    for place in mask.indices where mask[place] == 1 && durations[place] >= 0 {
      let run = Run(system: causes[place], loop: loops[place], kind: kinds[place])
      sums[run, default: Sum()].add(durations[place])
    }
    return sums.compactMap { run, sum in
      names[run.system].map {
        SystemDuration(
          system: $0, loop: names[run.loop], kind: EventKind.allCases[Int(run.kind)],
          count: sum.count,
          total: .nanoseconds(sum.total), longest: .nanoseconds(sum.longest))
      }
    }
    .sorted {
      $0.total != $1.total
        ? $0.total > $1.total
        : ($0.system, $0.loop ?? "", $0.kind.rawValue)
          < ($1.system, $1.loop ?? "", $1.kind.rawValue)
    }
  }
}
