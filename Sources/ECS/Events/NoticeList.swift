/// The observers to be notified of one kind of change, and what its records begin with.
@safe
@usableFromInline
struct NoticeList {
  @usableFromInline let count: Int

  @inlinable var isEmpty: Bool { count == 0 }

  /// Whether any of them wants old and new values.
  let wantsValues: Bool

  /// The targets of a change, in order.
  let targets: UnsafeMutablePointer<ChangeEvent.Target>

  /// The beginning of the records of changes, if they are all alike.
  let prototype: EventPrototype?

  /// Copies the targets to a block on the heap.
  init(
    _ targets: [ChangeEvent.Target], makePrototype: (_ wantsValues: Bool) -> EventPrototype?
  ) {
    count = targets.count
    // SAFETY: the maker of a list has the targets at hand.
    wantsValues = targets.contains { notice in
      unsafe notice.target._withUnsafeGuaranteedRef { $0.wantsValues(notice.kind) }
    }
    let copy = UnsafeMutablePointer<ChangeEvent.Target>.allocate(capacity: targets.count)
    // SAFETY: the capacity is the array's count.
    for (index, target) in targets.enumerated() {
      unsafe (copy + index).initialize(to: target)
    }
    unsafe self.targets = copy
    prototype = targets.isEmpty ? nil : makePrototype(wantsValues)
  }

  @unsafe func deallocate() {
    unsafe targets.deallocate()
    unsafe prototype?.deallocate()
  }
}

@usableFromInline
typealias NoticeListPointer = UnsafePointer<NoticeList>

extension Edge {
  /// The observers to be notified of a new value of the component; nil if nothing reacts to it.
  @inlinable
  @inline(__always)
  var replaceNotices: NoticeListPointer? {
    // SAFETY: a list of reactions begins with them.
    unsafe UnsafeRawPointer(replaceReactions)?.assumingMemoryBound(to: NoticeList.self)
  }
}
