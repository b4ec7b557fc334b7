/// Values that bodies of iterations over chunks read: a span of components, or an optional one,
/// which is nil for chunks of entities that lack the component.
///
/// ```swift
/// group.withChunks { (chunk, positions: Span<Position>, winds: Span<Wind>?) in … }
/// ```
///
/// `Span` of a ``Component`` conforms, and so does its optional type. See <doc:Iteration>.
public protocol ChunkValues: SendableMetatype, ~Escapable {
  /// The component that is read.
  @_documentation(visibility: internal)
  associatedtype ChunkComponent: Component

  /// Whether chunks whose entities lack the component are visited, too.
  @_documentation(visibility: internal)
  static var isOptionalInChunks: Bool { get }

  /// The values for a chunk whose entities have a component, or lack it.
  @_documentation(visibility: internal)
  @_lifetime(copy span)
  static func chunkValues(of span: Span<ChunkComponent>?) -> Self
}

extension Span: ChunkValues where Element: Component {
  /// The type of the elements.
  @_documentation(visibility: internal)
  public typealias ChunkComponent = Element

  /// False: chunks whose entities lack the component are not visited.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static var isOptionalInChunks: Bool { false }

  /// The span.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  @_lifetime(copy span)
  public static func chunkValues(of span: Span<Element>?) -> Self {
    guard let span else { stopWithoutComponent() }
    return span
  }
}

extension Optional: ChunkValues where Wrapped: ChunkValues, Wrapped: ~Escapable {
  /// The component of the span that is optional.
  @_documentation(visibility: internal)
  public typealias ChunkComponent = Wrapped.ChunkComponent

  /// True: chunks whose entities lack the component are visited, too.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static var isOptionalInChunks: Bool { true }

  /// The span, or nil.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  @_lifetime(copy span)
  public static func chunkValues(of span: Span<ChunkComponent>?) -> Self {
    guard let span else { return nil }
    return Wrapped.chunkValues(of: span)
  }
}
