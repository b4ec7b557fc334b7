/// The changes that wait for the end of an iteration, and what they will make of entities.
///
/// The thread that asked for them reads it instead of storage, where nothing has moved yet.
@safe
struct CommandBuffer {
  /// The components that one entity will have.
  @safe
  struct Entry {
    let handle: Handle

    /// Where its row is; nil if it is still to be created.
    let table: TablePointer?

    fileprivate(set) var isDestroyed = false

    /// A component that is to be set or, where there is no value, removed.
    private typealias ComingComponent = (cid: CID, value: (any Component)?)

    // PERFORMANCE: IQ: mostly one component waits, for which no array is made.
    private var first: ComingComponent?
    private var others: [ComingComponent] = []

    fileprivate init(_ handle: Handle, table: TablePointer?) {
      self.handle = handle
      unsafe self.table = table
    }

    /// What is to become of a component; nil if nothing is.
    func component(_ key: ComponentKey) -> (any Component)?? {
      guard let first else { return nil }
      if first.cid.key == key { return .some(first.value) }
      return others.first { $0.cid.key == key }.map(\.value)
    }

    func has(_ key: ComponentKey) -> Bool {
      if isDestroyed { return false }
      if let change = component(key) { return change != nil }
      return unsafe table?.pointee.edge(key)?.pointee.column != nil
    }

    fileprivate mutating func note(_ value: (any Component)?, _ cid: CID) {
      if first == nil || first?.cid == cid {
        first = (cid, value)
      } else if let index = others.firstIndex(where: { $0.cid == cid }) {
        others[index].value = value
      } else {
        others.append((cid, value))
      }
    }

    /// The component types that it will have, ascending.
    var signature: [CID] {
      let stored = unsafe (table?.pointee.signature ?? []).filter { component($0.key) == nil }
      let set = ((first.map { [$0] } ?? []) + others).filter { $0.value != nil }.map(\.cid)
      return (stored + set).ascending()
    }
  }

  /// A change that was asked for: a component was written at once or waits, or, without a
  /// component, an entity is to be created or destroyed.
  struct Step {
    let handle: Handle
    let component: ComponentKey?
  }

  /// Identifies the outermost iteration.
  let id: UInt64

  // INVARIANT: the record of an entity in here names no table, so that all paths in a hurry give
  // up and ask here. Code that reads and writes nothing of the kind pays nothing.
  private(set) var entries: [Entry] = []

  /// The positions of entries by the slots of their entities.
  // PERFORMANCE: IQ: no handle is hashed.
  private var positions = SlotMap<UInt32>(absent: .max)

  /// All that was asked for, in order: look-ups by key follow it.
  private(set) var steps: [Step] = []

  /// The entity that will hold a unique component, and whether it was made for that.
  var holders: [ComponentKey: (handle: Handle, isOurs: Bool)] = [:]

  /// The addresses of unique components of entities in here, which the unique slots do without.
  var uniqueValues: [ComponentKey: UnsafeMutableRawPointer] = unsafe [:]

  /// Whether an entity is to be destroyed, and perhaps others with it.
  private(set) var hasDestructions = false

  init(id: UInt64 = 0) { self.id = id }

  var isEmpty: Bool { entries.isEmpty && steps.isEmpty }

  /// The entry of an entity; nil if it has none.
  subscript(_ handle: Handle) -> Entry? { position(of: handle).map { entries[$0] } }

  /// Whether an entity that has an entry is to be destroyed; nil if it has none.
  func isDestroyed(_ handle: Handle) -> Bool? {
    position(of: handle).map { entries[$0].isDestroyed }
  }

  private func position(of handle: Handle) -> Int? {
    let position = positions[handle.index]
    // An entity that is gone may have had the slot.
    guard position != .max, entries[Int(position)].handle == handle else { return nil }
    return Int(position)
  }

  /// Lets changes of a stored entity wait.
  mutating func begin(_ handle: Handle, in table: TablePointer) {
    add(unsafe Entry(handle, table: table))
  }

  mutating func noteCreation(of handle: Handle) {
    add(unsafe Entry(handle, table: nil))
    steps.append(Step(handle: handle, component: nil))
  }

  private mutating func add(_ entry: Entry) {
    positions.insert(entry.handle.index, UInt32(truncatingIfNeeded: entries.count))
    entries.append(entry)
  }

  /// Notes what a component of an entity in here is to be; nil if it is to be removed.
  mutating func note(_ value: (any Component)?, _ cid: CID, of handle: Handle) {
    if let position = position(of: handle) { entries[position].note(value, cid) }
    steps.append(Step(handle: handle, component: cid.key))
  }

  /// Notes that a component was written at once.
  mutating func noteWrite(_ cid: CID, of handle: Handle) {
    steps.append(Step(handle: handle, component: cid.key))
  }

  mutating func noteDestruction(of handle: Handle) {
    if let position = position(of: handle) { entries[position].isDestroyed = true }
    hasDestructions = true
    steps.append(Step(handle: handle, component: nil))
  }

  /// Frees what `positions` has allocated.
  @unsafe mutating func deallocate() { unsafe positions.deallocate() }
}
