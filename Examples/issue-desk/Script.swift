#if ExampleServer
  import ExampleSupport
  import Synchronization

  /// A server and two desks, and what they do, which is the same each time.
  struct Script {
    private let table: IssueTable
    private let desks: [String: Commands]
    private let news: [String: Heard]

    /// Plays it, with real requests on this machine.
    static func play() async throws {
      let table = IssueTable(
        [
          "Crash when the disk is full", "Typo on the start page", "Icons are blurred",
          "Search finds nothing",
        ], isLogging: true)
      let server = try await IssueServer(table)
      let names = ["ada", "bob"]
      let desks = try names.map { ($0, Commands(desk: try Desk(server: server.url))) }
      let news = desks.map { ($0.0, Heard(at: $0.1)) }
      let script = Script(
        table: table, desks: Dictionary(uniqueKeysWithValues: desks),
        news: Dictionary(uniqueKeysWithValues: news))
      try await script.run()
      for (_, commands) in desks { commands.desk.close() }
      await server.stop()
    }

    private func run() async throws {
      try say("Lists, page by page")
      try await each("ada: list", "ada: more", "bob: list")
      try say("An edit sends what was changed")
      try await each("ada: edit 1 assignee Ada", "ada: add Dark mode")
      try say("Others ask with their tags, and get what is new")
      try await each("bob: refresh", "bob: refresh")
      try say("Who follows is told")
      try await each(
        "bob: follow", "ada: edit 2 title Typo on the first page", "ada: add Slow start")
      try say("Without a network, edits wait; each issue is one request then")
      try await each(
        "ada: offline", "ada: list", "ada: close 2", "ada: edit 2 text Fixed in the draft",
        "ada: add Printing is slow", "ada: edit new3 assignee Bob", "ada: online")
      try say(
        "Different fields of one issue are merged: the tag says that there is something newer")
      try await each(
        "ada: show 3", "ada: offline", "ada: edit 3 assignee Ada",
        "bob: edit 3 title Icons are blurred on small screens", "ada: online")
      try say("A field that both have changed is asked about, and the others are merged")
      try await each(
        "ada: offline", "ada: edit 3 title Blurred icons", "ada: close 3",
        "bob: edit 3 title Icons are blurred everywhere", "ada: online", "ada: mine 3")
      try say("What the server refuses waits for its user, and nothing else does")
      try await each("bob: edit 1 title", "bob: edit 2 assignee Bob", "bob: discard 1")
      try say("Who follows is told later what was changed without a network, and nothing twice")
      try await each(
        "bob: offline", "ada: delete 1", "ada: reopen 3", "ada: close 3", "bob: online")
    }

    // MARK: Telling

    private func each(_ lines: String...) async throws {
      for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let commands = desks[String(parts[0])] else { continue }
        try OutputFile.show("\(parts[0])>\(parts[1])\n")
        do {
          for answer in try await commands.carryOut(String(parts[1].dropFirst())) {
            try OutputFile.show("  \(answer)\n")
          }
        } catch let refusal as Commands.Refusal {
          try OutputFile.show("  \(refusal.reason)\n")
        } catch let failure as Failure {
          throw failure
        } catch {
          try OutputFile.show("  \(error)\n")
        }
        try tellRequests()
        try await tellNews()
      }
    }

    // News of others comes when it comes: it is waited for.
    private func tellNews() async throws {
      for (name, commands) in desks.sorted(by: { $0.key < $1.key })
      where commands.desk.isFollowing && commands.desk.isOnline {
        await commands.desk.hasHeard(of: table.lastEvent)
        for line in news[name]?.take() ?? [] { try OutputFile.show("  \(name) hears: \(line)\n") }
      }
    }

    // Requests about different issues go at the same time: only those about one issue have an order.
    private func tellRequests() throws {
      let log = table.takeLog()
      let paths = log.map { $0.split(separator: " ")[1].split(separator: ":")[0] }
      for path in Set(paths).sorted() {
        for (line, other) in zip(log, paths) where other == path {
          try OutputFile.show("    \(line)\n")
        }
      }
    }

    private func say(_ title: String) throws { try OutputFile.show("\n\(title)\n") }
  }

  /// What was heard at a desk and not printed yet.
  private final class Heard: Sendable {
    private let items = Mutex<[News.Item]>([])
    private let source = Mutex<News?>(nil)

    init(at desk: Commands) {
      let news = News(desk) { [weak self] item in self?.items.withLock { $0.append(item) } }
      source.withLock { $0 = news }
    }

    /// The lines, in the order of the issues, since requests about different ones go at the same time.
    func take() -> [String] {
      let lines = items.withLock { items in
        defer { items = [] }
        return items.filter(\.isCurrent).map(\.line)
      }
      func name(_ line: String) -> Substring { line.prefix { $0 != " " } }
      return Set(lines.map(name)).sorted().flatMap { issue in lines.filter { name($0) == issue } }
    }
  }
#endif
