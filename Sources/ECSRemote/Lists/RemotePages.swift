public import ECS
public import ECSRecipes

/// The pages of a list, fetched one after the other as they are asked for.
///
/// ```swift
/// for try await page in remote.pages(posts, size: 50) { print(page.count) }
/// ```
///
/// It ends after the last page, as ``Paging`` tells it, and when the task is cancelled. Each
/// iteration begins with the first one.
public struct RemotePages: AsyncSequence, Sendable {
  /// The entities of a page, in the order of the answer.
  public typealias Element = [Entity]

  /// What the request for a page throws.
  public typealias Failure = RemoteError

  let remote: Remote
  let resource: Resource
  let size: Int
  let parameters: JSONObject

  /// An iterator that begins with the first page.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

  /// Fetches a page after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// The entities of a page, in the order of the answer.
    public typealias Element = [Entity]

    /// What the request for a page throws.
    public typealias Failure = RemoteError

    let pages: RemotePages
    private var position: PagePosition? = PagePosition()

    init(pages: RemotePages) { self.pages = pages }

    /// Fetches the next page, and returns its entities; nil if there is none.
    ///
    /// - Throws: ``RemoteError``. Nothing has changed then, and the next call asks for the same
    ///   page.
    public mutating func next() async throws(RemoteError) -> [Entity]? {
      guard let position else { return nil }
      do throws(RemoteError) {
        let page = try await pages.remote.page(
          pages.resource, position, size: pages.size, pages.parameters)
        self.position = page.next
        return page.entities.isEmpty && page.next == nil ? nil : page.entities
      } catch {
        // Others may be cancelled, such as a hook that waits for them: the list does not end there.
        guard error == .cancelled, Task.isCancelled else { throw error }
        self.position = nil
        return nil
      }
    }
  }
}

extension Remote {
  /// The pages of a list.
  ///
  /// The entities of each page are made or changed in one section, when it is asked for.
  ///
  /// - Parameters:
  ///   - resource: Where they are; its ``Paging`` says how pages are asked for.
  ///   - size: How many entities a page has, at least 1.
  ///   - parameters: As for ``fetch(_:as:parameters:policy:)``; those that ask for a page replace
  ///     them.
  /// - Returns: A sequence that fetches as it is iterated.
  public func pages(
    _ resource: Resource, size: Int, parameters: JSONObject = [:]
  ) -> RemotePages {
    RemotePages(remote: self, resource: resource, size: max(1, size), parameters: parameters)
  }
}
