/// Sorted snapshots of a group, each for an object and a place in the source.
// Guarded by the lock of the group's core.
final class SortedCache: @unchecked Sendable {
  private struct Key: Hashable {
    let owner: ObjectIdentifier
    let site: CallSite
  }

  private struct Entry {
    weak var owner: AnyObject?
    let key: Key
    var version: UInt64
    var entities: [Entity]
  }

  private var entries: [Entry] = []

  // INVARIANT: where the entry of each key is.
  private var places: [Key: Int] = [:]

  /// The entry whose owner is looked at next.
  private var nextSwept = 0

  private var byCreation: (version: UInt64, entities: [Entity])?

  func entities(version: UInt64, sort: () -> [Entity]) -> [Entity] {
    if let byCreation, byCreation.version == version { return byCreation.entities }
    let entities = sort()
    byCreation = (version, entities)
    return entities
  }

  func entities(
    for owner: AnyObject, at site: CallSite, version: UInt64, sort: () throws -> [Entity]
  ) rethrows -> [Entity] {
    sweep()
    let key = Key(owner: ObjectIdentifier(owner), site: site)
    if let place = places[key] {
      // An owner that is gone must not lend its order to an object at the same address.
      if entries[place].owner === owner, entries[place].version == version {
        return entries[place].entities
      }
    }
    let entities = try sort()
    let entry = Entry(owner: owner, key: key, version: version, entities: entities)
    // The order may have been asked for in an order: look again.
    if let place = places[key] {
      entries[place] = entry
    } else {
      places[key] = entries.count
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
    places[entries[place].key] = nil
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[last.key] = place
  }
}

/// A place in the source.
struct CallSite: Hashable {
  let file: String
  let line: Int
  let column: Int
}
