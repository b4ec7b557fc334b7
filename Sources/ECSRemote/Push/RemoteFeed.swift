public import ECSRecipes
public import Foundation

/// A source of changes that a server tells without being asked; ``Remote/follow(_:)`` follows it.
///
/// ```swift
/// let feed = RemoteFeed(of: posts, named: "posts") { URL(string: "https://example.org/posts/events")! }
/// ```
public struct RemoteFeed: Sendable {
  /// The format of events.
  public enum Format: Sendable, Hashable {
    /// `text/event-stream`, as browsers have it.
    case serverSentEvents

    /// A JSON value on each line.
    case jsonLines
  }

  /// A way for a server to learn where to go on.
  public enum Resumption: Sendable, Hashable {
    /// In a field of the header.
    case header(String)

    /// In a parameter of the query.
    case parameter(String)
  }

  /// A rule for events that can't be applied.
  public enum BadEvent: Sendable, Hashable {
    /// The feed fails, and goes on with this event when it is followed again.
    case stop

    /// It is passed over.
    case skip
  }

  /// The name, which tells it from others, and by which its position is kept.
  public let name: String

  /// The format of events.
  public let format: Format

  /// How the server learns where to go on; not before it has said where it is.
  public var resumption = Resumption.header("Last-Event-ID")

  /// What a line of JSON says of its place in the feed; nil for nothing.
  ///
  /// One that could not be sent back is passed over, as ``RemoteFeedPosition/lastID`` says.
  /// Server-sent events have ids.
  public var position: @Sendable (JSONValue) -> String? = { _ in nil }

  /// Sent with each connection, over the fields of the configuration.
  public var headers: HTTPHeaders = [:]

  /// How long the server may say nothing, not even a comment or an empty line, before it is
  /// connected to anew; nil for any time.
  public var silence: Duration? = .seconds(90)

  /// How many bytes an event may have, a line of it included.
  public var maximumEventSize = 1 << 20

  /// Asked about an event that can't be applied; the feed stops by default.
  ///
  /// Called without any lock.
  public var onBadEvent: @Sendable (PushEvent, RemoteError) -> BadEvent = { _, _ in .stop }

  let url: @Sendable () throws -> URL
  let changes: @Sendable (PushEvent) throws -> [PushChange]

  /// Makes a feed.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - format: The format of events.
  ///   - url: Where it is; asked for each connection.
  ///   - changes: What an event means, all of which is applied in one section; nothing for those
  ///     that do not matter. Called without any lock.
  public init(
    named name: String, as format: Format = .serverSentEvents,
    at url: @escaping @Sendable () throws -> URL,
    changes: @escaping @Sendable (PushEvent) throws -> [PushChange]
  ) {
    (self.name, self.format, self.url, self.changes) = (name, format, url, changes)
  }

  /// Makes a feed of server-sent events about the entities of a resource, whose names say what
  /// happened.
  ///
  /// The data of an event is what the server would answer if it were asked for the entity. Of one
  /// that was deleted, its key is enough, also as the whole of the data. Events with other names
  /// are passed over.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - name: The name; that of the resource by default.
  ///   - saved: The names of events that tell of entities that were made or changed.
  ///   - deleted: The names of events that tell of deleted ones.
  ///   - url: Where it is; asked for each connection.
  public init(
    of resource: Resource, named name: String? = nil,
    saved: Set<String> = ["created", "updated"], deleted: Set<String> = ["deleted"],
    at url: @escaping @Sendable () throws -> URL
  ) {
    self.init(named: name ?? resource.name, at: url) { event in
      if saved.contains(event.name) {
        return [.save(try resource.data(in: Data(event.data.utf8)), as: resource)]
      }
      guard deleted.contains(event.name) else { return [] }
      let data = try event.json()
      guard case .object = data, let path = resource.key?.path else {
        return [.delete(data, as: resource)]
      }
      return [.delete(try resource.data(in: Data(event.data.utf8))[path] ?? .null, as: resource)]
    }
  }

  /// The types of content that say that it is written in this way.
  var contentTypes: Set<String> {
    switch format {
    case .serverSentEvents: ["text/event-stream"]
    case .jsonLines: ["application/x-ndjson", "application/ndjson", "application/jsonl"]
    }
  }

  func parser(after lastID: String) -> any PushParser {
    switch format {
    case .serverSentEvents: EventStreamParser(after: lastID, maximumSize: maximumEventSize)
    case .jsonLines:
      JSONLinesParser(after: lastID, maximumSize: maximumEventSize, position: position)
    }
  }
}
