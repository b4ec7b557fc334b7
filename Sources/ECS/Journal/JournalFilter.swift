/// Which changes a journal tells.
// PERFORMANCE: J2: an object, since each commit passes it on, which is one reference to count; and
// components are looked up without hashing.
final class JournalFilter: Sendable {
  /// The components; nil for all of them.
  let components: Set<CID>?

  /// The relations; nil for all of them.
  let relations: Set<ObjectIdentifier>?

  /// Whether components are among them, by their IDs, as far as there are any.
  private let isAmong: ContiguousArray<Bool>

  init(components: Set<CID>?, relations: Set<ObjectIdentifier>?) {
    self.components = components
    self.relations = relations
    let count = components?.map { Int($0.id) + 1 }.max() ?? 0
    var isAmong = ContiguousArray(repeating: false, count: count)
    for cid in components ?? [] { isAmong[Int(cid.id)] = true }
    self.isAmong = isAmong
  }

  /// What takes in nothing.
  static let none = JournalFilter(components: [], relations: [])

  /// All that one of two takes in.
  func union(_ other: JournalFilter) -> JournalFilter {
    func union<Element>(_ one: Set<Element>?, _ other: Set<Element>?) -> Set<Element>? {
      guard let one, let other else { return nil }
      return one.union(other)
    }
    return JournalFilter(
      components: union(components, other.components),
      relations: union(relations, other.relations))
  }

  /// Whether all that another one takes in is among them.
  func contains(_ other: JournalFilter) -> Bool {
    func contains<Element>(_ one: Set<Element>?, _ other: Set<Element>?) -> Bool {
      guard let one else { return true }
      return other?.isSubset(of: one) ?? false
    }
    return contains(components, other.components) && contains(relations, other.relations)
  }

  @inline(__always)
  func takesIn(_ cid: CID) -> Bool {
    if components == nil { return true }
    let id = Int(cid.id)
    return id < isAmong.count && isAmong[id]
  }

  func takesIn(relation: Any.Type) -> Bool {
    relations?.contains(ObjectIdentifier(relation)) ?? true
  }

  /// Whether the changes of a note are among them: of whole entities, if one of their components
  /// is.
  @inline(never)
  func takesIn(_ note: UndoRecordPointer) -> Bool {
    guard unsafe note.pointee.cause != UndoRecord.unjournaled else { return false }
    switch unsafe note.pointee.kind {
    case .holder: return false
    case .linked, .linkUpdated: return unsafe takesIn(relation: note.link.pointee.relation)
    case .unlinked: return unsafe takesIn(relation: note.unlink.pointee.link.relation)
    case .moved: return unsafe takesIn(relation: note.move.pointee.link.relation)
    case .added, .removed, .replaced, .column:
      guard let cid = unsafe note.pointee.cid else { return components == nil }
      return takesIn(cid)
    case .created, .createdMany, .destroyed:
      guard components != nil else { return true }
      let types = unsafe note.types
      return unsafe (0..<Int(note.pointee.typeCount)).contains { unsafe takesIn(types[$0]) }
    }
  }
}
