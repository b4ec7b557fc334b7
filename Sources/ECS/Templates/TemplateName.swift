import Dispatch

/// The name of a ``Template``.
///
/// Names are equal if their texts are. One takes 4 bytes, whatever its length, and is compared and
/// copied as fast as an integer; its text is kept as long as the process runs.
public struct TemplateName: Hashable, Sendable {
  private let id: UInt32

  /// Makes a name of a text.
  ///
  /// - Complexity: O(1) on average.
  public init(_ text: String) { id = TemplateNames.id(of: text) }

  /// The text.
  ///
  /// - Complexity: O(1).
  public var text: String { TemplateNames.text(of: id) }
}

extension TemplateName: ExpressibleByStringLiteral {
  /// Makes a name of a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension TemplateName: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension TemplateName: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// All names that the process has used.
private final class TemplateNames: Sendable {
  private static let shared = TemplateNames()

  private let guardian = DispatchQueue(label: "ECS.TemplateNames")
  private let state = NameTable()

  /// The names by their IDs, and the IDs by their names.
  // Guarded by the queue.
  private final class NameTable: @unchecked Sendable {
    var texts: [String] = []
    var ids: [String: UInt32] = [:]
  }

  static func id(of text: String) -> UInt32 {
    shared.guardian.sync {
      if let id = shared.state.ids[text] { return id }
      let id = UInt32(shared.state.texts.count)
      shared.state.texts.append(text)
      shared.state.ids[text] = id
      return id
    }
  }

  static func text(of id: UInt32) -> String {
    shared.guardian.sync { shared.state.texts[Int(id)] }
  }
}
