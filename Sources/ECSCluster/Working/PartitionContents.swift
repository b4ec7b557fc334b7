import ECS
import ECSSnapshots
import Foundation

/// The entities of partitions in a context.
struct PartitionContents<C: Component, Key: PartitionKey> {
  let context: Context
  let index: PrimaryIndex<C, Key>
  let schema: Schema
  let partitions: Int

  private func entities(where isMember: (Int) -> Bool) -> [Entity] {
    context.group(C.matcher).filter { entity in
      guard let key = index.key(of: entity) else { return false }
      return isMember(key.partition(of: partitions))
    }
  }

  /// Destroys the entities of partitions.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities of all partitions.
  func drop(_ gone: Set<Int>) {
    if gone.isEmpty || index.count == 0 { return }
    context.perform("drop partitions") {
      let entities = entities(where: gone.contains)
      for entity in entities { schema.unlink(entity) }
      for entity in entities { entity.destroy() }
    }
  }

  /// Writes the entities of a partition.
  func snapshot(of partition: Int) throws(SnapshotError) -> [UInt8] {
    try context.perform { () throws(SnapshotError) in
      let entities = entities { $0 == partition }
      return try ChangeEntry(ChangedEntities(all: entities, index, schema), schema)
    }.bytes
  }

  /// Brings the entities of a partition to what a snapshot has, in one commit; gives how many there
  /// are.
  ///
  /// Those that it does not have go.
  ///
  /// - Throws: `SnapshotError`; nothing has changed then.
  func replace(_ partition: Int, by snapshot: [UInt8]?) throws(SnapshotError) -> Int {
    let entry = try snapshot.map { (bytes) throws(SnapshotError) in try ChangeEntry(bytes) }
    return try context.perform("replace a partition") { () throws(SnapshotError) in
      let before = index.count == 0 ? [] : entities { $0 == partition }
      var kept: Set<Key> = []
      var more = 0
      if let entry {
        if !before.isEmpty { kept = try entry.changedKeys(schema, index) }
        more = try entry.apply(to: context, schema, index, whole: before)
      }
      let gone = before.filter { entity in
        guard let key = index.key(of: entity) else { return false }
        return !kept.contains(key)
      }
      for entity in gone { schema.unlink(entity) }
      for entity in gone { entity.destroy() }
      return before.isEmpty ? more : kept.count
    }
  }

  /// Brings entities to what an entry of a log, or a snapshot, has; gives by how many they are
  /// more.
  @discardableResult
  func apply(_ bytes: [UInt8]) throws(SnapshotError) -> Int {
    try ChangeEntry(bytes).apply(to: context, schema, index)
  }
}
