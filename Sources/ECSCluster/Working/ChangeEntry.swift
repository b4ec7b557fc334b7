import ECS
import ECSSnapshots
import Foundation

/// The changes of a batch, as they are in a log: what entities have now, and which are gone.
struct ChangeEntry {
  private static let version: UInt8 = 1

  var changed = Data()
  var gone = Data()

  init() {}

  /// - Throws: `SnapshotError`, if a value can't be written.
  init<C: Component>(_ changes: ChangedEntities<C>, _ schema: Schema) throws(SnapshotError) {
    if !changes.changed.isEmpty {
      changed = try Snapshot(of: changes.changed, schema).data
    }
    if !changes.gone.isEmpty {
      gone = try Snapshot(of: changes.gone, schema.only([C.cid])).data
    }
  }

  // MARK: Bytes

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(9 + changed.count + gone.count)
    bytes.append(ChangeEntry.version)
    let length = UInt64(changed.count)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: length >> shift))
    }
    bytes += changed
    bytes += gone
    return bytes
  }

  /// - Throws: `SnapshotError`.
  init(_ bytes: [UInt8]) throws(SnapshotError) {
    guard let version = bytes.first else { throw ChangeEntry.malformed("It is empty") }
    guard version <= ChangeEntry.version, version > 0 else {
      throw ChangeEntry.laterFormat(Int(version))
    }
    guard bytes.count >= 9 else { throw ChangeEntry.malformed("It ends too early") }
    var length: UInt64 = 0
    for byte in bytes[1..<9].reversed() { length = length << 8 | UInt64(byte) }
    guard length <= UInt64(bytes.count - 9) else {
      throw ChangeEntry.malformed("It ends too early")
    }
    let end = 9 + Int(length)
    (changed, gone) = (Data(bytes[9..<end]), Data(bytes[end...]))
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

  /// Brings entities to what they became; gives by how many they are more.
  ///
  /// - Throws: `SnapshotError`; nothing has changed then.
  @discardableResult
  func apply<C: Component, Key: PartitionKey>(
    to context: Context, _ schema: Schema, _ index: PrimaryIndex<C, Key>
  ) throws(SnapshotError) -> Int {
    var goneKeys: [Key] = []
    if !gone.isEmpty {
      let values = try Snapshot(gone).values(of: C.self, schema.only([C.cid]))
      goneKeys = values.map { index.key(for: $0) }
    }
    let snapshot = try changed.isEmpty ? nil : Snapshot(changed)
    return try context.perform("apply changes") { () throws(SnapshotError) in
      let before = index.count
      if let snapshot { try snapshot.replace(in: context, schema, by: index) }
      for key in goneKeys { index[key]?.destroy() }
      return index.count - before
    }
  }
}
