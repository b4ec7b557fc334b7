#if ExampleServer
  import ECS
  import ECSRecipes
  import ECSRemote
  import Foundation

  /// The number that the server gives to an issue; one without is new.
  struct IssueID: Component, Hashable { var value = 0 }

  struct Issue: Component, Hashable {
    var title = ""
    var text: String?
    var isOpen = true
    var assignee: String?
  }

  /// What a new issue is called until it has a number.
  struct Draft: Component, Hashable { let number: Int }

  /// Fields that were changed here and on the server, as they were changed here: the user is asked.
  struct Dispute: Component, Hashable { var mine: [String: JSONValue] = [:] }

  /// The same description reads what the server sends, and writes what it is sent.
  func makeIssues() throws -> Recipe {
    try Recipe("issue") {
      Identity(\IssueID.value, at: "id", of: IssueID())
      Fields(of: Issue()) {
        Field(\.title, at: "title")
        Field(\.text, at: "text")
        Field(\.isOpen, at: "open")
        Field(\.assignee, at: "assignee")
      }
    }
  }

  extension Resource {
    /// Where the issues are: changed fields are sent, and fields that both sides have changed become a dispute.
    static func issues(at server: URL) throws -> Resource {
      Resource(
        try makeIssues(), update: .patching,
        conflicts: .ifMatch(
          .ask { conflict in
            // In the section that merges: where the server's value is seen, the dispute is seen as well.
            conflict.entity?.update(default: Dispute()) { dispute in
              dispute.mine["\(conflict.path)"] = conflict.local ?? .null
            }
            return conflict.server
          })
      ) { server.appendingPathComponent("issues") }
      .paged(by: .pages())
    }
  }

  extension RemoteFeed {
    /// What happens to issues.
    ///
    /// With an event comes the tag, so that what is edited next is distinguished from what is newer.
    static func issues(_ issues: Resource, at server: URL) -> RemoteFeed {
      RemoteFeed(named: "issues") {
        server.appendingPathComponent("issues/events")
      } changes: { event in
        let said = try event.json()
        switch event.name {
        case "saved": return [.save(said["issue"] ?? .null, as: issues, etag: said["tag"]?.string)]
        case "deleted": return [.delete(said, as: issues)]
        default: return []
        }
      }
    }
  }
#endif
