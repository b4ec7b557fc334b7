/// Lets memory be fetched early that telling of the changes that wait takes.
///
/// The only observer of an entity is reached by way of one object, and one of several by way of
/// two, of which the first one refers to the other. With more of them than caches hold, delivery
/// would wait for memory. So two cursors run ahead of it, the second one far enough behind to find
/// what the first one has asked for (prefetching in stages, as of Chen, Ailamaki, Gibbons and
/// Mowry, "Improving hash join performance through prefetching", 2004).
// PERFORMANCE: O2.
@safe
struct DeliveryLookahead {
  /// How many entities must be observed for it to be worth the while: fewer stay in caches.
  static var smallestAudience: Int { 1024 }

  /// How many records lie between delivery and the first cursor, and between cursors.
  private static var distance: Int { 4 }

  /// The block in which the cursors are.
  private var base: UnsafeMutableRawPointer?

  // Where the change is whose target, and the one whose handler is to be fetched next.
  private var target = 0
  private var handler = 0

  init() { unsafe base = nil }

  /// Goes on by a change.
  @inline(__always)
  mutating func advance(in records: EventQueue.Window) {
    guard unsafe base == records.base, handler > records.start else { return restart(in: records) }
    unsafe step(&target, in: records) { unsafe $0.prefetchTarget() }
    unsafe step(&handler, in: records) { unsafe $0.prefetchHandler() }
  }

  /// Puts the cursors to their distances from the oldest change.
  @inline(never)
  private mutating func restart(in records: EventQueue.Window) {
    unsafe base = records.base
    (target, handler) = (records.start, records.start)
    for _ in 0..<2 * Self.distance {
      unsafe step(&target, in: records) { unsafe $0.prefetchTarget() }
    }
    for _ in 0..<Self.distance {
      unsafe step(&handler, in: records) { unsafe $0.prefetchHandler() }
    }
  }

  @inline(__always)
  private func step(
    _ cursor: inout Int, in records: EventQueue.Window,
    _ fetch: (UnsafeMutablePointer<ChangeEvent.Target>) -> Void
  ) {
    guard cursor < records.end else { return }
    // SAFETY: records from the start of the window to its end wait, and cursors go from record to
    // record.
    let record = unsafe (records.base + cursor).assumingMemoryBound(to: ChangeEvent.self)
    if unsafe record.pointee.targetCount > 0 { unsafe fetch(record.targets) }
    unsafe cursor &+= Int(record.pointee.length)
  }
}

extension EventQueue {
  /// Changes that wait in one block, from one record to the end of the last one.
  @safe
  struct Window {
    let base: UnsafeMutableRawPointer
    let start: Int
    let end: Int
  }
}

extension UnsafeMutablePointer<ChangeEvent.Target> {
  // SAFETY: targets are there until the change was delivered.

  @inline(__always)
  fileprivate func prefetchTarget() { unsafe pointee.target.prefetch(to: 63) }

  @inline(__always)
  fileprivate func prefetchHandler() {
    unsafe pointee.target._withUnsafeGuaranteedRef { unsafe $0.prefetchHandler(of: pointee.kind) }
  }
}
