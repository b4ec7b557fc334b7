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
      let index = (first + age) % count
      if mask[index] == 1 { found.append(event(at: index, contextNames)) }
      age -= 1
    }
    return .events(found.reversed(), total: total)
  }

  private func event(at index: Int, _ contextNames: [String]) -> LoggedEvent {
    let context = Int(contexts[index])
    let isOfContext = context < contextNames.count
    let causeKind: Cause.Kind =
      switch causeKinds[index] {
      case 1: .section
      case 2: .system
      case 3: .observer
      default: .unknown
      }
    return LoggedEvent(
      number: number(at: index), kind: EventKind.allCases[Int(kinds[index])],
      time: .nanoseconds(times[index]), tick: ticks[index],
      context: isOfContext ? contextNames[context] : nil,
      commit: commits[index] == 0 ? nil : Int(clamping: commits[index]),
      entity: slots[index] == .max ? nil : "\(slots[index]).\(generations[index])",
      key: names[keys[index]], component: names[components[index]], causeKind: causeKind,
      cause: names[causes[index]], loop: names[loops[index]], text: names[texts[index]],
      duration: durations[index] < 0 ? nil : .nanoseconds(durations[index]))
  }

  private func componentCounts(_ mask: [UInt8]) -> [EventCount] {
    var counts = KeyedCounts<UInt32>()
    for index in mask.indices where mask[index] == 1 { counts.add(components[index], 0) }
    return EventColumns.sorted(
      counts.all.compactMap { id, _, count in
        names[id].map { EventCount(name: $0, count: count) }
      })
  }

  private func systems(_ mask: [UInt8]) -> [EventCount] {
    let system = EventColumns.number(of: .system)
    var counts = KeyedCounts<UInt32>()
    for index in mask.indices where mask[index] == 1 && causeKinds[index] == system {
      counts.add(causes[index], loops[index])
    }
    return EventColumns.sorted(
      counts.all.compactMap { id, loop, count in
        names[id].map { EventCount(name: $0, count: count, loop: names[loop]) }
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
    var counts = KeyedCounts<Occupant>()
    for index in mask.indices where mask[index] == 1 && slots[index] != .max {
      counts.add(
        slots[index], Occupant(context: contexts[index], generation: generations[index]))
    }
    var found = counts.all
    let total = found.count
    found.sort { (left, right) in
      let (one, other) = (left.rest, right.rest)
      return left.count != right.count
        ? left.count > right.count
        : (left.id, one.generation, one.context)
          < (right.id, other.generation, other.context)
    }
    let counted = found.prefix(limit).map { slot, occupant, count in
      let context = Int(occupant.context)
      return EventCount(
        name: "\(slot).\(occupant.generation)", count: count,
        context: context < contextNames.count ? contextNames[context] : nil)
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
    for index in mask.indices where mask[index] == 1 && durations[index] >= 0 {
      let run = Run(system: causes[index], loop: loops[index], kind: kinds[index])
      sums[run, default: Sum()].add(durations[index])
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
