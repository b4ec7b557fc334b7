// What a primary index does with many keys together.
extension IndexStorage {
  @inlinable
  func claim(_ keys: [Key]) -> KeyClaim? { state.pointee.buckets.claim(keys) }

  /// Gives some claimed keys their entities, from one of the keys on.
  @inlinable
  func settle(
    _ claim: KeyClaim, from first: Int, _ handles: UnsafeBufferPointer<Handle>
  ) {
    for offset in 0..<handles.count {
      let handle = unsafe handles[offset]
      let bucket = claim.bucket(first &+ offset)
      // SAFETY: claimed keys have buckets.
      unsafe state.pointee.buckets.buckets[bucket].only = handle
      state.pointee.positions.insert(
        handle.index, BucketPosition(bucket: BucketID(bucket), offset: 0))
    }
  }

  @inlinable
  func find(_ keys: [Key], _ body: (Int, Entity) -> Void) {
    state.pointee.buckets.find(keys) { body($0, Entity(core: core, handle: $1)) }
  }
}

/// The functions of a primary index for many keys together, as closures.
///
/// They are made where the types are known, so that they are specialized.
@safe
@usableFromInline
struct KeyFunctions<C: Component, Key: Hashable & Sendable>: Sendable {
  /// Appends the keys of values.
  @usableFromInline let compute: @Sendable (Span<C>, inout [Key]) -> Void

  /// Puts keys into the index, all or none.
  @usableFromInline let claim: @Sendable ([Key]) -> KeyClaim?

  /// Gives claimed keys their entities.
  @usableFromInline
  let settle: @Sendable (KeyClaim, _ first: Int, UnsafeBufferPointer<Handle>) -> Void

  @usableFromInline let find: @Sendable ([Key], (Int, Entity) -> Void) -> Void

  /// The first key that was there before.
  @usableFromInline let firstRepeated: @Sendable ([Key]) -> Key?

  @inlinable
  init(_ storage: IndexStorage<Key>, _ key: @escaping @Sendable (C) -> Key) {
    compute = { values, keys in
      for number in 0..<values.count { keys.append(key(values[number])) }
    }
    claim = { storage.claim($0) }
    unsafe settle = { unsafe storage.settle($0, from: $1, $2) }
    find = { storage.find($0, $1) }
    firstRepeated = { keys in
      var seen = Set<Key>(minimumCapacity: keys.count)
      return keys.first { !seen.insert($0).inserted }
    }
  }
}

extension KeyFunctions {
  /// Gives claimed keys of an index their entities.
  func claimed(
    _ claim: KeyClaim, of sink: IndexSink, _ storage: IndexStorage<Key>
  ) -> ClaimedIndex {
    let settle = unsafe settle
    return unsafe ClaimedIndex(
      sink: sink, rest: { storage.unsettled += $0 ? 1 : -1 },
      settle: { unsafe settle(claim, $0, $1) })
  }
}

/// An index that is given the keys of new entities before they come to life.
@safe
struct ClaimedIndex {
  let sink: IndexSink

  /// Lets the index be as it is, or be brought up to date again.
  let rest: (Bool) -> Void

  /// Gives claimed keys their entities, from one of the keys on.
  let settle: (_ first: Int, UnsafeBufferPointer<Handle>) -> Void

  /// Gives all of them their entities.
  func settle(_ entities: NewEntities, in tables: [NewTable]) {
    unsafe withUnsafeTemporaryAllocation(of: Handle.self, capacity: 512) { block in
      var (settled, filled) = (0, 0)
      func flush() {
        unsafe settle(settled, UnsafeBufferPointer(rebasing: block[..<filled]))
        (settled, filled) = (settled + filled, 0)
      }
      @inline(__always)
      func add(_ position: Int) {
        unsafe block.initializeElement(at: filled, to: entities.handle(position))
        filled &+= 1
        if filled == block.count { flush() }
      }
      for table in tables where table.types.contains(sink.cid) {
        switch table.positions {
        case .range(let range): for position in range { add(position) }
        case .list(let list): for position in list { add(position) }
        }
      }
      flush()
    }
  }

  /// Whether it alone has to be notified of entities.
  func isAlone(in list: ReactionListPointer) -> Bool {
    guard unsafe list.pointee.count == 1, unsafe !list.pointee.hasNotices,
      case .index(let index, _) = unsafe list.pointee.reactions[0].target
    else { return false }
    // SAFETY: the invariant of `Reaction.Target`.
    return unsafe index._withUnsafeGuaranteedRef { $0 === sink }
  }
}
