/// Which collectors the systems of a loop drain, those of loops inside it included.
struct CollectorClaims {
  private var systems: [ObjectIdentifier: String] = [:]

  /// What several steps drain.
  ///
  /// - Precondition: No two systems drain the same collector.
  init(_ steps: [SystemStep], ofLoop loop: String) {
    for step in steps { add(CollectorClaims(step), inLoop: loop) }
  }

  /// What a step drains.
  init(_ step: SystemStep) {
    if let collector = step.collector { systems[ObjectIdentifier(collector)] = step.name }
    if let nested = step.nested { systems.merge(nested.claims.systems) { own, _ in own } }
  }

  /// Adds what a further system drains.
  ///
  /// - Precondition: No system so far drains the same collector.
  mutating func add(_ other: CollectorClaims, inLoop loop: String) {
    if let message = conflict(with: other, inLoop: loop) { stop(message) }
    systems.merge(other.systems) { own, _ in own }
  }

  /// What is wrong if both are in one loop; nil if nothing is.
  func conflict(with other: CollectorClaims, inLoop loop: String) -> String? {
    for (collector, name) in other.systems {
      guard let first = systems[collector] else { continue }
      return
        "Systems \(first) and \(name) of loop \(loop) were given the same collector, which the first of them empties, so the other never runs: give each its own collector."
    }
    return nil
  }
}
