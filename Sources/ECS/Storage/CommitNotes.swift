/// What an outermost change has changed, with values, for as long as someone keeps it.
// Written under the lock of the core, and only while nobody else has it.
final class CommitNotes: @unchecked Sendable {
  private var memory = NoteMemory()
  private var causes: [CurrentCause] = []
  /// Whether there are values that have to be ended.
  private(set) var ownsValues = false

  /// Whether it was sent to other threads: it is not used again then, even if they have let go of it.
  ///
  /// That they have is known from the count of references alone, of which the thread sanitizer knows
  /// nothing: it would report what they have read.
  var isSent = false

  /// Its number among those of the core.
  private(set) var number: UInt64 = 0

  /// Nanoseconds since January 1, 1970, UTC.
  private(set) var time: Int64 = 0

  let core: Core

  /// Which of the contexts it was that have used the core.
  let life: Int

  init(_ core: Core) {
    self.core = core
    life = core.life
  }

  deinit {
    if ownsValues { endValues() }
    memory.deallocate()
  }

  func fill(
    _ memory: NoteMemory, _ causes: [CurrentCause], ownsValues: Bool, number: UInt64, time: Int64
  ) {
    self.memory = memory
    self.causes = causes
    self.ownsValues = ownsValues
    self.number = number
    self.time = time
  }

  /// Takes the notes out again, which nobody else reads; values in them are the caller's to end.
  func takeNotes() -> NoteMemory {
    defer { memory = NoteMemory() }
    causes = []
    ownsValues = false
    return memory
  }

  private func endValues() {
    unsafe memory.walk { note in
      unsafe note.forEachOwningValue { cid, place, count in
        // SAFETY: the values are initialized, and nobody reads the notes any more.
        unsafe cid.pointer.pointee.end(place, count)
      }
    }
  }

  /// A cause by its number in the notes; 0 is none.
  func cause(_ number: UInt32) -> Cause {
    number == 0 ? .unknown : causes[Int(number) - 1].cause
  }

  /// All causes, in the order of their first change.
  var allCauses: [Cause] { causes.map(\.cause) }

  /// The bytes that it takes, without what values refer to.
  var byteCount: Int { memory.byteCount + causes.count * 8 + 256 }

  // MARK: Reading

  /// How far it has been read.
  @safe
  struct Cursor {
    fileprivate var memory = NoteMemory.Cursor()
    fileprivate var note: ChangeNotePointer?
    fileprivate var row = 0
  }

  /// Whether there is a change that a choice takes in.
  func hasChanges(_ choice: JournalChoice) -> Bool {
    var cursor = Cursor()
    return next(&cursor, choice) != nil
  }

  /// The next change that a choice takes in; nil behind the last one.
  func next(_ cursor: inout Cursor, _ choice: JournalChoice) -> NotedChange? {
    while true {
      guard let note = unsafe cursor.note else {
        unsafe cursor.note = unsafe memory.next(&cursor.memory)
        cursor.row = 0
        if unsafe cursor.note == nil { return nil }
        continue
      }
      guard unsafe cursor.row < Int(note.pointee.count), unsafe choice.takesIn(note) else {
        unsafe cursor.note = nil
        continue
      }
      let row = cursor.row
      cursor.row += 1
      let change = unsafe NotedChange(commit: self, note: note, row: row)
      if change.isChange { return change }
    }
  }
}

/// Which changes a journal tells.
struct JournalChoice: Sendable {
  /// The components; nil for all of them.
  var components: Set<CID>?

  /// The relations; nil for all of them.
  var relations: Set<ObjectIdentifier>?

  /// All that one of two takes in.
  func union(_ other: JournalChoice) -> JournalChoice {
    func union<Element>(_ one: Set<Element>?, _ other: Set<Element>?) -> Set<Element>? {
      guard let one, let other else { return nil }
      return one.union(other)
    }
    return JournalChoice(
      components: union(components, other.components),
      relations: union(relations, other.relations))
  }

  /// Whether all that another one takes in is among them.
  func contains(_ other: JournalChoice) -> Bool {
    func contains<Element>(_ one: Set<Element>?, _ other: Set<Element>?) -> Bool {
      guard let one else { return true }
      return other?.isSubset(of: one) ?? false
    }
    return contains(components, other.components) && contains(relations, other.relations)
  }

  func takesIn(_ cid: CID) -> Bool { components?.contains(cid) ?? true }

  func takesIn(relation: Any.Type) -> Bool {
    relations?.contains(ObjectIdentifier(relation)) ?? true
  }

  /// Whether the changes of a note are among them: of whole entities, if one of their components is.
  fileprivate func takesIn(_ note: ChangeNotePointer) -> Bool {
    guard unsafe note.pointee.cause != ChangeNote.untold else { return false }
    switch unsafe note.pointee.kind {
    case .holder: return false
    case .linked, .unlinked: return unsafe takesIn(relation: note.link.pointee.relation)
    case .added, .removed, .replaced, .column:
      guard components != nil, let cid = unsafe note.pointee.cid else { return true }
      return takesIn(cid)
    case .created, .createdMany, .destroyed:
      guard components != nil else { return true }
      let types = unsafe note.types
      return unsafe (0..<Int(note.pointee.typeCount)).contains { unsafe takesIn(types[$0]) }
    }
  }
}

/// A single change, as noted.
@safe
// Nobody writes notes that can be read.
struct NotedChange: @unchecked Sendable {
  let commit: CommitNotes
  fileprivate let note: ChangeNotePointer
  fileprivate let row: Int

  var kind: ChangeNote.Kind { unsafe note.pointee.kind }
  var component: CID? { unsafe note.pointee.cid }
  var cause: Cause { unsafe commit.cause(note.pointee.cause) }

  var handle: Handle {
    switch kind {
    // SAFETY: there are as many handles as rows.
    case .createdMany: unsafe note.handles[row]
    case .column:
      if let cid = component { unsafe note.handles(ofColumn: cid)[row] } else { Handle.dead }
    default: unsafe note.pointee.handle
    }
  }

  /// The target and the relation of a link.
  var link: NotedLink? {
    kind == .linked || kind == .unlinked ? unsafe note.link.pointee : nil
  }

  /// Whether it changed anything: iterations get values that they may leave alone.
  fileprivate var isChange: Bool {
    guard kind == .column, let cid = component else { return true }
    guard unsafe note.pointee.hasNew else { return false }
    let stride = cid.pointer.pointee.stride
    guard stride > 0 else { return false }
    // SAFETY: there are as many values as rows. Values of the same bytes are the same; those of other
    // bytes may be equal, which nobody can know of all types.
    let (old, new) = unsafe (
      UnsafeRawBufferPointer(start: note.oldValues(of: cid) + row &* stride, count: stride),
      UnsafeRawBufferPointer(start: note.newValues(of: cid) + row &* stride, count: stride)
    )
    return unsafe !old.elementsEqual(new)
  }

  /// A value of before or after the change.
  func value<C: Component>(of type: C.Type, isOld: Bool) -> C? {
    // SAFETY: the place is that of a value of this very type.
    unsafe place(of: ComponentKey(type), isOld: isOld)?.assumingMemoryBound(to: type).pointee
  }

  private func place(of key: ComponentKey, isOld: Bool) -> UnsafeMutableRawPointer? {
    var found: UnsafeMutableRawPointer?
    unsafe forEachValue(areOld: isOld) { cid, place in
      if cid.key == key { unsafe found = unsafe place }
    }
    return unsafe found
  }

  /// The values from before or after the change, in boxes, of the components that are asked for.
  func components(areOld: Bool, _ isWanted: (CID) -> Bool) -> [any Component] {
    var components: [any Component] = []
    unsafe forEachValue(areOld: areOld) { cid, place in
      if isWanted(cid) { unsafe components.append(cid.pointer.pointee.copy(place)) }
    }
    return components
  }

  private func forEachValue(areOld: Bool, _ body: (CID, UnsafeMutableRawPointer) -> Void) {
    guard unsafe areOld ? note.pointee.hasOld : note.pointee.hasNew else { return }
    // SAFETY: there are as many values of each component as rows.
    if let cid = component {
      let first = unsafe areOld ? note.oldValues(of: cid) : note.newValues(of: cid)
      unsafe body(cid, first + row &* cid.pointer.pointee.stride)
    } else {
      unsafe note.forEachColumnOfEntities { cid, first in
        unsafe body(cid, first + row &* cid.pointer.pointee.stride)
      }
    }
  }
}
