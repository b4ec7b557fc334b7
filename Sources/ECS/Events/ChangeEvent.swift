/// A change that waits to be delivered, in the memory of a ``EventQueue``.
///
/// Behind it lie its targets; for the creation and the destruction of an entity, the types of its
/// components; and the values, first those that the change ended, then those that it brought, each
/// where its alignment lets it.
@usableFromInline
struct ChangeEvent {
  /// A subscriber to be notified, and what the change is for it.
  // INVARIANT: the target is there until the change was delivered: one that goes before is retired.
  @safe
  struct Target {
    let target: Unmanaged<EventSubscriber>
    let kind: ReactionKind
  }

  @usableFromInline var handle: Handle

  /// The component whose write made the change; nil if an entity was created or destroyed.
  @usableFromInline let cause: CID?

  /// The bytes from here to the next record.
  let length: UInt32

  /// The round of observers that it is delivered in.
  var round: UInt32

  @usableFromInline let targetCount: UInt32
  @usableFromInline let typeCount: UInt16
  @usableFromInline let flags: Flags

  @usableFromInline
  struct Flags: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There are the values that the change ended.
    @inlinable static var hasOld: Flags { Flags(rawValue: 1) }

    /// There are the values that the change brought.
    @inlinable static var hasNew: Flags { Flags(rawValue: 2) }

    /// The entity was destroyed.
    static var isEnd: Flags { Flags(rawValue: 4) }

    /// An iteration made the change.
    static var isByIteration: Flags { Flags(rawValue: 8) }

    /// Values have to be ended.
    static var mustEnd: Flags { Flags(rawValue: 16) }

    @inlinable var hasValues: Bool { rawValue & 3 != 0 }
  }

  /// The bytes of a record itself.
  @inlinable static var headSize: Int { 32 }

  @inlinable static var targetSize: Int { 16 }

  /// The bytes from one record to the next, given those of what lies behind its targets.
  @inline(__always)
  static func length(targetCount: Int, typeCount: Int, valueSize: Int) -> Int {
    let size =
      headSize &+ targetCount &* targetSize &+ typeCount &* MemoryLayout<CID>.stride &+ valueSize
    return (size &+ 15) & ~15
  }

  /// The bytes of the old and the new value of a component, with what their alignment may take.
  @inlinable
  @inline(__always)
  static func sizeOfValues(stride: Int, alignment: Int) -> Int {
    2 &* stride &+ (alignment > 16 ? alignment : 0)
  }

  /// The first address for a value behind what is aligned to 16 bytes.
  @inlinable
  @inline(__always)
  static func align<C: Component>(
    _ rest: UnsafeMutableRawPointer, for type: C.Type
  ) -> UnsafeMutablePointer<C> {
    // SAFETY: the caller has set aside what the alignment may take.
    unsafe (MemoryLayout<C>.alignment > 16 ? rest.alignedUp(for: type) : rest)
      .assumingMemoryBound(to: type)
  }

  @inlinable
  @inline(__always)
  static func sizeOfValues<C: Component>(of type: C.Type) -> Int {
    sizeOfValues(stride: MemoryLayout<C>.stride, alignment: MemoryLayout<C>.alignment)
  }
}

@usableFromInline
typealias ChangeEventPointer = UnsafeMutablePointer<ChangeEvent>

// SAFETY: all of these are within the bytes that the queue set aside for the record, by the same
// reckoning: see `EventQueue.append`.
extension ChangeEventPointer {
  var targets: UnsafeMutablePointer<ChangeEvent.Target> {
    unsafe (UnsafeMutableRawPointer(self) + ChangeEvent.headSize)
      .assumingMemoryBound(to: ChangeEvent.Target.self)
  }

  /// What lies behind the targets.
  @inlinable
  var rest: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(self) + ChangeEvent.headSize
      + Int(pointee.targetCount) &* ChangeEvent.targetSize
  }

  /// The types of the components of an entity that was created or destroyed.
  var types: UnsafeMutablePointer<CID> {
    unsafe rest.assumingMemoryBound(to: CID.self)
  }

  /// Where the values of an entity that was created or destroyed begin.
  var valuesOfEntity: UnsafeMutableRawPointer {
    unsafe rest + Int(pointee.typeCount) &* MemoryLayout<CID>.stride
  }

  /// The address of the first value of a change of one component.
  @inlinable
  @inline(__always)
  func firstValue(alignment: Int) -> UnsafeMutableRawPointer {
    unsafe alignment <= 16 ? rest : rest.alignedUp(toMultipleOf: alignment)
  }

  /// Visits the values, with their types, and whether the change ended them.
  func forEachValue(
    _ body: (CID, UnsafeMutableRawPointer, _ isOld: Bool) -> Void
  ) {
    let flags = unsafe pointee.flags
    guard flags.hasValues else { return }
    guard let cause = unsafe pointee.cause else {
      var address = unsafe valuesOfEntity
      for index in unsafe 0..<Int(pointee.typeCount) {
        let cid = unsafe types[index]
        unsafe address = address.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
        unsafe body(cid, address, flags.contains(.hasOld))
        unsafe address += cid.pointer.pointee.stride
      }
      return
    }
    var address = unsafe firstValue(alignment: cause.pointer.pointee.alignment)
    if flags.contains(.hasOld) {
      unsafe body(cause, address, true)
      unsafe address += cause.pointer.pointee.stride
    }
    if flags.contains(.hasNew) { unsafe body(cause, address, false) }
  }

  /// Ends the values.
  @inline(never)
  func endValues() {
    unsafe forEachValue { cid, address, _ in
      if !cid.pointer.pointee.isTrivial { unsafe cid.pointer.pointee.end(address, 1) }
    }
  }
}

/// A change that is being delivered, as one of its recipients sees it.
@safe
@usableFromInline
struct QueuedChange {
  @usableFromInline let core: Core
  @usableFromInline private(set) var record: ChangeEventPointer
  private(set) var kind: ReactionKind

  /// The sequence number of the change.
  private(set) var sequence: UInt64

  init(_ core: Core, _ record: ChangeEventPointer, _ kind: ReactionKind, _ sequence: UInt64) {
    self.core = core
    unsafe self.record = unsafe record
    self.kind = kind
    self.sequence = sequence
  }

  /// Goes on to the next change if all there is to do before is to notify its only target, which is
  /// that of this one.
  @inline(__always)
  mutating func advance(for target: EventSubscriber) -> Bool {
    // SAFETY: the reference is only compared; the record waits, and has a target.
    guard
      let next = unsafe core.pointer.pointee.events.queue.advance(
        for: Unmanaged.passUnretained(target))
    else { return false }
    unsafe record = unsafe next
    kind = unsafe next.targets.pointee.kind
    sequence &+= 1
    return true
  }

  @inlinable var handle: Handle { unsafe record.pointee.handle }
  @inlinable var cause: CID? { unsafe record.pointee.cause }
  var flags: ChangeEvent.Flags { unsafe record.pointee.flags }

  /// The value of a component that the change ended, and the one that it brought.
  @inlinable
  @inline(__always)
  func values<C: Component>(of type: C.Type) -> (old: C?, new: C?) {
    // PERFORMANCE: O1, O2: nearly all changes have both.
    guard let cause = unsafe record.pointee.cause, cause.key == ComponentKey(type),
      unsafe record.pointee.flags.isSuperset(of: [.hasOld, .hasNew])
    else {
      // PERFORMANCE: O3: the rest that depends on the type is here, where the type is known.
      guard let address = unsafe firstValue(of: type) ?? findValue(ComponentKey(type)) else {
        return (nil, nil)
      }
      // SAFETY: the record has a value of this very type there, and no other one.
      let value = unsafe address.assumingMemoryBound(to: type).pointee
      return unsafe record.pointee.flags.contains(.hasOld) ? (value, nil) : (nil, value)
    }
    // SAFETY: the record has two values of this very type, one behind the other.
    let first = unsafe ChangeEvent.align(record.rest, for: type)
    return unsafe (first[0], first[1])
  }

  /// The address of the first value of an entity that was created or destroyed, if it is one of a
  /// type.
  @inlinable
  @inline(__always)
  func firstValue<C: Component>(of type: C.Type) -> UnsafeMutableRawPointer? {
    let count = unsafe Int(record.pointee.typeCount)
    guard count > 0 else { return nil }
    // SAFETY: the types lie behind the targets, and the values behind them, aligned to 8 bytes at
    // least.
    let types = unsafe record.rest
    guard unsafe types.assumingMemoryBound(to: CID.self).pointee.key == ComponentKey(type) else {
      return nil
    }
    let values = unsafe types + count &* MemoryLayout<CID>.stride
    return unsafe MemoryLayout<C>.alignment > 8 ? values.alignedUp(for: type) : values
  }

  /// The values that the change ended, or those that it brought, in boxes.
  func components(areOld: Bool) -> [any Component] {
    var components: [any Component] = []
    unsafe record.forEachValue { cid, address, isOld in
      // SAFETY: the value is initialized, and of the type that is noted.
      if isOld == areOld { unsafe components.append(cid.pointer.pointee.copy(address)) }
    }
    return components
  }

  /// The address of a value, of a change that has not both.
  @usableFromInline
  func findValue(_ key: ComponentKey) -> UnsafeMutableRawPointer? {
    guard unsafe record.pointee.flags.hasValues else { return nil }
    if let cause = unsafe record.pointee.cause {
      guard cause.key == key else { return nil }
      return unsafe record.firstValue(alignment: cause.pointer.pointee.alignment)
    }
    var type = unsafe record.types
    var address = unsafe record.valuesOfEntity
    let end = unsafe address
    while unsafe UnsafeMutableRawPointer(type) < end {
      let info = unsafe type.pointee.pointer
      unsafe address = address.alignedUp(toMultipleOf: info.pointee.alignment)
      if unsafe info.pointee.key == key { return unsafe address }
      unsafe address += info.pointee.stride
      unsafe type += 1
    }
    return nil
  }
}
