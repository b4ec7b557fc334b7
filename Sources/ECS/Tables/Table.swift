@usableFromInline
typealias TablePointer = UnsafeMutablePointer<Table>

/// An archetype table: all entities that hold exactly the same component types, a row each,
/// packed, with one column for each type.
///
/// Tables live at stable addresses. Their map of edges is an open-addressing hash table keyed by
/// component type, so that one probe finds everything that a change of a component needs: as long
/// as a table has few edges, it looks for a hash function by which no two of them meet.
@safe
@usableFromInline
struct Table {
  #if ThreadSanitizer
    // As in `Core.State`.
    let first = 0
  #endif

  @usableFromInline var count = 0
  @usableFromInline var capacity = 0

  /// The entity of each row.
  @usableFromInline var entities: UnsafeMutablePointer<UInt32>

  @usableFromInline var edges: UnsafeMutablePointer<Edge>

  /// How far the last position of an edge is from the first one, in bytes.
  // INVARIANT: a power of two of positions, of the size of a power of two each; so it is what masks
  // offsets.
  @usableFromInline var lastEdge: Int

  /// What tells where the search for a type begins.
  @usableFromInline var edgeHash: EdgeHash
  private var edgeCount: Int = 0

  /// How many rows have left.
  @usableFromInline var departures: UInt64 = 0

  /// Counts added and removed rows.
  // PERFORMANCE: A1, C1: that a row was added shows in the count.
  var version: UInt64 { departures &* 2 &+ UInt64(count) }

  let columns: UnsafeMutablePointer<Column>
  @usableFromInline let columnCount: Int

  /// Whether a column's type is a unique component.
  @usableFromInline let hasUnique: Bool

  /// The components that entities are to get which are created with those of the table, since these
  /// require them.
  let missing: [RequiredComponent]

  /// Whether nothing has to be seen to before an entity is created in it: no component is unique,
  /// and all are there that others require.
  @usableFromInline let createsPlainly: Bool

  /// Whether there are rules for removing components that others require.
  let hasRemovalRules: Bool

  /// How entities go to other tables with a component and those that it requires, by its type, as
  /// the folder of changes works it out.
  var completedMoves: [(key: ComponentKey, move: AnyObject)] = []

  /// Room for copies of the values of a row, whatever their alignments take.
  let valueSize: Int

  /// Whether copying and ending the values of a row are no-ops.
  let isTrivial: Bool

  /// The pictures of the table that have rows which are still its own.
  var frozen: [FrozenTable] = []

  /// How rows end when their entities are destroyed; nil until needed.
  var endPlan: UnsafeMutablePointer<RowPlan>?

  /// Whether any reaction list, of the table or of an edge from or to it, may be up to date.
  var isListed = false

  /// Whether the lists of reactions to entities that are created or destroyed are up to date.
  @usableFromInline var isEntryListed = false
  @usableFromInline var entryReactions: UnsafeMutableRawPointer?
  @usableFromInline var exitReactions: UnsafeMutableRawPointer?

  /// Equals the core's fast path if destroying an entity needs nothing but the simple steps of the
  /// plan, and logging; ``FastPath/notifying`` if observers are to be notified, and that is all.
  var leaveFastPath = FastPath.unavailable

  /// Distinguishes it from the other tables of the core; reused when it is gone.
  let number: Int

  /// Its version when tables without entities were looked for the last time.
  var lastSeenVersion = UInt64.max

  /// Whether it is about to be freed.
  var isGone = false

  /// The component types, ascending.
  let signature: [CID]

  /// The sets of tables that this table belongs to, by their numbers, in the order of their
  /// creation.
  var sets: [Int] = []

  /// Which core the table belongs to; nil if that is none.
  private let core: Core?

  init(_ core: Core?, signature: [CID], _ missing: [RequiredComponent], number: Int) {
    self.core = core
    self.signature = signature
    self.number = number
    columnCount = signature.count
    valueSize = signature.reduce(0) {
      $0 + $1.pointer.pointee.stride + $1.pointer.pointee.alignment
    }
    isTrivial = signature.allSatisfy { $0.pointer.pointee.isTrivial }
    unsafe columns = UnsafeMutablePointer<Column>.allocate(capacity: max(1, signature.count))
    // SAFETY: `number` is below the capacity just allocated.
    for (number, cid) in signature.enumerated() {
      unsafe (columns + number).initialize(to: Column(cid))
    }
    hasUnique = signature.contains { $0.isUnique }
    self.missing = missing
    createsPlainly = !hasUnique && missing.isEmpty
    hasRemovalRules = signature.contains { $0.requirements?.hasRules == true }
    unsafe entities = Memory.allocate(UInt32.self, capacity: 0)
    var edgeCapacity = 4
    while edgeCapacity < signature.count * 2 { edgeCapacity *= 2 }
    unsafe edges = Table.makeEdges(capacity: edgeCapacity)
    lastEdge = (edgeCapacity - 1) * MemoryLayout<Edge>.stride
    edgeHash = EdgeHash.suiting(signature.map(\.key), capacity: edgeCapacity)
    for (number, cid) in signature.enumerated() {
      let edge = unsafe insertEdge(cid)
      unsafe edge.pointee.column = columns[number].base
    }
  }

  /// Frees the table's memory.
  ///
  /// All rows must be gone, and the lists of reactions freed.
  @unsafe func deallocate() {
    assert(count == 0, "A table was freed with rows in it.")
    for index in 0..<edgeCapacity {
      unsafe RowPlan.free(edges[index].plan)
    }
    unsafe RowPlan.free(endPlan)
    unsafe edges.deallocate()
    for number in 0..<columnCount {
      unsafe columns[number].reallocateToNothing(capacity: capacity)
    }
    unsafe columns.deallocate()
    unsafe Memory.free(entities, capacity: capacity)
  }

  // MARK: Rows

  /// Adds a row for an entity and returns its number.
  ///
  /// The values are uninitialized.
  @inline(__always)
  mutating func appendRow(_ entity: UInt32) -> Int {
    if count == capacity { grow(to: max(8, capacity * 2)) }
    let row = count
    // SAFETY: row < capacity.
    unsafe entities[row] = entity
    count = row &+ 1
    return row
  }

  mutating func reserve(_ additional: Int) {
    if count + additional > capacity { grow(to: max(count + additional, capacity * 2)) }
  }

  /// Makes room for rows behind so many, the last of which are no part of the table yet, but have
  /// values.
  mutating func reserve(_ additional: Int, behind rows: Int) {
    if rows + additional > capacity {
      grow(to: max(8, rows + additional, capacity * 2), keeping: rows)
    }
  }

  /// Gives back the memory that no row uses.
  mutating func shrink() {
    if count < capacity { grow(to: count) }
  }

  private mutating func grow(to newCapacity: Int) { grow(to: newCapacity, keeping: count) }

  @inline(never)
  private mutating func grow(to newCapacity: Int, keeping rows: Int) {
    let oldCapacity = capacity
    unsafe Memory.resize(&entities, count: count, from: oldCapacity, to: newCapacity)
    for number in 0..<columnCount {
      unsafe columns[number].reallocate(
        count: rows, capacity: newCapacity, oldCapacity: oldCapacity)
    }
    capacity = newCapacity
    noteMovedColumns()
  }

  /// Notes in edges where columns are by now, and plans for rows that leave or come.
  func noteMovedColumns() {
    core?.noteStructuralChange()
    for number in 0..<columnCount {
      unsafe edge(columns[number].cid.key)?.pointee.column = columns[number].base
    }
    unsafe endPlan?.pointee.findBases()
    for index in 0..<edgeCapacity {
      unsafe edges[index].plan?.pointee.findBases()
      // SAFETY: targets are alive: when tables are freed, the edges that lead to them forget them.
      unsafe edges[index].target?.pointee.edge(edges[index].key)?.pointee.plan?.pointee.findBases()
    }
  }

  func column(of cid: CID) -> UnsafeMutablePointer<Column>? {
    for number in 0..<columnCount where unsafe columns[number].cid == cid {
      return unsafe columns + number
    }
    return nil
  }

  // MARK: Edges

  @inlinable
  @inline(__always)
  func edge(_ key: ComponentKey) -> UnsafeMutablePointer<Edge>? {
    var offset = edgeHash.offset(of: key, last: lastEdge)
    while true {
      // SAFETY: offsets are masked to those of edges.
      let edge = unsafe edge(at: offset)
      if unsafe edge.pointee.key == key { return unsafe edge }
      if unsafe edge.pointee.key.bits == 0 { return nil }
      offset = (offset &+ MemoryLayout<Edge>.stride) & lastEdge
    }
  }

  @unsafe
  @inlinable
  @inline(__always)
  func edge(at offset: Int) -> UnsafeMutablePointer<Edge> {
    unsafe (UnsafeMutableRawPointer(edges) + offset).assumingMemoryBound(to: Edge.self)
  }

  /// How many edges there is room for.
  var edgeCapacity: Int { lastEdge / MemoryLayout<Edge>.stride + 1 }

  /// The edge of a component type, made if there is none yet.
  mutating func ensureEdge(_ cid: CID) -> UnsafeMutablePointer<Edge> {
    unsafe edge(cid.key) ?? insertEdge(cid)
  }

  private mutating func insertEdge(_ cid: CID) -> UnsafeMutablePointer<Edge> {
    prepareEdge(cid.key)
    edgeCount += 1
    let edge = unsafe freeEdge(for: cid.key)
    unsafe edge.pointee.key = cid.key
    unsafe edge.pointee.cid = cid
    return unsafe edge
  }

  private func freeEdge(for key: ComponentKey) -> UnsafeMutablePointer<Edge> {
    var offset = edgeHash.offset(of: key, last: lastEdge)
    // SAFETY: as in `edge(_:)`; at least half of them are free.
    while unsafe edge(at: offset).pointee.key.bits != 0 {
      offset = (offset + MemoryLayout<Edge>.stride) & lastEdge
    }
    return unsafe edge(at: offset)
  }

  /// Makes room for one more edge, at the position where the search for it begins, if that can be
  /// had.
  private mutating func prepareEdge(_ key: ComponentKey) {
    let isFull = (edgeCount + 1) * 2 > edgeCapacity
    // SAFETY: as in `edge(_:)`.
    let home = unsafe edge(at: edgeHash.offset(of: key, last: lastEdge))
    let mayChoose = edgeCapacity <= EdgeHash.greatestCapacity
    guard unsafe isFull || (mayChoose && home.pointee.key.bits != 0) else { return }
    let newCapacity = isFull ? edgeCapacity * 2 : edgeCapacity
    var keys = [key]
    for index in 0..<edgeCapacity where unsafe edges[index].key.bits != 0 {
      unsafe keys.append(edges[index].key)
    }
    let hash = EdgeHash.suiting(keys, capacity: newCapacity)
    if isFull || hash.shift != edgeHash.shift { rehash(newCapacity, by: hash) }
  }

  private mutating func rehash(_ capacity: Int, by hash: EdgeHash) {
    core?.noteStructuralChange()
    let old = unsafe edges
    let oldCapacity = edgeCapacity
    unsafe edges = Table.makeEdges(capacity: capacity)
    lastEdge = (capacity - 1) * MemoryLayout<Edge>.stride
    edgeHash = hash
    // SAFETY: all old edges are initialized; edges are trivial to copy, so the old block is
    // freed as it is.
    for index in 0..<oldCapacity where unsafe old[index].key.bits != 0 {
      unsafe freeEdge(for: old[index].key).pointee = old[index]
    }
    unsafe old.deallocate()
  }

  private static func makeEdges(capacity: Int) -> UnsafeMutablePointer<Edge> {
    // PERFORMANCE: G1, S1, A1: an edge fills a line of the processor's caches, and lies in no
    // other.
    let edges = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: capacity * MemoryLayout<Edge>.stride, alignment: 64
    )
    .bindMemory(to: Edge.self, capacity: capacity)
    unsafe edges.initialize(repeating: Edge(), count: capacity)
    return unsafe edges
  }

  /// Visits the tables where entities go from here, which have edges back, too.
  func forEachTarget(_ body: (ComponentKey, TablePointer) -> Void) {
    for index in 0..<edgeCapacity where unsafe edges[index].key.bits != 0 {
      if let target = unsafe edges[index].target { unsafe body(edges[index].key, target) }
    }
  }

  /// Forgets that the reactions to changes of entities of the table, to or from it, are known.
  mutating func unlist() {
    isListed = false
    isEntryListed = false
    leaveFastPath = .unavailable
    for index in 0..<edgeCapacity where unsafe edges[index].key.bits != 0 {
      unsafe edges[index].unlist()
      // SAFETY: targets are alive: when tables are freed, the edges that lead to them forget them.
      unsafe edges[index].target?.pointee.edge(edges[index].key)?.pointee.unlistTransition()
    }
  }
}

extension Column {
  fileprivate mutating func reallocateToNothing(capacity: Int) {
    reallocate(count: 0, capacity: 0, oldCapacity: capacity)
  }
}
