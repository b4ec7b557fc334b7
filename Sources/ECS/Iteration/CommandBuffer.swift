/// The changes that wait for the end of an iteration, and what they will make of entities.
///
/// The thread that asked for them reads it instead of storage, where nothing has moved yet.
@safe
struct CommandBuffer {
  /// The components that one entity will have.
  @safe
  struct Entry {
    /// Where its row is; nil if it is still to be created.
    let table: TablePointer?

    var isDestroyed = false

    /// The components that are to be set or, where there is no value, removed.
    private(set) var components: [(cid: CID, value: (any Component)?)] = []

    init(table: TablePointer?) {
      unsafe self.table = table
    }

    /// What is to become of a component; nil if nothing is.
    func component(_ key: ComponentKey) -> (any Component)?? {
      components.first { $0.cid.key == key }.map(\.value)
    }

    func has(_ key: ComponentKey) -> Bool {
      if isDestroyed { return false }
      if let change = component(key) { return change != nil }
      return unsafe table?.pointee.edge(key)?.pointee.column != nil
    }

    fileprivate mutating func note(_ value: (any Component)?, _ cid: CID) {
      if let index = components.firstIndex(where: { $0.cid == cid }) {
        components[index].value = value
      } else {
        components.append((cid, value))
      }
    }

    /// The component types that it will have, ascending.
    var signature: [CID] {
      let stored = unsafe (table?.pointee.signature ?? []).filter { component($0.key) == nil }
      let set = components.filter { $0.value != nil }.map(\.cid)
      return (stored + set).sorted { $0.id < $1.id }
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
  private(set) var entries: [Handle: Entry] = [:]

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

  /// Lets changes of a stored entity wait.
  mutating func begin(_ handle: Handle, in table: TablePointer) {
    entries[handle] = unsafe Entry(table: table)
  }

  mutating func noteCreation(of handle: Handle) {
    entries[handle] = unsafe Entry(table: nil)
    steps.append(Step(handle: handle, component: nil))
  }

  /// Notes what a component of an entity in here is to be; nil if it is to be removed.
  mutating func note(_ value: (any Component)?, _ cid: CID, of handle: Handle) {
    entries[handle]?.note(value, cid)
    steps.append(Step(handle: handle, component: cid.key))
  }

  /// Notes that a component was written at once.
  mutating func noteWrite(_ cid: CID, of handle: Handle) {
    steps.append(Step(handle: handle, component: cid.key))
  }

  mutating func noteDestruction(of handle: Handle) {
    entries[handle]?.isDestroyed = true
    hasDestructions = true
    steps.append(Step(handle: handle, component: nil))
  }
}
