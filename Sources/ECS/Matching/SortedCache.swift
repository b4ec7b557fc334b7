/// Sorted snapshots of a group, each for an object and a place in the source.
// Guarded by the lock of the group's core.
final class SortedCache: @unchecked Sendable {
  private struct Entry {
    weak var owner: AnyObject?
    let site: CallSite
    var version: UInt64
    var entities: [Entity]
  }

  private var entries: [Entry] = []
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
    // An owner that is gone must not lend its order to an object at the same address.
    entries.removeAll { $0.owner == nil }
    let known = entries.firstIndex { $0.owner === owner && $0.site == site }
    if let known, entries[known].version == version { return entries[known].entities }
    let entities = try sort()
    let entry = Entry(owner: owner, site: site, version: version, entities: entities)
    entries.removeAll { $0.owner === owner && $0.site == site }
    entries.append(entry)
    return entities
  }
}

/// A place in the source.
struct CallSite: Hashable {
  let file: String
  let line: Int
  let column: Int
}
