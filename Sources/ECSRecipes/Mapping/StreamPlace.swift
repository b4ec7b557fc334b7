/// A place in a stream.
public struct StreamPlace: Sendable, Hashable {
  /// The number of bytes before it.
  public let offset: Int

  /// The line, counted from 1.
  public let line: Int

  /// The byte in its line, counted from 1.
  public let column: Int

  /// Makes a place.
  public init(offset: Int, line: Int, column: Int) {
    (self.offset, self.line, self.column) = (offset, line, column)
  }
}

extension StreamPlace: CustomStringConvertible {
  /// The line and the column.
  public var description: String { "line \(line), column \(column)" }
}
