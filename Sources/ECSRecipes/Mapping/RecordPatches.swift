import ECS

/// The patches of each component by a record.
// PERFORMANCE: Without an array where there are few components (P1, P2, P4).
struct RecordPatches {
  private let first: (any Patch)?
  private let second: (any Patch)?

  /// Those of the others; empty if there are none.
  private let others: [(any Patch)?]
  let count: Int

  /// Takes the patches of components one by one, in their order; nil if one of them can't be
  /// decoded.
  init?(count: Int, _ patch: (Int) throws(TransformFailure) -> (any Patch)?) {
    self.count = count
    var (first, second): ((any Patch)?, (any Patch)?) = (nil, nil)
    var others: [(any Patch)?] = []
    if count > 2 { others.reserveCapacity(count - 2) }
    do throws(TransformFailure) {
      for index in 0..<count {
        let patch = try patch(index)
        switch index {
        case 0: first = patch
        case 1: second = patch
        default: others.append(patch)
        }
      }
    } catch {
      return nil
    }
    (self.first, self.second, self.others) = (first, second, others)
  }

  private init() { (first, second, others, count) = (nil, nil, [], 0) }

  /// Those of a recipe without components.
  static var none: RecordPatches { RecordPatches() }

  /// A patch of one of some components.
  init(_ patch: (any Patch)?, at number: Int, of count: Int) {
    self.count = count
    (first, second) = (number == 0 ? patch : nil, number == 1 ? patch : nil)
    others = number > 1 ? (2..<count).map { $0 == number ? patch : nil } : []
  }

  subscript(number: Int) -> (any Patch)? {
    switch number {
    case 0: first
    case 1: second
    // There are none of the others if only one was given.
    default: number - 2 < others.count ? others[number - 2] : nil
    }
  }

  /// All of them, as plans want them.
  var list: [(any Patch)?] { (0..<count).map { self[$0] } }

  /// Applies all that a record says, or all but what it says about one component; false if that
  /// changes nothing.
  func apply(to entity: Entity, but excluded: Int) -> Bool {
    var hasChanged = false
    for index in 0..<count where index != excluded {
      if let patch = self[index], patch.apply(to: entity, with: []) { hasChanged = true }
    }
    return hasChanged
  }

  /// Whether there is nothing that a plan would refuse to say about an entity, or about a new one.
  func areComplete(for entity: Entity?, _ mappings: [any ComponentMapping]) -> Bool {
    do throws(TransformFailure) {
      for index in mappings.indices {
        let patch = self[index]
        try patch?.check(on: entity, after: [])
        if patch?.isComplete == true { continue }
        guard patch?.hasValue == true || entity == nil,
          entity?.has(mappings[index].cid) != true
        else { continue }
        try mappings[index].checkComplete(patch, isSelective: false)
      }
      return true
    } catch {
      return false
    }
  }
}
