/// Sorted snapshots of a group: one in the order of creation, and some for each object that asked
/// for an order of its own.
// Guarded by the lock of the group's core.
final class SortedCache: @unchecked Sendable {
  /// The orders that an object asked for last.
  private struct Entry {
    weak var owner: AnyObject?
    let id: ObjectIdentifier

    /// The latest first.
    ///
    /// INVARIANT: all have the entities that the group had in `version`.
    var snapshots: [[Entity]]
    var version: UInt64
  }

  /// How many orders of an object are kept.
  private static let maximumOrders = 4

  private var entries: [Entry] = []

  // INVARIANT: the index of the entry of each owner.
  private var indices: [ObjectIdentifier: Int] = [:]

  /// The entry whose owner is looked at next.
  private var nextSwept = 0

  private var byCreation: (version: UInt64, entities: [Entity])?

  func entities(version: UInt64, sort: () -> [Entity]) -> [Entity] {
    if let byCreation, byCreation.version == version { return byCreation.entities }
    let entities = sort()
    byCreation = (version, entities)
    return entities
  }

  /// The entities in an order of the owner's: an earlier snapshot if that is sorted still.
  ///
  /// Nothing but the order itself can tell whether it is the one of a snapshot, so it is asked.
  func entities(
    for owner: AnyObject, version: UInt64, isSorted: ([Entity]) throws -> Bool,
    sort: () throws -> [Entity]
  ) rethrows -> [Entity] {
    sweep()
    let id = ObjectIdentifier(owner)
    var snapshots: [[Entity]] = []
    // An owner that is gone must not lend its orders to an object at the same address.
    if let index = indices[id], entries[index].owner === owner, entries[index].version == version {
      snapshots = entries[index].snapshots
    }
    let index = try snapshots.firstIndex(where: isSorted)
    let entities = if let index { snapshots.remove(at: index) } else { try sort() }
    snapshots.insert(entities, at: 0)
    if snapshots.count > Self.maximumOrders { snapshots.removeLast() }
    let entry = Entry(owner: owner, id: id, snapshots: snapshots, version: version)
    // The order may have asked for an order: look again.
    if let index = indices[id] {
      entries[index] = entry
    } else {
      indices[id] = entries.count
      entries.append(entry)
    }
    return entities
  }

  /// Looks at a few entries, and forgets those whose owners are gone: so all are looked at before
  /// their count has doubled, and no call looks at many.
  private func sweep() {
    for _ in 0..<2 where !entries.isEmpty {
      if nextSwept >= entries.count { nextSwept = 0 }
      if entries[nextSwept].owner == nil {
        forget(nextSwept)
      } else {
        nextSwept += 1
      }
    }
  }

  private func forget(_ index: Int) {
    indices[entries[index].id] = nil
    let last = entries.removeLast()
    guard index < entries.count else { return }
    entries[index] = last
    indices[last.id] = index
  }
}
