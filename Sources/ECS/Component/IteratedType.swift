/// The type of a component that an iteration asks for, and whether entities need not have it.
@frozen
@_documentation(visibility: internal)
public struct IteratedType: Sendable {
  @usableFromInline let key: ComponentKey
  @usableFromInline let stride: Int
  @usableFromInline let isOptional: Bool

  @inlinable
  @inline(__always)
  init<C: Component>(_ type: C.Type, isOptional: Bool) {
    key = ComponentKey(type)
    stride = MemoryLayout<C>.stride
    self.isOptional = isOptional
  }
}
