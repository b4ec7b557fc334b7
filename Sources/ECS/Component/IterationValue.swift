/// A value that closures of iterations read: a component, or an optional one, which is nil for
/// entities that lack it.
///
/// ```swift
/// group.withEach { (entity, position: Position, wind: Wind?) in … }
/// ```
///
/// Every ``Component`` is one, and so is its optional type; other types are not meant to conform.
/// See <doc:Iteration>.
public protocol IterationValue: Sendable {
  /// What an iteration asks for to read values of this type.
  @_documentation(visibility: internal)
  static var iteratedType: IteratedType { get }

  /// The value in a row of what an iteration has found.
  // PERFORMANCE: I1 in debug builds: code that is not specialized would look up associated types
  // for each row, so there are none.
  @_documentation(visibility: internal)
  static func iterationValue(at row: Int, in column: IteratedColumn) -> Self
}

extension Component {
  /// This type, which entities have to have.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static var iteratedType: IteratedType { IteratedType(Self.self, isOptional: false) }

  /// The component in a row.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static func iterationValue(at row: Int, in column: IteratedColumn) -> Self {
    // SAFETY: the column was found for what the property above says, and has the row.
    unsafe column.values.unsafelyUnwrapped.assumingMemoryBound(to: Self.self)[row]
  }
}

extension Optional: IterationValue where Wrapped: Component {
  /// The component's type, which entities need not have.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static var iteratedType: IteratedType { IteratedType(Wrapped.self, isOptional: true) }

  /// The component in a row; nil if there is no column.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static func iterationValue(at row: Int, in column: IteratedColumn) -> Self {
    // SAFETY: as above.
    unsafe column.values?.assumingMemoryBound(to: Wrapped.self)[row]
  }
}

/// Stops since an iteration came to entities that lack what it asks for, which it should have left
/// out.
@usableFromInline
@inline(never)
func stopWithoutComponent() -> Never {
  stop("An iteration reached a table without a component that it asks for.")
}
