import ECS
public import ECSRecipes

extension EntityList {
  /// Replaces the members by those of a list on the server, or of its first page.
  ///
  /// They stay as they are if that fails. Requests for one list go one after the other.
  ///
  /// - Parameters:
  ///   - resource: Where they are; its ``Paging`` says how pages are asked for.
  ///   - remote: What asks; its context is that of the list.
  ///   - size: How many entities a page has.
  ///   - parameters: As for ``Remote/fetch(_:as:parameters:policy:)``.
  /// - Throws: ``RemoteError``, which is then in the owner's ``RemoteState/Failed``.
  public func fetch(
    _ resource: Resource, with remote: Remote, size: Int = 50, parameters: JSONObject = [:]
  ) async throws(RemoteError) {
    _ = try await remote.pass(owner) { () async throws(RemoteError) in
      try await fetch(nil, ListProgress.Source(resource.name, size, parameters), resource, remote)
    }
  }

  /// Adds the next page at the end, without those that are members already; the first one, if that
  /// was not fetched in the same way before.
  ///
  /// - Parameters:
  ///   - resource: Where they are.
  ///   - remote: What asks; its context is that of the list.
  ///   - size: How many entities a page has.
  ///   - parameters: As for ``Remote/fetch(_:as:parameters:policy:)``.
  /// - Returns: How many entities the page had; 0, and nothing is asked, behind the last one.
  /// - Throws: ``RemoteError``, which is then in the owner's ``RemoteState/Failed``.
  public func fetchMore(
    _ resource: Resource, with remote: Remote, size: Int = 50, parameters: JSONObject = [:]
  ) async throws(RemoteError) -> Int {
    try await remote.pass(owner) { () async throws(RemoteError) in
      let source = ListProgress.Source(resource.name, size, parameters)
      var position = PagePosition()
      if let progress = owner.get(ListProgress.self), progress.source == source {
        guard let next = progress.next else { return 0 }
        position = next
      }
      return try await fetch(position, source, resource, remote)
    }
  }

  /// Whether the last page has come.
  public var isComplete: Bool {
    owner.get(ListProgress.self).map { $0.next == nil } ?? false
  }

  /// Fetches a page to append, or the first one to replace all, and returns how many entities it
  /// had.
  private func fetch(
    _ position: PagePosition?, _ source: ListProgress.Source, _ resource: Resource,
    _ remote: Remote
  ) async throws(RemoteError) -> Int {
    let page = try await remote.page(
      resource, position ?? PagePosition(), size: Swift.max(1, source.size), source.parameters,
      for: owner
    ) { page in
      if position == nil { replaceAll(with: page.entities) } else { append(page.entities) }
      _ = owner.set(ListProgress(source: source, next: page.next))
    }
    return page.entities.count
  }
}

/// The progress of fetching a list.
struct ListProgress: Component {
  struct Source: Sendable, Hashable {
    let resource: String
    let size: Int
    let parameters: JSONObject

    init(_ resource: String, _ size: Int, _ parameters: JSONObject) {
      (self.resource, self.size, self.parameters) = (resource, size, parameters)
    }
  }

  let source: Source

  /// The next page; nil behind the last one.
  let next: PagePosition?
}
