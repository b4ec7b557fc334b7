/// Stands in for the type of the same name in swift-log: what the articles use of it.
public struct Logger: Sendable {
  /// What belongs to a message.
  public typealias Metadata = [String: MetadataValue]

  /// A text, which has to be written as a literal.
  public struct MetadataValue: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    /// The text.
    public let description: String

    /// Makes a text of a literal.
    public init(stringLiteral text: String) { description = text }
  }

  private let label: String

  /// Makes a logger.
  public init(label: String) { self.label = label }

  /// Logs what is useful.
  public func info(_ message: @autoclosure () -> String, metadata: Metadata? = nil) {
    write(message(), metadata)
  }

  /// Logs what went wrong.
  public func error(_ message: @autoclosure () -> String, metadata: Metadata? = nil) {
    write(message(), metadata)
  }

  private func write(_ message: String, _ metadata: Metadata?) {
    let pairs = (metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    print("\(label): \(message)\(pairs.joined())")
  }
}
