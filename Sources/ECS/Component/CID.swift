/// The identifier of a component type.
///
/// Two identifiers are equal exactly if they name the same type. The order of identifiers is the
/// order in which the process first used the types; it says nothing else.
@frozen
public struct CID: Hashable, Sendable {
  @usableFromInline
  let info: ComponentInfoReference

  @usableFromInline
  init(info: ComponentInfoReference) {
    self.info = info
  }

  /// Makes the identifier of a component type.
  ///
  /// Complexity: O(1), lock-free after the first use of the type in the process.
  @inlinable
  public init<C: Component>(_ type: C.Type) {
    info = ComponentRegistry.info(of: type)
  }

  /// The component type that this identifier names.
  public var type: any Component.Type { info.type }

  /// The name of the component type, without its module.
  public var name: String { info.name }
}

extension CID: Comparable {
  /// Whether the process used the left type before the right one.
  public static func < (left: CID, right: CID) -> Bool { left.info.id < right.info.id }
}

extension CID: CustomStringConvertible {
  /// The name of the component type.
  public var description: String { name }
}
