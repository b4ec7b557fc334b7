public import ECSRecipes

/// The parameters of a request, before they are a URL and bytes: see
/// ``RemoteConfiguration/willEncode``.
public struct RemoteParameters: Sendable, Hashable {
  /// What is done.
  public let method: HTTPMethod

  /// The name of the resource or the feed.
  public let name: String

  /// What comes into the query: null leaves a name out, a list is sent as several.
  ///
  /// Empty for a page whose URL the server has sent.
  public var query: JSONObject

  /// What is sent as JSON; nil for nothing.
  public var body: JSONValue?

  init(method: HTTPMethod, name: String, query: JSONObject, body: JSONValue?) {
    (self.method, self.name, self.query, self.body) = (method, name, query, body)
  }
}
