/// The values that a change ended and brought, for as long as the change is kept.
@safe
@usableFromInline
// Written by the queue that it belongs to, under the lock of the core, and only while nothing else
// has it.
final class ChangeValues: @unchecked Sendable {
  @safe
  private struct Item {
    let cid: CID
    let address: UnsafeMutableRawPointer
    let isOld: Bool
  }

  private var items: [Item] = []
  private var block: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit {
    empty()
    unsafe block?.deallocate()
  }

  /// Copies the values of a change.
  func fill(from record: ChangeEventPointer) {
    var size = 0
    unsafe record.forEachValue { cid, _, _ in
      size += cid.pointer.pointee.stride + cid.pointer.pointee.alignment
    }
    guard var address = unsafe room(for: size) else { return }
    unsafe record.forEachValue { cid, source, isOld in
      unsafe address = address.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
      // SAFETY: the block has room for all values, aligned as they are; the source is initialized.
      unsafe cid.copyValue(to: address, from: source)
      unsafe items.append(Item(cid: cid, address: address, isOld: isOld))
      unsafe address += cid.pointer.pointee.stride
    }
  }

  private func room(for size: Int) -> UnsafeMutableRawPointer? {
    if size <= capacity, let block = unsafe block { return unsafe block }
    unsafe block?.deallocate()
    capacity = max(64, size)
    unsafe block = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    return unsafe block
  }

  /// Ends the values.
  func empty() {
    // What ends may run code that comes back here, with nothing left.
    var ended: [Item] = []
    swap(&ended, &items)
    for item in ended where !item.cid.pointer.pointee.isTrivial {
      unsafe item.cid.pointer.pointee.end(item.address, 1)
    }
    ended.removeAll(keepingCapacity: true)
    if items.isEmpty { swap(&ended, &items) }
  }

  /// A value that the change ended, or one that it brought.
  @inlinable
  func value<C: Component>(of type: C.Type, isOld: Bool) -> C? {
    // SAFETY: there is a value of this very type.
    unsafe find(ComponentKey(type), isOld: isOld)?.assumingMemoryBound(to: type).pointee
  }

  @usableFromInline
  func find(_ key: ComponentKey, isOld: Bool) -> UnsafeMutableRawPointer? {
    for item in items where item.isOld == isOld && item.cid.key == key {
      return unsafe item.address
    }
    return nil
  }

  /// The values that the change ended, or those that it brought, in boxes.
  func components(areOld: Bool) -> [any Component] {
    // SAFETY: the values are initialized, and of the types that are noted.
    items.lazy.filter { $0.isOld == areOld }.map { unsafe $0.cid.pointer.pointee.copy($0.address) }
  }
}
