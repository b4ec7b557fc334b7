#if ExampleServer
  import ECS
  import ECSRecipes
  import ECSRemote

  /// What can be typed at a desk.
  struct Commands: Sendable {
    let desk: Desk

    /// Why a command can't be carried out.
    struct Refusal: Error {
      let reason: String
      init(_ reason: String) { self.reason = reason }
    }

    static let help = """
      list | more              the first page of the issues, and the next one
      show ISSUE               an issue is called by its number, or new1 until it has one
      add TITLE
      edit ISSUE title|text|assignee [VALUE]
      close ISSUE | reopen ISSUE | delete ISSUE
      mine ISSUE | theirs ISSUE    ends a dispute
      retry ISSUE | discard ISSUE  what the server has refused
      refresh                  asks what has become of the issues that are known here
      follow                   is told what others change, from now on
      offline | online
      """

    /// Carries out a command, and returns what there is to say.
    func carryOut(_ line: String) async throws -> [String] {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let rest = words.count > 1 ? words[1].trimmingPrefix { $0 == " " } : ""
      switch words.first ?? "" {
      case "list":
        try await desk.fetchList()
        return lines(desk.list)
      case "more":
        let before = desk.list.count
        try await desk.fetchMore()
        return lines(desk.list.dropFirst(before))
      case "refresh":
        return lines(try await desk.refresh())
      case "follow":
        desk.follow()
        return []
      case "offline":
        await desk.setOnline(false)
        return []
      case "online":
        let waiting = desk.context.group(RemoteState.Unsent.matcher).sorted()
        await desk.setOnline(true)
        await desk.settle()
        return lines(waiting)
      case "add":
        if rest.isEmpty { throw Refusal("an issue needs a title") }
        return await shown(desk.add(String(rest)))
      case "":
        return []
      case let word:
        return try await carryOut(word, String(rest))
      }
    }

    private func carryOut(_ word: String, _ rest: String) async throws -> [String] {
      let parts = rest.split(separator: " ", maxSplits: 2).map(String.init)
      guard let name = parts.first, let issue = desk.issue(named: name) else {
        throw Refusal(parts.isEmpty ? "can't do '\(word)'" : "there is no issue '\(rest)' here")
      }
      switch word {
      case "show":
        if desk.isOnline, issue.has(IssueID.self) { try await desk.fetch(issue) }
        return lines([issue]) + (issue.get(Issue.self)?.text.map { ["    \($0)"] } ?? [])
      case "edit":
        guard parts.count > 1 else { throw Refusal("say which field") }
        let value = parts.count > 2 ? parts[2] : nil
        switch parts[1] {
        case "title": desk.edit(issue) { $0.title = value ?? "" }
        case "text": desk.edit(issue) { $0.text = value }
        case "assignee": desk.edit(issue) { $0.assignee = value }
        default: throw Refusal("an issue has no field '\(parts[1])'")
        }
      case "close": desk.edit(issue) { $0.isOpen = false }
      case "reopen": desk.edit(issue) { $0.isOpen = true }
      case "mine": try desk.settle(issue, asMine: true)
      case "theirs": try desk.settle(issue, asMine: false)
      case "retry":
        for mutation in issue.sources(Mutates.self) { desk.remote.retry(mutation) }
      case "discard":
        if let mutation = issue.sources(Mutates.self).entities().first {
          try await desk.remote.discard(mutation)
        }
      case "delete":
        desk.delete(issue)
        await desk.settle()
        return []
      default: throw Refusal("can't do '\(word)'")
      }
      return await shown(issue)
    }

    private func shown(_ issue: Entity) async -> [String] {
      await desk.settle()
      return lines([issue])
    }

    private func lines(_ issues: some Sequence<Entity>) -> [String] { issues.map(line) }

    /// An issue as a line: its number, state and title, and what is going on between it and the server.
    func line(_ entity: Entity) -> String {
      guard let issue = entity.get(Issue.self) else { return "gone" }
      let name =
        entity.get(IssueID.self).map { "#\($0.value)" }
        ?? entity.get(Draft.self).map { "new\($0.number)" } ?? "new"
      var line = "\(name) \(issue.isOpen ? "open" : "closed") \(issue.title)"
      if let assignee = issue.assignee { line += " (\(assignee))" }
      if entity.has(RemoteState.Unsent.self) { line += " [not sent]" }
      if let failed = entity.get(RemoteState.Failed.self), failed.isFinal {
        line += " [\(failed.error)]"
      }
      for (field, value) in (entity.get(Dispute.self)?.mine ?? [:]).sorted(by: { $0.key < $1.key })
      {
        line += " [you had changed the \(field) to \(value.string ?? value.json())]"
      }
      return line
    }
  }
#endif
