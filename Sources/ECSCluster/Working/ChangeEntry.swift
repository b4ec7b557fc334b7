import ECS
import ECSSnapshots
import Foundation

/// The changes of a batch, as they are in a log: what entities have now, which are gone, and how
/// those are linked whose links have changed.
struct ChangeEntry {
  private static let version: UInt8 = 1

  /// The version of those with links, which programs from before links refuse.
  private static let versionWithLinks: UInt8 = 2

  var changed = Data()
  var gone = Data()

  /// The links, and how they replace those that are there; both are empty if none have changed.
  var links = Data()
  var ordering = Data()

  init() {}

  /// - Throws: `SnapshotError`, if a value can't be written.
  init<C: Component>(_ changes: ChangedEntities<C>, _ schema: Schema) throws(SnapshotError) {
    if !changes.changed.isEmpty {
      changed = try Snapshot(of: changes.changed, schema).data
    }
    if !changes.gone.isEmpty {
      gone = try Snapshot(of: changes.gone, schema.only([C.cid])).data
    }
    if !changes.links.isEmpty {
      (links, ordering) = try changes.links.encode(schema, keys: C.self)
    }
  }

  // MARK: Bytes

  // The version; each part but the last has its length before it.
  var bytes: [UInt8] {
    let parts = links.isEmpty ? [changed, gone] : [changed, gone, links, ordering]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(1) { $0 + 8 + $1.count })
    bytes.append(links.isEmpty ? ChangeEntry.version : ChangeEntry.versionWithLinks)
    for (number, part) in parts.enumerated() {
      if number < parts.count - 1 {
        let length = UInt64(part.count)
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: length >> shift))
        }
      }
      bytes += part
    }
    return bytes
  }

  /// - Throws: `SnapshotError`.
  init(_ bytes: [UInt8]) throws(SnapshotError) {
    guard let version = bytes.first else { throw ChangeEntry.malformed("It is empty") }
    guard version <= ChangeEntry.versionWithLinks, version > 0 else {
      throw ChangeEntry.laterFormat(Int(version))
    }
    var rest = bytes.dropFirst()
    func part() throws(SnapshotError) -> Data {
      guard rest.count >= 8 else { throw ChangeEntry.malformed("It ends too early") }
      var length: UInt64 = 0
      for byte in rest.prefix(8).reversed() { length = length << 8 | UInt64(byte) }
      rest = rest.dropFirst(8)
      guard length <= UInt64(rest.count) else {
        throw ChangeEntry.malformed("It ends too early")
      }
      defer { rest = rest.dropFirst(Int(length)) }
      return Data(rest.prefix(Int(length)))
    }
    changed = try part()
    if version == ChangeEntry.versionWithLinks {
      gone = try part()
      links = try part()
      ordering = Data(rest)
      if links.isEmpty { throw ChangeEntry.malformed("It has no links") }
    } else {
      gone = Data(rest)
    }
  }

  private static func malformed(_ reason: String) -> SnapshotError {
    SnapshotError(.malformed(reason), name: "change")
  }

  private static func laterFormat(_ version: Int) -> SnapshotError {
    SnapshotError(.laterFormat(version), name: "change")
  }

  // MARK: Applying

  /// The keys of the entities that it brings.
  func changedKeys<C: Component, Key: PartitionKey>(
    _ schema: Schema, _ index: PrimaryIndex<C, Key>
  ) throws(SnapshotError) -> Set<Key> {
    if changed.isEmpty { return [] }
    return Set(try Snapshot(changed).values(of: C.self, schema).map { index.key(for: $0) })
  }

  /// Brings entities to what they became.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - schema: Says what components and relations are called.
  ///   - index: Finds entities.
  ///   - whole: Entities that are to have no links but those that are here.
  /// - Returns: By how many entities there are more.
  /// - Throws: `SnapshotError`; nothing has changed then.
  @discardableResult
  func apply<C: Component, Key: PartitionKey>(
    to context: Context, _ schema: Schema, _ index: PrimaryIndex<C, Key>,
    whole: [Entity] = []
  ) throws(SnapshotError) -> Int {
    var goneKeys: [Key] = []
    if !gone.isEmpty {
      let values = try Snapshot(gone).values(of: C.self, schema.only([C.cid]))
      goneKeys = values.map { index.key(for: $0) }
    }
    let snapshot = try changed.isEmpty ? nil : Snapshot(changed)
    if links.isEmpty {
      return try context.perform("apply changes") { () throws(SnapshotError) in
        let before = index.count
        if let snapshot { try snapshot.replace(in: context, schema, by: index) }
        for entity in whole { schema.unlinkTargets(of: entity) }
        for key in goneKeys { destroy(index[key], schema) }
        return index.count - before
      }
    }
    let links = try LoggedLinks(links, ordering, schema, index)
    return try context.transaction("apply changes") { () throws(SnapshotError) in
      let before = index.count
      if let snapshot { try snapshot.replace(in: context, schema, by: index) }
      links.unlinkOthers(of: whole)
      try context.ignoringRequirements { () throws(SnapshotError) in try links.apply() }
      for key in goneKeys { destroy(index[key], schema) }
      return index.count - before
    }
  }

  /// Destroys an entity, and none that are linked to it: what becomes of those, it says itself.
  private func destroy(_ entity: Entity?, _ schema: Schema) {
    guard let entity else { return }
    schema.unlink(entity)
    entity.destroy()
  }
}
