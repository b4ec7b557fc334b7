public import CPlatform

extension ComponentStorage {
  /// Visits those of the entities that have the component, with its value, in the order of the
  /// collection.
  ///
  /// For entities that lie far from each other in more memory than the processor's caches hold:
  /// what is wanted next is fetched while the closure runs.
  ///
  /// ```swift
  /// let sum = context.withStorage(Position.self) { positions in
  ///   var sum: Float = 0
  ///   positions.withEach(of: path) { (_, position) in sum += position.x }
  ///   return sum
  /// }
  /// ```
  ///
  /// Each value is read when its turn comes, as by the subscript. So any change is allowed inside,
  /// and entities that have died or have lost the component by then are skipped.
  ///
  /// - Parameters:
  ///   - entities: The entities; one that comes twice is visited twice.
  ///   - body: Called with each entity and its component.
  /// - Throws: What the body throws; the others are not visited then.
  /// - Complexity: O(*n*), where *n* is the number of entities.
  @inlinable
  public func withEach<Entities: RandomAccessCollection<Entity>, Failure: Error>(
    of entities: Entities, _ body: (Entity, C) throws(Failure) -> Void
  ) throws(Failure) {
    let end = entities.endIndex
    // Whose record is fetched, and whose value, when its record has come.
    var far = entities.startIndex
    var near = far
    for _ in 0..<CachedColumn.recordsAhead where far != end {
      fetchRecord(of: entities[far])
      entities.formIndex(after: &far)
    }
    for _ in 0..<CachedColumn.valuesAhead where near != end {
      fetchValue(of: entities[near])
      entities.formIndex(after: &near)
    }
    for entity in entities {
      if far != end {
        fetchRecord(of: entities[far])
        entities.formIndex(after: &far)
      }
      if near != end {
        fetchValue(of: entities[near])
        entities.formIndex(after: &near)
      }
      if let value = self[entity] { try body(entity, value) }
    }
  }

  /// Lets the processor fetch where an entity is.
  @inlinable
  @inline(__always)
  func fetchRecord(of entity: Entity) {
    // SAFETY: nothing is read, and any address will do.
    unsafe c_prefetch(core.pointer.pointee.slots.records + Int(entity.handle.index))
  }

  /// Lets the processor fetch an entity's component, if it is in the column that is known.
  @inlinable
  @inline(__always)
  func fetchValue(of entity: Entity) {
    guard entity.core == core, let record = unsafe core.record(of: entity.handle),
      unsafe cached.pointee.isOf(record.pointee.table)
    else { return }
    // SAFETY: as above.
    unsafe c_prefetch(cached.pointee.values(of: C.self) + Int(record.pointee.row))
  }
}

extension CachedColumn {
  // PERFORMANCE: G1.each: far enough for memory to come meanwhile, and no more than processors
  // fetch at once.
  @inlinable static var valuesAhead: Int { 16 }
  @inlinable static var recordsAhead: Int { 32 }
}
