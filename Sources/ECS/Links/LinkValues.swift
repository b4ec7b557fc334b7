/// The values of the links of one relation, by the IDs of their links.
///
/// A column beside the links. Copies share it until one of them changes.
struct LinkValues {
  /// The type of the values.
  let cid: CID

  private var block: LinkValueBlock

  /// Values that transactions which run may have to put back, the last ones last.
  private var kept: [any Component] = []

  init(_ cid: CID) {
    self.cid = cid
    block = LinkValueBlock(cid, capacity: 0)
  }

  /// The same values, whatever becomes of these.
  ///
  /// - Complexity: O(1), and once O(*k*) for the first change of either one, where *k* is the
  ///   number of links.
  var frozen: LinkValues {
    var copy = self
    copy.kept = []
    return copy
  }

  /// What has the values: kept by its owners until they may end.
  var owner: AnyObject { block }

  /// The number of values.
  var count: Int { block.count }

  func hasValue(_ link: RelationLinks.ID) -> Bool {
    link.index < block.capacity && block.isSet[link.index]
  }

  // MARK: Reading

  /// A copy of the value of a link.
  func value(of link: RelationLinks.ID) -> any Component {
    // SAFETY: a link that exists has a value, of this type.
    unsafe cid.pointer.pointee.copy(address(of: link))
  }

  /// The value of a link, whose type the caller has.
  func value<Value: Component>(of link: RelationLinks.ID, as type: Value.Type) -> Value {
    assert(ComponentKey(type) == cid.key, "A value of another type was asked for.")
    // SAFETY: as above; the caller has got the type of the relation.
    return unsafe address(of: link).assumingMemoryBound(to: type).pointee
  }

  /// Makes a copy of the value of a link in uninitialized memory.
  func copyValue(of link: RelationLinks.ID, to destination: UnsafeMutableRawPointer) {
    // SAFETY: as above.
    unsafe cid.copyValue(to: destination, from: address(of: link))
  }

  private func address(of link: RelationLinks.ID) -> UnsafeMutableRawPointer {
    assert(hasValue(link), "A link was asked for its value that has none.")
    return unsafe block.address(link.index)
  }

  // MARK: Changing

  /// Gives a link that has come its value.
  mutating func add<Value: Component>(_ value: Value, to link: RelationLinks.ID) {
    assert(ComponentKey(Value.self) == cid.key && !hasValue(link), "A link has a value already.")
    makeOwn(toHold: link.index)
    // SAFETY: there is room for the value, and none there.
    unsafe block.address(link.index).initializeMemory(as: Value.self, to: value)
    block.isSet[link.index] = true
    block.count += 1
  }

  /// Takes out the value of a link; nil if it is nothing to be ended, or is kept for the
  /// transaction that runs.
  mutating func remove(_ link: RelationLinks.ID, keeps: Bool) -> (any Component)? {
    makeOwn(toHold: link.index)
    let address = unsafe address(of: link)
    block.isSet[link.index] = false
    block.count -= 1
    if cid.pointer.pointee.isTrivial, !keeps { return nil }
    // SAFETY: the value is there, and is not any more from here on.
    let value = unsafe cid.pointer.pointee.take(address)
    if !keeps { return value }
    kept.append(value)
    return nil
  }

  // MARK: Taking back

  /// Gives a link the value back that was kept last.
  mutating func putBack(_ link: RelationLinks.ID) {
    guard let value = kept.popLast() else { return }
    func add<Value: Component>(_ value: Value) { self.add(value, to: link) }
    add(value)
  }

  /// Forgets what was kept; returns it, to be ended.
  mutating func forgetKept() -> [any Component] {
    defer { kept = [] }
    return kept
  }

  private mutating func makeOwn(toHold index: Int) {
    let isShared = !isKnownUniquelyReferenced(&block)
    guard isShared || index >= block.capacity else { return }
    let capacity = index < block.capacity ? block.capacity : max(16, index + 1, block.capacity * 2)
    block = block.resized(capacity, isShared: isShared)
  }
}

/// The memory of values, and which of them there are.
@safe
// Written only while nothing else has it.
private final class LinkValueBlock: @unchecked Sendable {
  private let cid: CID
  let capacity: Int
  private let base: UnsafeMutableRawPointer

  // PERFORMANCE: L4: checks of exclusive access would take as long as what is to be done.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var isSet: ContiguousArray<Bool>
  @exclusivity(unchecked) @safe nonisolated(unsafe) var count = 0

  init(_ cid: CID, capacity: Int) {
    self.cid = cid
    self.capacity = capacity
    isSet = ContiguousArray(repeating: false, count: capacity)
    let (stride, alignment) = (cid.pointer.pointee.stride, cid.pointer.pointee.alignment)
    unsafe base = Memory.allocate(byteCount: max(1, capacity * stride), alignment: alignment)
  }

  deinit {
    if count > 0, !cid.pointer.pointee.isTrivial {
      for index in isSet.indices where isSet[index] {
        // SAFETY: the value is there, and nothing has it any more.
        unsafe cid.pointer.pointee.end(address(index), 1)
      }
    }
    unsafe Memory.free(base, byteCount: max(1, capacity * cid.pointer.pointee.stride))
  }

  func address(_ index: Int) -> UnsafeMutableRawPointer {
    assert(index < capacity, "There is no room for the value of a link.")
    return unsafe base + index &* cid.pointer.pointee.stride
  }

  /// A block with the same values: copies of them if others have this one, too; else the values
  /// themselves.
  func resized(_ capacity: Int, isShared: Bool) -> LinkValueBlock {
    let new = LinkValueBlock(cid, capacity: capacity)
    for index in isSet.indices where isSet[index] {
      new.isSet[index] = true
      // SAFETY: there is a value here and none there, which differ.
      if isShared {
        unsafe cid.copyValue(to: new.address(index), from: address(index))
      } else {
        unsafe cid.moveValue(to: new.address(index), from: address(index))
      }
    }
    new.count = count
    if !isShared { (isSet, count) = ([], 0) }
    return new
  }
}
