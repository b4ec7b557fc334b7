import ECSTestSupport
import Foundation
import Testing

/// Imports of files that are much larger than what they describe.
@Suite struct CatalogMemoryTests {
  enum Format: CaseIterable { case lines, list }

  private static let articles = 500

  let program: ExampleProgram
  let folder: TemporaryFolder

  init() throws {
    program = try ExampleProgram("catalog-import")
    folder = try TemporaryFolder()
  }

  /// All articles of a catalog, each about 1 KB; `edition` makes those of one differ from another.
  private func records(edition: Int) -> [String] {
    let padding = String(repeating: "x", count: 800)
    return (0..<Self.articles).map { number in
      #"{"id":\#(number),"title":"Edition \#(edition)","state":"live","unknown":"\#(padding)","#
        + #""author":{"id":\#(number % 20),"name":"Ada"},"tags":["a","b","tag \#(number % 9)"]}"#
    }
  }

  /// Writes the catalog again and again, until the file has so many megabytes.
  private func write(_ name: String, _ format: Format, megabytes: Int) throws -> Int {
    try Data(format == .list ? "[".utf8 : "".utf8).write(to: folder[name])
    let file = try FileHandle(forWritingTo: folder[name])
    defer { try? file.close() }
    let separator = format == .list ? ",\n" : "\n"
    let editions = (0..<2).map { Data(records(edition: $0).joined(separator: separator).utf8) }
    var count = 0
    while try file.seekToEnd() < megabytes << 20 {
      if count > 0 { try file.write(contentsOf: Data(separator.utf8)) }
      try file.write(contentsOf: editions[count % 2])
      count += 1
    }
    try file.write(contentsOf: Data(format == .list ? "]".utf8 : "\n".utf8))
    return count * Self.articles
  }

  private func peak(of output: String) throws -> Int {
    let line = try #require(output.split(separator: "\n").last { $0.hasPrefix("Memory: ") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  @Test(arguments: Format.allCases)
  func `A file nine times as long takes no more memory`(format: Format) async throws {
    var peaks: [Int] = []
    for megabytes in [1, 9] {
      let count = try write("catalog", format, megabytes: megabytes)
      let result = try await program.run(["catalog", "--memory"], in: folder.url)
      expectEqual(result.status, 0)
      expectTrue(
        result.output.hasPrefix(
          """
          Import: \(count) records
            made      \(Self.articles)
            updated   \(count - Self.articles)
            unchanged 0
            refused   0

          """))
      peaks.append(try peak(of: result.output))
    }
    // What the long file has more, held only once, would be twice what is allowed here.
    expectLessThan(peaks[1], peaks[0] + 4 << 10, "\(peaks) KB")
  }
}
