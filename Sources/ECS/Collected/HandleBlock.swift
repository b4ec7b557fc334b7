/// Room for handles, which a log fills and the sets that are drained from it read.
@safe
@usableFromInline
// Written by the log that owns it, under the lock of its core, and only while nothing else has it.
final class HandleBlock: @unchecked Sendable {
  @usableFromInline let handles: UnsafeMutablePointer<Handle>
  private(set) var capacity: Int

  /// For logs that hold nothing, which share it.
  static let empty = HandleBlock(capacity: 0)

  init(capacity: Int) {
    unsafe handles = Memory.allocate(Handle.self, capacity: capacity)
    self.capacity = capacity
  }

  deinit { unsafe Memory.free(handles, capacity: capacity) }

  /// Makes room for more handles where the block is; false, having done nothing, if that can't be.
  func extend(to newCapacity: Int) -> Bool {
    let stride = MemoryLayout<Handle>.stride
    guard unsafe Memory.extend(handles, from: capacity * stride, to: newCapacity * stride) else {
      return false
    }
    capacity = newCapacity
    return true
  }
}

/// The entities that were drained from a log; their owner has their count.
@usableFromInline
struct DrainedEntities: Sendable {
  @usableFromInline let core: Core
  @usableFromInline let block: HandleBlock

  /// The entity at a position, of so many.
  // INVARIANT: so many handles are initialized, and nothing writes to them.
  @inlinable
  subscript(position: Int, of count: Int) -> Entity {
    guard position >= 0, position < count else { stopOutside(position, of: count) }
    // SAFETY: the position was checked.
    return unsafe Entity(core: core, handle: block.handles[position])
  }

  /// The position of an entity among so many; nil if it is not among them.
  func firstIndex(of entity: Entity, in count: Int) -> Int? {
    guard entity.core == core else { return nil }
    // SAFETY: so many handles are initialized.
    return (0..<count).first { unsafe block.handles[$0] == entity.handle }
  }

  @usableFromInline
  @inline(never)
  func stopOutside(_ position: Int, of count: Int) -> Never {
    stop("Position \(position) is outside a set of \(count) entities: use one of its indices.")
  }
}
