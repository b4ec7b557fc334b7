public import ECSRecipes
import Foundation

/// An event that a server sends without being asked; see ``RemoteFeed``.
public struct PushEvent: Sendable, Hashable {
  /// What kind of event it is: `message`, unless the server says otherwise.
  ///
  /// Lines of JSON have no other name.
  public let name: String

  /// What it says.
  public let data: String

  /// Where in the feed it is, for going on behind it; empty if the server has never said.
  public let id: String

  /// Makes an event.
  public init(name: String = "message", data: String, id: String = "") {
    (self.name, self.data, self.id) = (name, data, id)
  }

  /// What it says, as JSON.
  ///
  /// - Throws: `JSONSyntaxError`.
  public func json() throws(JSONSyntaxError) -> JSONValue { try JSONValue(data: Data(data.utf8)) }
}
