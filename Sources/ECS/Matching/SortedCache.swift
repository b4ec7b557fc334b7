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

  // INVARIANT: where the entry of each owner is.
  private var places: [ObjectIdentifier: Int] = [:]

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
    if let place = places[id], entries[place].owner === owner, entries[place].version == version {
      snapshots = entries[place].snapshots
    }
    let place = try snapshots.firstIndex(where: isSorted)
    let entities = if let place { snapshots.remove(at: place) } else { try sort() }
    snapshots.insert(entities, at: 0)
    if snapshots.count > Self.maximumOrders { snapshots.removeLast() }
    let entry = Entry(owner: owner, id: id, snapshots: snapshots, version: version)
    // The order may have asked for an order: look again.
    if let place = places[id] {
      entries[place] = entry
    } else {
      places[id] = entries.count
      entries.append(entry)
    }
    return entities
  }

  /// Looks at a few entries, and forgets those whose owners are gone: so all are looked at before
  /// their number has doubled, and no call looks at many.
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

  private func forget(_ place: Int) {
    places[entries[place].id] = nil
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[last.id] = place
  }
}
