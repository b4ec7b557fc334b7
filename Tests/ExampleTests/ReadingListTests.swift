import ECSTestSupport
import Foundation
import Testing

@Suite struct ReadingListTests {
  let program: ExampleProgram

  init() throws { program = try ExampleProgram("reading-list") }

  @Test func `The effects of turning pages and of removals are shown step by step`() async throws {
    let result = try await program.run([])
    expectEqual(result.status, 0)
    expectEqual(
      result.output,
      """
      The list
        + row 0: Dawn
        + row 1: Kindred
        + row 2: Solaris
          Dawn           ░░░░░░░░░░░░░░░░░░░░ 0 %
          Kindred        ░░░░░░░░░░░░░░░░░░░░ 0 %
          Solaris        ░░░░░░░░░░░░░░░░░░░░ 0 %
      Reading
        log: Kindred, 100 pages
        ~ row 1 to row 0: Kindred
        log: The Invincible, 200 pages
        log: Kindred, 20 pages
        - row 2: Solaris
        + row 0: The Invincible
        . row 1: Kindred
        log: The Invincible, 23 pages
        . row 0: The Invincible
        - row 0: The Invincible
        + row 2: Solaris
          Kindred        █████████░░░░░░░░░░░ 45 %
          Dawn           ░░░░░░░░░░░░░░░░░░░░ 0 %
          Solaris        ░░░░░░░░░░░░░░░░░░░░ 0 %
      Saving
        Kindred, The Invincible
        none
      A page of its own
        Dawn: 0 %
        to be drawn again
        Dawn: 25 %
      Removing
        Mira has Kindred
        Kindred has 0 tags
        science fiction: Dawn, Solaris, The Invincible
        science fiction: Dawn
        2 books are left

      """)
  }

  @Test(arguments: [["--wrong"], [""], ["--help", "me"]])
  func `Arguments that mean nothing are refused`(arguments: [String]) async throws {
    let result = try await program.run(arguments)
    expectTrue(result.status == 64 && result.output.isEmpty)
    expectTrue(result.errors.hasPrefix("usage: reading-list\n"))
    try await expectEqual(program.run(["--help"]).output, result.errors)
  }

  @Test func `A reader that goes away ends the program quietly`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try await program.run([], output: pipe.fileHandleForWriting)
    expectTrue(result.status == -SIGPIPE && result.errors.isEmpty)
  }

  @Test func `A full disk is an error`() async throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let result = try await program.run([], output: full)
    expectEqual(result.status, 74)
    expectEqual(
      result.errors,
      "reading-list: Writing to standard output failed: No space left on device.\n")
  }
}
