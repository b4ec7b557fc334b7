/// When tables without entities are looked for, and whether those that are found are freed.
///
/// Tables are made for combinations of components, of which a program may pass through any number.
/// So once there are many, they are looked through each time that some more were made, and those
/// are freed that have had no entity since the look before. A program whose few entities go back
/// and forth between many combinations would then free tables and make them anew for ever. So what
/// was freed is remembered: if a quarter of the tables made since the last look had been freed
/// earlier, combinations come back, and none is freed, so that in the end each that comes back has
/// its table. Once it does so no longer, its table is freed after two more looks.
struct TableReclaim {
  /// With fewer tables none are looked for.
  static var fewest: Int { 512 }

  /// How many tables are made between two looks, at least.
  private static var shortestInterval: Int { 256 }

  /// How many combinations are remembered.
  private static var mostRemembered: Int { 1 << 16 }

  /// How many tables were made since the last look.
  private var madeCount = 0

  /// How many of them had been freed earlier.
  private var returnedCount = 0

  // By their sums and not by their types, which would take ten times the memory: two combinations
  // with the same sum would do no harm.
  /// The combinations whose tables were freed and not made again.
  private var freed: Set<UInt64> = []

  /// Whether combinations come back whose tables were freed.
  var comesBack: Bool { returnedCount * 4 >= max(1, madeCount) }

  /// Whether it is time to look for tables without entities.
  // So a look takes a small part of the time that the tables took to make.
  func isDue(_ tableCount: Int) -> Bool {
    tableCount >= TableReclaim.fewest
      && madeCount >= max(TableReclaim.shortestInterval, tableCount / 4)
  }

  mutating func noteMade(_ signature: [CID]) {
    madeCount += 1
    if !freed.isEmpty, freed.remove(TableReclaim.sum(signature)) != nil { returnedCount += 1 }
  }

  mutating func noteFreed(_ signature: [CID]) {
    if freed.count == TableReclaim.mostRemembered { freed = [] }
    freed.insert(TableReclaim.sum(signature))
  }

  mutating func noteLook() { (madeCount, returnedCount) = (0, 0) }

  mutating func forgetFreed() { freed = [] }

  // The same in each run: what is freed must not depend on the seed of hashing.
  private static func sum(_ signature: [CID]) -> UInt64 {
    signature.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1.id)) &* 0x9e37_79b9_7f4a_7c15 }
  }
}

extension Core {
  /// Frees tables that have had no entity for long, if it is time to look for them.
  ///
  /// `kept` is not freed. If entities may have to go back to where they were, the look is made when
  /// the outermost change ends.
  func reclaimTables(keeping kept: TablePointer? = nil) {
    guard unsafe pointer.pointee.tables.reclaim.isDue(pointer.pointee.tables.all.count) else {
      return
    }
    guard mayFreeTables else {
      pointer.pointee.section.pending.insert(.tables)
      return
    }
    let frees = !pointer.pointee.tables.reclaim.comesBack
    var gone: [TablePointer] = unsafe []
    for unsafe(table) in unsafe pointer.pointee.tables.all {
      let version = unsafe table.pointee.version
      let wasUnused = unsafe table.pointee.count == 0 && table.pointee.lastSeenVersion == version
      unsafe table.pointee.lastSeenVersion = version
      if frees, wasUnused, unsafe mayFree(table, keeping: kept) { unsafe gone.append(table) }
    }
    pointer.pointee.tables.reclaim.noteLook()
    for unsafe(table) in unsafe gone {
      unsafe pointer.pointee.tables.reclaim.noteFreed(table.pointee.signature)
    }
    unsafe freeTables(gone)
  }

  /// Frees all tables without entities.
  func freeEmptyTables() {
    guard mayFreeTables else { return }
    pointer.pointee.tables.reclaim.noteLook()
    pointer.pointee.tables.reclaim.forgetFreed()
    unsafe freeTables(
      pointer.pointee.tables.all.filter {
        unsafe $0.pointee.count == 0 && mayFree($0, keeping: nil)
      })
  }

  /// Not while entities may have to go back to where they were, or rows are about to come.
  private var mayFreeTables: Bool {
    !isIterating && !isRecording && !pointer.pointee.tables.keepsEmpty
  }

  private func mayFree(_ table: TablePointer, keeping kept: TablePointer?) -> Bool {
    unsafe table != pointer.pointee.tables.root && table != kept
      && table != pointer.pointee.tables.pinned
  }

  private func freeTables(_ gone: [TablePointer]) {
    if unsafe gone.isEmpty { return }
    var isTouched = [Bool](repeating: false, count: pointer.pointee.listeners.sets.count)
    for unsafe(table) in unsafe gone {
      unsafe table.pointee.isGone = true
      for set in unsafe table.pointee.sets { isTouched[set] = true }
    }
    unsafe pointer.pointee.tables.all.removeAll { unsafe $0.pointee.isGone }
    for set in pointer.pointee.listeners.sets where isTouched[set.index] {
      unsafe set.remove { unsafe $0.pointee.isGone }
    }
    for unsafe(table) in unsafe gone {
      unsafe table.pointee.forEachTarget { key, target in
        unsafe target.pointee.edge(key)?.pointee.forgetTarget()
      }
    }
    for unsafe(table) in unsafe gone { unsafe freeForgotten(table) }
  }

  /// Frees the tables that were made last, in which there are no entities any more, but so many.
  ///
  /// Takes time for these tables and the sets that they belong to only.
  func freeTables(beyond count: Int) {
    while unsafe pointer.pointee.tables.all.count > count {
      let table = unsafe pointer.pointee.tables.all.removeLast()
      for set in unsafe sets(of: table) { unsafe set.removeLast(table) }
      unsafe table.pointee.forEachTarget { key, target in
        unsafe target.pointee.edge(key)?.pointee.forgetTarget()
      }
      unsafe freeForgotten(table)
    }
  }

  /// Frees a table that no set, edge or list of tables has any more.
  private func freeForgotten(_ table: TablePointer) {
    unsafe pointer.pointee.tables.bySignature[table.pointee.signature] = nil
    unsafe pointer.pointee.tables.freeNumbers.append(table.pointee.number)
    unsafe free(table)
  }
}
