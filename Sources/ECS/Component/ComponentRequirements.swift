/// A component that comes along with another one.
// Not a value: copies would retain each closure.
final class RequiredComponent: Sendable {
  let cid: CID

  /// How it is made.
  let part: Requirement.Part

  /// How many requirements lead to it: 1 if the other component requires it itself.
  let distance: Int

  init(cid: CID, part: Requirement.Part, distance: Int) {
    (self.cid, self.part, self.distance) = (cid, part, distance)
  }
}

/// The requirements of a component type that has some.
final class ComponentRequirements: Sendable {
  /// What the type requires itself.
  let parts: [Requirement.Part]

  private let all = Guarded<[RequiredComponent]?>(nil)

  /// Nil if nothing is required.
  init?(_ requirement: Requirement) {
    if requirement.parts.isEmpty { return nil }
    parts = requirement.parts
  }

  /// The rule for removing a component of which the type requires that it is there; of several, the
  /// strictest.
  func rule(for key: ComponentKey) -> RemovalRule {
    let rules = parts.filter { $0.key == key }.map(\.rule)
    return rules.contains(.refused) ? .refused : rules.contains(.cascades) ? .cascades : .free
  }

  /// Whether any component may not be removed as if nothing required it.
  var hasRules: Bool { parts.contains { $0.rule != .free } }

  /// Everything that comes along with the type, each component after those that it requires.
  ///
  /// Of several values for a component, it has the nearest one. Worked out when it is first asked
  /// for, which stops if a type requires itself.
  func components(of cid: CID) -> [RequiredComponent] {
    if let known = all.withLock({ $0 }) { return known }
    var order: [CID] = []
    ComponentRequirements.visit(cid, by: [], &order)
    let nearest = nearestParts()
    let found = order.dropLast().compactMap { cid in
      nearest[cid].map { RequiredComponent(cid: cid, part: $0.part, distance: $0.distance) }
    }
    all.withLock { $0 = found }
    return found
  }

  /// Appends types after those that they require.
  private static func visit(_ cid: CID, by path: [CID], _ order: inout [CID]) {
    if let index = path.firstIndex(of: cid) {
      let names = (path[index...] + [cid]).map(\.name).joined(separator: " → ")
      stop("\(cid.name) requires itself (\(names)): leave one of these requirements out.")
    }
    if order.contains(cid) { return }
    for part in cid.requirements?.parts ?? [] { visit(part.cid(), by: path + [cid], &order) }
    order.append(cid)
  }

  private func nearestParts() -> [CID: (part: Requirement.Part, distance: Int)] {
    var nearest: [CID: (part: Requirement.Part, distance: Int)] = [:]
    var (next, distance) = (parts, 1)
    while !next.isEmpty {
      var further: [Requirement.Part] = []
      for part in next {
        let cid = part.cid()
        guard nearest[cid] == nil else { continue }
        nearest[cid] = (part, distance)
        further += cid.requirements?.parts ?? []
      }
      (next, distance) = (further, distance + 1)
    }
    return nearest
  }

  /// Everything that comes along with some types and is not among them.
  ///
  /// Of several values for a component, it has the nearest one; of those that are equally near,
  /// that of the type that brings most, and then of the type whose name is first.
  static func missing(from signature: [CID]) -> [RequiredComponent] {
    let requiring = signature.compactMap { cid in
      cid.requirements.map { (cid: cid, components: $0.components(of: cid)) }
    }
    if requiring.isEmpty { return [] }
    let ordered = requiring.sorted {
      $0.components.count != $1.components.count
        ? $0.components.count > $1.components.count
        : String(reflecting: $0.cid.type) < String(reflecting: $1.cid.type)
    }
    var found: [RequiredComponent] = []
    for component in ordered.flatMap(\.components) where !signature.contains(component.cid) {
      guard let index = found.firstIndex(where: { $0.cid == component.cid }) else {
        found.append(component)
        continue
      }
      if component.distance < found[index].distance { found[index] = component }
    }
    return found
  }
}

extension ComponentRequirements {
  /// The components among some that go with one of them, each before those that it requires; nil if
  /// one that stays refuses that, unless it is forced.
  static func dependents(
    on key: ComponentKey, among signature: [CID], isForced: Bool = false
  ) -> [CID]? {
    let ruling = signature.filter { $0.requirements?.hasRules == true }
    if ruling.isEmpty { return [] }
    var (going, gone): ([CID], [ComponentKey]) = ([], [key])
    var position = 0
    while position < gone.count {
      for cid in ruling where !gone.contains(cid.key) {
        guard cid.requirements?.rule(for: gone[position]) == .cascades else { continue }
        going.append(cid)
        gone.append(cid.key)
      }
      position += 1
    }
    let isRefused = ruling.contains { cid in
      !gone.contains(cid.key) && gone.contains { cid.requirements?.rule(for: $0) == .refused }
    }
    if isRefused && !isForced { return nil }
    // One that requires another requires all that this one does, and it.
    return going.ascending().sorted(byNumber: { .max - UInt64($0.requiredCount) })
  }
}

extension CID {
  /// The number of components that come along with the type.
  fileprivate var requiredCount: Int { requirements?.components(of: self).count ?? 0 }

  /// What the type requires; nil if that is nothing.
  var requirements: ComponentRequirements? { pointer.pointee.requirements }

  /// Whether there is nothing to see to before the component is added: it is not unique, and
  /// requires none.
  var isPlain: Bool { pointer.pointee.isPlain }
}
