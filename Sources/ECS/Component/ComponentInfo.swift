/// The functions and sizes by which storage moves, copies and ends values of a component type
/// without knowing the type.
@safe
@usableFromInline
struct ComponentInfo {
  let type: any Component.Type
  let name: String

  /// Dense, in the order of first use in the process.
  @usableFromInline let id: UInt32

  /// The type's identity, the key of all hot look-ups.
  @usableFromInline let key: ComponentKey

  let size: Int
  let stride: Int
  let alignment: Int

  /// Copying and ending values are no-ops.
  let isTrivial: Bool

  /// Moving a value is copying its bytes.
  let isBitwiseTakable: Bool

  @usableFromInline let isUnique: Bool

  /// What the type requires; nil if that is nothing.
  let requirements: ComponentRequirements?

  /// Whether it is not unique, and requires nothing.
  let isPlain: Bool

  /// Moves `count` values from the second place to the first, which must not overlap.
  let move: @Sendable (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Void

  /// Makes copies of `count` values of the second place in the first, which must not overlap.
  let duplicate: @Sendable (UnsafeMutableRawPointer, UnsafeRawPointer, Int) -> Void

  /// Makes a value in a place out of one in a box, which has to be of this type.
  let unbox: @Sendable (any Component, UnsafeMutableRawPointer) -> Void

  /// Ends `count` values.
  let end: @Sendable (UnsafeMutableRawPointer, Int) -> Void

  /// A copy of the value.
  let copy: @Sendable (UnsafeMutableRawPointer) -> any Component

  /// Takes the value out; its place is uninitialized afterwards.
  let take: @Sendable (UnsafeMutableRawPointer) -> any Component

  init<C: Component>(_ type: C.Type, id: UInt32, requiring requirement: Requirement) {
    self.type = type
    self.id = id
    name = String(describing: type)
    key = ComponentKey(type)
    size = MemoryLayout<C>.size
    stride = MemoryLayout<C>.size == 0 ? 0 : MemoryLayout<C>.stride
    alignment = MemoryLayout<C>.alignment
    isTrivial = _isPOD(type)
    isBitwiseTakable = _isBitwiseTakable(type)
    isUnique = type is any UniqueComponent.Type
    requirements = ComponentRequirements(requirement)
    isPlain = !isUnique && requirements == nil
    // SAFETY: the closures are only given places of a column of this very type, which hold the
    // initialized values that the row count of the table says.
    unsafe move = { destination, source, count in
      unsafe destination.assumingMemoryBound(to: C.self)
        .moveInitialize(from: source.assumingMemoryBound(to: C.self), count: count)
    }
    unsafe duplicate = { destination, source, count in
      unsafe destination.assumingMemoryBound(to: C.self)
        .initialize(from: source.assumingMemoryBound(to: C.self), count: count)
    }
    unsafe unbox = { value, place in
      guard let value = value.value(of: C.self) else {
        stop("A value of another type was passed.")
      }
      unsafe place.initializeMemory(as: C.self, to: value)
    }
    unsafe end = { place, count in
      unsafe place.assumingMemoryBound(to: C.self).deinitialize(count: count)
    }
    unsafe copy = { place in unsafe place.assumingMemoryBound(to: C.self).pointee }
    unsafe take = { place in unsafe place.assumingMemoryBound(to: C.self).move() }
  }
}

extension ComponentInfo {
  /// Whether values are 8 bytes, as most are, that are copied as they are.
  var isBitwiseWord: Bool { isTrivial && stride == 8 && alignment <= 8 }
}

// PERFORMANCE: J1, O1: here, since a method of the information would get a copy of all of it.
extension CID {
  /// Makes a copy of a value in an uninitialized place.
  @inline(__always)
  func copyValue(to destination: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
    // SAFETY: as below.
    if !pointer.pointee.isTrivial {
      unsafe pointer.pointee.duplicate(destination, source, 1)
    } else if pointer.pointee.stride == 8 {
      // PERFORMANCE: O3: most values have this size, and are copied without a call.
      unsafe destination.copyMemory(from: source, byteCount: 8)
    } else {
      unsafe destination.copyMemory(from: source, byteCount: pointer.pointee.stride)
    }
  }

  /// Moves a value to an uninitialized place.
  @inline(__always)
  func moveValue(to destination: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer) {
    // SAFETY: as below.
    if pointer.pointee.isBitwiseTakable {
      unsafe destination.copyMemory(from: source, byteCount: pointer.pointee.stride)
    } else {
      unsafe pointer.pointee.move(destination, source, 1)
    }
  }

  /// Makes copies of values in uninitialized places.
  @inline(__always)
  func copyValues(
    to destination: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int
  ) {
    // SAFETY: callers pass places of values of this type, which differ.
    if pointer.pointee.isTrivial {
      unsafe destination.copyMemory(from: source, byteCount: count &* pointer.pointee.stride)
    } else {
      unsafe pointer.pointee.duplicate(destination, source, count)
    }
  }
}

extension Component {
  /// The value, if it is of a type that the caller has.
  @usableFromInline
  func value<C: Component>(of type: C.Type) -> C? {
    guard Self.self == type else { return nil }
    // SAFETY: the two types are one.
    return unsafe unsafeBitCast(self, to: type)
  }
}

/// The identity of a component type: the address of its metadata, never 0.
@frozen
@usableFromInline
struct ComponentKey: Hashable, Sendable {
  @usableFromInline let bits: UInt

  @inlinable
  @inline(__always)
  init<C: Component>(_ type: C.Type) {
    bits = UInt(bitPattern: ObjectIdentifier(type))
  }

  @usableFromInline
  init(type: any Component.Type) {
    bits = UInt(bitPattern: ObjectIdentifier(type))
  }

  init(bits: UInt) { self.bits = bits }

  /// The name of the type, without its module.
  var name: String {
    // SAFETY: the bits are the address of a type's metadata.
    String(describing: unsafe unsafeBitCast(bits, to: Any.Type.self))
  }

  /// The identifier of the type.
  var cid: CID {
    // PERFORMANCE: I0.context: nearly always, the type has been used before, and need not be cast.
    if let cid = ComponentRegistry.find(self) { return cid }
    // SAFETY: as above.
    guard let type = unsafe unsafeBitCast(bits, to: Any.Type.self) as? any Component.Type else {
      stop("\(name) is not a component.")
    }
    return type.cid
  }

  /// No type: marks free entries of hash tables.
  @inlinable
  init() { bits = 0 }

  /// The product with the golden ratio, of which hash tables take some bits.
  @inlinable
  @inline(__always)
  var product: UInt64 { UInt64(bits) &* 0x9E37_79B9_7F4A_7C15 }

  /// The index where a search begins in a hash table of 2^(64 - shift) entries, by Fibonacci
  /// hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
  @inlinable
  @inline(__always)
  func home(shift: UInt64) -> Int {
    Int(truncatingIfNeeded: product &>> shift)
  }
}
