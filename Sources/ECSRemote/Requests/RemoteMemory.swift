import ECS
import ECSRecipes

/// The memory of what the server last said about an entity.
// PERFORMANCE: One reference, and all entities of a list share what it leads to (H1).
struct RemoteMemory: Component {
  final class Entry: Sendable {
    /// The name of the resource.
    let name: String

    /// When, by the configuration's clock.
    let time: Duration

    /// Where it was said, if it can be asked whether that still holds.
    let url: String?
    let etag: String?
    let lastModified: String?

    /// The hash of the data, as the entity would be written, if nothing was edited and it can be
    /// asked whether that still holds.
    let digest: Int?

    /// That of another resource.
    fileprivate let next: Entry?

    /// Whether it was said in a list: that has no tags, and was asked for after the last tag was
    /// seen.
    let isOfList: Bool

    /// Of an answer by which an entity is as some data, if nothing was edited.
    init(
      of resource: Resource, time: Duration, url: String? = nil, etag: String? = nil,
      lastModified: String? = nil, _ data: JSONValue? = nil
    ) {
      (name, self.time, self.url) = (resource.name, time, url)
      (self.etag, self.lastModified, next, isOfList) = (etag, lastModified, nil, false)
      digest = etag == nil && lastModified == nil ? nil : data?.hashValue
    }

    /// Of a list.
    init(ofListOf resource: Resource, time: Duration) {
      (name, self.time, url, isOfList) = (resource.name, time, nil, true)
      (etag, lastModified, next, digest) = (nil, nil, nil, nil)
    }

    fileprivate init(_ entry: Entry, time: Duration, next: Entry?) {
      (name, self.time, url, digest) = (entry.name, time, entry.url, entry.digest)
      isOfList = entry.isOfList
      (etag, lastModified, self.next) = (entry.etag, entry.lastModified, next)
    }

    /// Whether the server can tell that the same still holds.
    var canBeChecked: Bool { etag != nil || lastModified != nil }

    /// The same, said again.
    func again(at time: Duration) -> Entry { Entry(self, time: time, next: nil) }

    fileprivate func followed(by next: Entry?) -> Entry {
      next == nil && self.next == nil ? self : Entry(self, time: time, next: next)
    }

    fileprivate func without(_ name: String) -> Entry? {
      self.name == name ? next : followed(by: next?.without(name))
    }
  }

  private var first: Entry

  init(_ entry: Entry) { first = entry }

  /// What was said of the resource with a name.
  subscript(name: String) -> Entry? {
    var entry: Entry? = first
    while let present = entry, present.name != name { entry = present.next }
    return entry
  }

  /// With something newer.
  func noting(_ entry: Entry) -> RemoteMemory {
    RemoteMemory(entry.followed(by: first.without(entry.name)))
  }

  /// Without the resource with a name; nil if nothing is left.
  func without(_ name: String) -> RemoteMemory? { first.without(name).map(RemoteMemory.init) }
}
