/// The identifier of a component type.
///
/// Two identifiers are equal if and only if they name the same type. The order of identifiers is
/// the order in which the process first used the types, and means nothing else.
@safe
@frozen
// What it points to is immutable and lives as long as the process.
public struct CID: @unchecked Sendable {
  // SAFETY: the pointee is initialized before the identifier exists and never changes or ends.
  @safe @usableFromInline let pointer: UnsafePointer<ComponentInfo>

  /// Makes the identifier of a component type.
  ///
  /// Complexity: O(1), lock-free after the first use of the type in the process.
  @inlinable
  public init<C: Component>(_ type: C.Type) {
    self = ComponentRegistry.cid(of: type)
  }

  /// Makes an identifier with a description of its type.
  init(_ info: ComponentInfo) {
    let place = UnsafeMutablePointer<ComponentInfo>.allocate(capacity: 1)
    unsafe place.initialize(to: info)
    pointer = unsafe UnsafePointer(place)
  }

  /// Makes an identifier from the bits of another.
  @usableFromInline
  init?(bits: UInt) {
    guard let pointer = unsafe UnsafePointer<ComponentInfo>(bitPattern: bits) else { return nil }
    self.pointer = unsafe pointer
  }

  @inlinable var bits: UInt { UInt(bitPattern: pointer) }

  /// The component type that this identifier names.
  public var type: any Component.Type { pointer.pointee.type }

  /// The name of the component type, without its module.
  public var name: String { pointer.pointee.name }

  @inlinable var id: UInt32 { pointer.pointee.id }
  @inlinable var key: ComponentKey { pointer.pointee.key }
  @inlinable package var isUnique: Bool { pointer.pointee.isUnique }
}

extension CID: Hashable {
  /// Whether both name the same type.
  @inlinable
  public static func == (left: CID, right: CID) -> Bool { unsafe left.pointer == right.pointer }

  /// Hashes the type's identity.
  @inlinable
  public func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}

extension CID: Comparable {
  /// Whether the process used the left type before the right one.
  public static func < (left: CID, right: CID) -> Bool { left.id < right.id }

  // The standard library's sort is machine code for each call: here it is once.
  @inline(never)
  static func sort(_ cids: inout [CID]) { cids.sort() }
}

extension Sequence<CID> {
  /// The identifiers in ascending order.
  func ascending() -> [CID] {
    var cids = Array(self)
    CID.sort(&cids)
    return cids
  }
}

extension CID: CustomStringConvertible {
  /// The name of the component type.
  public var description: String { name }
}
