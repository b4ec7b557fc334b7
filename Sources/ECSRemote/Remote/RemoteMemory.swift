import ECS

/// What is remembered of what the server last said about an entity.
struct RemoteMemory: Component {
  struct Entry: Sendable {
    /// When, by the configuration's clock.
    var time: Duration

    /// Where it was said, if it can be asked whether that still holds.
    var url: String?
    var etag: String?
    var lastModified: String?

    /// The hash of the data, as the entity would be written, if nothing was edited.
    var digest: Int?
  }

  /// By the name of the resource.
  var entries = NamedValues<Entry>()
}
