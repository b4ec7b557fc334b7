import ECS

// Which events satisfy a query: one term after the other goes through a column.
extension EventColumns {
  /// The effect of a term on those events that satisfied the terms before.
  private enum Operation {
    case and
    case or
    case andNot
  }

  /// 1 at the indices of events that satisfy a query, else 0.
  func matches(
    _ query: EventQuery, contextNames: [String], groupNames: [String]
  ) -> [UInt8] {
    var mask = [UInt8](repeating: 1, count: count)
    for term in query.all { test(term, &mask, .and, contextNames, groupNames) }
    if !query.any.isEmpty {
      var anyMask = [UInt8](repeating: 0, count: count)
      for term in query.any { test(term, &anyMask, .or, contextNames, groupNames) }
      combine(anyMask, &mask, .and) { $0 == 1 }
    }
    for term in query.none { test(term, &mask, .andNot, contextNames, groupNames) }
    return mask
  }

  // PERFORMANCE: a loop for each operation, over spans of one length, has no checks inside and
  // works on many elements at once.
  @inline(__always)
  private func combine<Element>(
    _ column: [Element], _ mask: inout [UInt8], _ operation: Operation,
    _ isWanted: (Element) -> Bool
  ) {
    let source = column.span
    var target = mask.mutableSpan
    let count = min(source.count, target.count)
    switch operation {
    case .and: for index in 0..<count { target[index] &= isWanted(source[index]) ? 1 : 0 }
    case .or: for index in 0..<count { target[index] |= isWanted(source[index]) ? 1 : 0 }
    case .andNot: for index in 0..<count { target[index] &= isWanted(source[index]) ? 0 : 1 }
    }
  }

  private func test(
    _ term: EventQuery.Term, _ mask: inout [UInt8], _ operation: Operation,
    _ contextNames: [String], _ groupNames: [String]
  ) {
    switch term {
    case .kind(let kind):
      let number = kind.number
      combine(kinds, &mask, operation) { $0 == number }
    case .component(let name): test(components, name, &mask, operation)
    case .cause(let name): test(causes, name, &mask, operation)
    case .loop(let name): test(loops, name, &mask, operation)
    case .key(let name): test(keys, name, &mask, operation)
    case .system(let name): test(EventColumns.number(of: .system), name, &mask, operation)
    case .observer(let name): test(EventColumns.number(of: .observer), name, &mask, operation)
    case .context(let name):
      let wanted = contextNames.map { $0 == name } + [false]
      let last = wanted.count - 1
      combine(contexts, &mask, operation) { wanted[min(Int($0), last)] }
    case .group(let name):
      guard let number = groupNames.firstIndex(of: name) else { return nowhere(&mask, operation) }
      let bit: UInt64 = 1 << UInt64(number)
      combine(groups, &mask, operation) { $0 & bit != 0 }
    case .noEntity: combine(slots, &mask, operation) { $0 == .max }
    // Which no entity has, but events of none.
    case .entity(.max, _): nowhere(&mask, operation)
    case .entity(let slot, nil): combine(slots, &mask, operation) { $0 == slot }
    case .entity(let slot, let generation?):
      var part = [UInt8](repeating: 1, count: count)
      combine(slots, &part, .and) { $0 == slot }
      combine(generations, &part, .and) { $0 == generation }
      combine(part, &mask, operation) { $0 == 1 }
    case .info(let text):
      guard let text else {
        return combine(texts, &mask, operation) { $0 == EventNames.none }
      }
      let wanted = names.satisfying { $0.contains(text) }
      guard wanted.contains(true) else { return nowhere(&mask, operation) }
      combine(texts, &mask, operation) { wanted[Int($0)] }
    case .tick(let range): test(ticks, range, &mask, operation)
    case .commit(let range):
      // Events of systems have no commit, whose numbers begin with 1.
      guard range.upperBound > 0 else { return nowhere(&mask, operation) }
      test(commits, max(range.lowerBound, 1)...range.upperBound, &mask, operation)
    case .event(let range): combine(eventMask(of: range), &mask, operation) { $0 == 1 }
    }
  }

  private func nowhere(_ mask: inout [UInt8], _ operation: Operation) {
    combine(kinds, &mask, operation) { _ in false }
  }

  private func test(
    _ column: [UInt64], _ range: ClosedRange<UInt64>, _ mask: inout [UInt8],
    _ operation: Operation
  ) {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    combine(column, &mask, operation) { $0 >= lower && $0 <= upper }
  }

  private func test(
    _ column: [UInt32], _ name: String?, _ mask: inout [UInt8], _ operation: Operation
  ) {
    guard let number = name.map({ names.number(of: $0) }) ?? EventNames.none else {
      return nowhere(&mask, operation)
    }
    combine(column, &mask, operation) { $0 == number }
  }

  /// Events that a system or an observer is the cause of; those that none is if there is no name.
  private func test(
    _ kind: UInt8, _ name: String?, _ mask: inout [UInt8], _ operation: Operation
  ) {
    guard let name else { return combine(causeKinds, &mask, operation) { $0 != kind } }
    var part = [UInt8](repeating: 1, count: count)
    test(causes, name, &part, .and)
    combine(causeKinds, &part, .and) { $0 == kind }
    combine(part, &mask, operation) { $0 == 1 }
  }

  /// 1 at the indices of events with numbers in a range.
  private func eventMask(of range: ClosedRange<UInt64>) -> [UInt8] {
    var mask = [UInt8](repeating: 0, count: count)
    let oldest = total - UInt64(count)
    guard count > 0, range.upperBound >= oldest, range.lowerBound < total else { return mask }
    let begin = Int(max(range.lowerBound, oldest) - oldest)
    let end = Int(min(range.upperBound, total - 1) - oldest)
    for age in begin...end { mask[(first + age) % count] = 1 }
    return mask
  }
}
