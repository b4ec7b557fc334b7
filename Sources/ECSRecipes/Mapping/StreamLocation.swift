/// A location in a stream.
public struct StreamLocation: Sendable, Hashable {
  /// The number of bytes before it.
  public let offset: Int

  /// The line, counted from 1.
  public let line: Int

  /// The byte in its line, counted from 1.
  public let column: Int

  /// Makes a location.
  public init(offset: Int, line: Int, column: Int) {
    (self.offset, self.line, self.column) = (offset, line, column)
  }
}

extension StreamLocation: CustomStringConvertible {
  /// The line and the column.
  public var description: String { "line \(line), column \(column)" }
}

/// A location in a stream.
@available(*, unavailable, renamed: "StreamLocation")
public typealias StreamPlace = StreamLocation
