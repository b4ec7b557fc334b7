#if ExampleServer
  import Dispatch
  import ECS
  import ECSRecipes
  import ECSRemote
  import Foundation
  import Synchronization

  /// One user's issues: a context that is kept in step with the server.
  final class Desk: Sendable {
    let context = Context()
    let remote: Remote
    let issues: Resource
    let list: EntityList
    let cable = Cable()
    private let feed: RemoteFeed
    private let following = Mutex<Task<Void, any Error>?>(nil)
    private let sender: SendingSystem
    private let loop: ReactiveLoop

    /// How many issues a page has.
    static let pageSize = 3

    init(server: URL) throws {
      issues = try .issues(at: server)
      feed = .issues(issues, at: server)
      var configuration = RemoteConfiguration()
      configuration.timeout = .seconds(10)
      // While an answer is waited for, there is no use in trying for long; what is noted is tried again.
      configuration.retry = RemoteRetry(attempts: 2, first: .milliseconds(50), limit: .seconds(2))
      configuration.idempotencyKey = { UUID().uuidString }
      remote = Remote(context, transport: cable, configuration: configuration)
      list = EntityList(in: context)
      sender = SendingSystem(remote, [issues])
      loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "issue-desk"), systems: [sender])
    }

    /// Waits until everything is sent that can be.
    func settle() async {
      await loop.settled()
      await sender.settled()
    }

    func close() {
      following.withLock { $0?.cancel() }
      loop.cancel()
    }

    var isOnline: Bool { cable.isPlugged }

    /// Pulls the cable out, or plugs it in again.
    func setOnline(_ isOnline: Bool) async {
      cable.isPlugged = isOnline
      // What waits is tried at once, and not before.
      context.setUniqueComponent(Connectivity(isReachable: isOnline))
      guard let task = following.withLock({ $0 }) else { return }
      task.cancel()
      _ = await task.result
      if isOnline { follow() }
    }

    // MARK: Following

    var isFollowing: Bool { following.withLock { $0 != nil } }

    /// Takes over what others change, from now on, whenever the server can be reached; or goes on behind what is here.
    func follow() {
      following.withLock { following in
        following?.cancel()
        following = Task { try await remote.follow(feed) }
      }
    }

    /// Waits until all is here that the server has reported up to an event.
    func hasHeard(of event: Int) async {
      let owner = remote.feed(named: feed.name)
      let changes = owner.observations
      func isThere() -> Bool {
        Int(owner.get(RemoteFeedPosition.self)?.lastID ?? "") ?? -1 >= event
      }
      if isThere() { return }
      for await _ in changes where isThere() { return }
    }

    /// How many changes the server has not heard of.
    var unsentCount: Int { context.group(RemoteMutation.matcher).count }

    // MARK: Lists

    func fetchList() async throws {
      try await list.fetch(issues, with: remote, size: Desk.pageSize)
    }

    func fetchMore() async throws {
      _ = try await list.fetchMore(issues, with: remote, size: Desk.pageSize)
    }

    func fetch(_ issue: Entity) async throws { try await remote.fetch(issue, as: issues) }

    /// Asks the server what has become of all that is known here, with the tags that it has given: what is as it was
    /// costs a line.
    ///
    /// - Returns: What has changed.
    func refresh() async throws -> [Entity] {
      let known = context.group(IssueID.matcher)
      remote.invalidate(known)
      var changed: [Entity] = []
      for issue in known.sorted() {
        do throws(RemoteError) {
          if try await remote.fetch(issue, as: issues, policy: .ifStale) != .unchanged {
            changed.append(issue)
          }
        } catch {
          guard case .http(404, _, _) = error else { throw error }
          // What was edited here is its user's: the server is going to say that it is too late.
          if !issue.has(RemoteState.Unsent.self) { issue.destroy() }
        }
      }
      return changed
    }

    // MARK: Edits

    /// Makes an issue, in one section with the note that the server is to be notified.
    func add(_ title: String) -> Entity {
      context.perform("add") {
        let number =
          (context.group(Draft.matcher).compactMap { $0.get(Draft.self)?.number }.max() ?? 0) + 1
        let issue = context.createEntity(with: Issue(title: title), Draft(number: number))
        list.append([issue])
        remote.saveLater(issue, as: issues)
        return issue
      }
    }

    func edit(_ issue: Entity, _ change: (inout Issue) -> Void) {
      context.perform("edit") {
        issue.update(Issue.self, change)
        remote.saveLater(issue, as: issues)
      }
    }

    func delete(_ issue: Entity) { remote.deleteLater(issue, as: issues) }

    /// Ends a dispute: what was changed here is changed again, or what the server has stays.
    func settle(_ issue: Entity, asMine isMine: Bool) throws {
      guard let dispute = issue.get(Dispute.self) else { return }
      try context.perform("settle") {
        issue.remove(Dispute.self)
        guard isMine else { return }
        let fields = dispute.mine.sorted { $0.key < $1.key }
        var data: JSONObject = [:]
        for (field, value) in fields { data[field] = value }
        try remote.mapper.update(issue, with: issues.recipe, from: .object(data))
        remote.saveLater(issue, as: issues)
      }
    }

    // MARK: Finding

    /// The issue that a text names: `3`, or `new1`.
    func issue(named name: String) -> Entity? {
      if let number = Int(name) {
        return (try? remote.mapper.entity(withKey: .number(JSONNumber(number)), of: issues.recipe))
          ?? nil
      }
      return context.group(Draft.matcher).first { issue in
        issue.get(Draft.self).map { "new\($0.number)" == name } ?? false
      }
    }
  }
#endif
