import ECSTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct IssueDeskTests {
  let program: ExampleProgram

  init() throws { program = try ExampleProgram("issue-desk") }

  #if ExampleServer
    @Test func `The script tells the same each time`() async throws {
      for arguments in [[], ["--script"]] {
        let result = try await program.run(arguments)
        expectTrue(result.status == 0 && result.errors.isEmpty)
        expectEqual(result.output, IssueDeskTests.transcript)
      }
    }

    @Test func `A desk edits what a server has, and another desk is told`() async throws {
      let terminals = try (0..<3).map { _ in try #require(PseudoTerminal()) }
      let server = try program.start(["--serve", "0"], on: terminals[0])
      let text = await terminals[0].read(until: "http://127.0.0.1:", "\n")
      let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
      let desks = try terminals[1...].map { try program.start(["--desk", url], on: $0) }
      for terminal in terminals[1...] {
        try terminal.type("list\n")
        _ = await terminal.read(until: "#1 open Try a second desk\r\n")
      }
      try terminals[1].type("edit 1 assignee Ada\n")
      _ = await terminals[1].read(until: "#1 open Try a second desk (Ada)\r\n")
      _ = await terminals[2].read(until: "elsewhere: #1 open Try a second desk (Ada)\r\n")
      try terminals[1].type("delete 1\n")
      _ = await terminals[2].read(until: "elsewhere: #1 gone\r\n")
      for (terminal, desk) in zip(terminals[1...], desks) {
        // The end of the input.
        try terminal.type("\u{4}")
        await expectEqual(desk.status(), 0)
      }
      server.send(SIGINT)
      await expectEqual(server.status(), -SIGINT)
    }

    @Test func `A page that can't be counted to is empty, and the server goes on`() async throws {
      let terminal = try #require(PseudoTerminal())
      let server = try program.start(["--serve", "0"], on: terminal)
      let text = await terminal.read(until: "http://127.0.0.1:", "\n")
      let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
      for (page, count) in [(Int.max, 0), (2, 0), (1, 1)] {
        let address = try #require(URL(string: "\(url)/issues?page=\(page)&limit=20"))
        let (data, _) = try await URLSession.shared.data(from: address)
        try expectEqual((JSONSerialization.jsonObject(with: data) as? [Any])?.count, count)
      }
      server.send(SIGINT)
      await expectEqual(server.status(), -SIGINT)
    }

    @Test func `What can't be done is told, and what was not sent as well`() async throws {
      let result = try await program.run(
        ["--desk", "http://127.0.0.1:1"],
        input: "list\nedit 7 title X\ndance\nadd\noffline\nadd \u{1B}[2J\nedit new1 color red\n")
      expectEqual(result.status, 75)
      expectEqual(result.output, "new1 open \\u{1b}[2J [not sent]\n")
      let errors = result.errors.split(separator: "\n")
      expectTrue(errors.count == 6 && errors[0].contains("not connected"))
      expectEqual(errors.last, "issue-desk: 1 changes were not sent")
      for arguments in [["--serve", "x"], ["--desk", ""], ["--dance"], ["--script", "1"]] {
        try await expectEqual(program.run(arguments).status, 64)
      }
      let help = try await program.run(["--help"])
      expectTrue(help.status == 0 && help.output.contains("--serve"))
    }
  #else
    @Test func `Without its trait the program says that it needs it`() async throws {
      let result = try await program.run([])
      expectTrue(result.status == 69 && result.errors.contains("--traits ExampleServer"))
    }
  #endif
}

#if ExampleServer
  extension IssueDeskTests {
    /// What the script tells: answers, and below them, what the server was asked.
    fileprivate static let transcript = """

      Lists, page by page
      ada> list
        #1 open Crash when the disk is full
        #2 open Typo on the start page
        #3 open Icons are blurred
          GET /issues: 200
      ada> more
        #4 open Search finds nothing
          GET /issues: 200
      bob> list
        #1 open Crash when the disk is full
        #2 open Typo on the start page
        #3 open Icons are blurred
          GET /issues: 200

      An edit sends what was changed
      ada> edit 1 assignee Ada
        #1 open Crash when the disk is full (Ada)
          GET /issues/1: 200
          PATCH /issues/1 if "1": 200
      ada> add Dark mode
        #5 open Dark mode
          POST /issues: 201

      Others ask with their tags, and get what is new
      bob> refresh
        #1 open Crash when the disk is full (Ada)
          GET /issues/1: 200
          GET /issues/2: 200
          GET /issues/3: 200
      bob> refresh
          GET /issues/1: 304
          GET /issues/2: 304
          GET /issues/3: 304

      Who follows is told
      bob> follow
      ada> edit 2 title Typo on the first page
        #2 open Typo on the first page
          GET /issues/2: 200
          PATCH /issues/2 if "1": 200
        bob hears: #2 open Typo on the first page
      ada> add Slow start
        #6 open Slow start
          POST /issues: 201
        bob hears: #6 open Slow start

      Without a network, edits wait; each issue is one request then
      ada> offline
      ada> list
        not connected: offline
      ada> close 2
        #2 closed Typo on the first page [not sent]
      ada> edit 2 text Fixed in the draft
        #2 closed Typo on the first page [not sent]
      ada> add Printing is slow
        new3 open Printing is slow [not sent]
      ada> edit new3 assignee Bob
        new3 open Printing is slow (Bob) [not sent]
      ada> online
        #2 closed Typo on the first page
        #7 open Printing is slow (Bob)
          POST /issues: 201
          PATCH /issues/2 if "2": 200
        bob hears: #2 closed Typo on the first page
        bob hears: #7 open Printing is slow (Bob)

      Different fields of one issue are merged: the tag says that there is something newer
      ada> show 3
        #3 open Icons are blurred
          GET /issues/3: 200
      ada> offline
      ada> edit 3 assignee Ada
        #3 open Icons are blurred (Ada) [not sent]
      bob> edit 3 title Icons are blurred on small screens
        #3 open Icons are blurred on small screens
          PATCH /issues/3 if "1": 200
      ada> online
        #3 open Icons are blurred on small screens (Ada)
          PATCH /issues/3 if "1": 412
          GET /issues/3: 200
          PATCH /issues/3 if "2": 200
        bob hears: #3 open Icons are blurred on small screens (Ada)

      A field that both have changed is asked about, and the others are merged
      ada> offline
      ada> edit 3 title Blurred icons
        #3 open Blurred icons (Ada) [not sent]
      ada> close 3
        #3 closed Blurred icons (Ada) [not sent]
      bob> edit 3 title Icons are blurred everywhere
        #3 open Icons are blurred everywhere (Ada)
          PATCH /issues/3 if "3": 200
      ada> online
        #3 closed Icons are blurred everywhere (Ada) [you had changed the title to Blurred icons]
          PATCH /issues/3 if "3": 412
          GET /issues/3: 200
          PATCH /issues/3 if "4": 200
        bob hears: #3 closed Icons are blurred everywhere (Ada)
      ada> mine 3
        #3 closed Blurred icons (Ada)
          PATCH /issues/3 if "5": 200
        bob hears: #3 closed Blurred icons (Ada)

      What the server refuses waits for its user, and nothing else does
      bob> edit 1 title
        #1 open  (Ada) [not sent] [the server refused (422): an issue needs a title]
          PATCH /issues/1 if "2": 422
      bob> edit 2 assignee Bob
        #2 closed Typo on the first page (Bob)
          PATCH /issues/2 if "3": 200
      bob> discard 1
        #1 open Crash when the disk is full (Ada)
          GET /issues/1: 200

      Who follows is told later what was changed without a network, and nothing twice
      bob> offline
      ada> delete 1
          DELETE /issues/1 if "2": 204
      ada> reopen 3
        #3 open Blurred icons (Ada)
          PATCH /issues/3 if "6": 200
      ada> close 3
        #3 closed Blurred icons (Ada)
          PATCH /issues/3 if "7": 200
      bob> online
        bob hears: #1 gone

      """
  }
#endif
