/// The values of a component in the rows that an iteration visits.
///
/// Only iterations make them, and pass them to the type that they asked for what to look for.
@frozen
@safe
@_documentation(visibility: internal)
public struct IteratedColumn {
  // INVARIANT: nil only if entities need not have the component.
  @usableFromInline let values: UnsafeMutableRawPointer?

  @inlinable
  @inline(__always)
  init(_ values: UnsafeMutableRawPointer?) { unsafe self.values = unsafe values }
}
