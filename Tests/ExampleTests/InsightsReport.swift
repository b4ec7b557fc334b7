import Foundation
import Testing

/// The JSON that repo-insights writes, with each key that is documented.
struct InsightsReport: Decodable {
  struct Repository: Decodable {
    let name: String
    let path: String
    let head: String?
    let shallow: Bool
    let cutOff: Int
  }

  struct Totals: Decodable, Equatable {
    let commits: Int
    let added: Int
    let deleted: Int
    let merges: Int
    let authors: Int
    let files: Int
    let paths: Int
    let renames: Int
    let binaryChanges: Int
    let first: String?
    let last: String?
  }

  struct Author: Decodable, Equatable {
    let name: String
    let commits: Int
    let added: Int
    let deleted: Int
  }

  struct Place: Decodable, Equatable {
    let path: String
    let commits: Int
    let added: Int
    let deleted: Int
  }

  struct File: Decodable, Equatable {
    let path: String
    let commits: Int
    let added: Int
    let deleted: Int
    var gone = false
    var formerPaths: [String] = []
  }

  struct Filter: Decodable, Equatable {
    let since: String?
    let until: String?
    let author: String?
    let branch: String?
    let paths: [String]
  }

  struct Day: Decodable, Equatable {
    let day: String
    let commits: Int
    let added: Int
    let deleted: Int
  }

  struct Namesake: Decodable, Equatable {
    let address: String
    let names: [String]
  }

  struct Week: Decodable, Equatable {
    let monday: String
    let commits: Int
    let added: Int
    let deleted: Int
  }

  struct Pair: Decodable, Equatable {
    let first: String
    let second: String
    let commits: Int
    let degree: Int
  }

  struct Commit: Decodable, Equatable {
    let id: String
    let author: String
    let date: String
    let subject: String
    let files: Int
    let added: Int
    let deleted: Int
  }

  let repository: Repository
  let totals: Totals
  let authors: [Author]
  let filter: Filter
  let hours: [Int]
  let files: [File]
  let directories: [Place]
  let weeks: [Week]
  let days: [Day]
  let namesakes: [Namesake]
  let pairs: [Pair]
  let largestCommits: [Commit]

  /// Has repo-insights read a repository.
  init(of folder: URL, _ options: String...) async throws {
    try await self.init(of: folder, options)
  }

  init(of folder: URL, _ options: [String]) async throws {
    let result = try await ExampleProgram("repo-insights").run(
      [folder.path, "--json", "-"] + options, environment: SmallRepository.environment)
    try #require(result.status == 0, "\(result.errors)")
    self = try JSONDecoder().decode(InsightsReport.self, from: Data(result.output.utf8))
  }

  /// Expects what each author did, what happened in each week, and where, to be what the lines of
  /// `git log` add up to.
  func expectGitsLines(of folder: URL, at location: SourceLocation = #_sourceLocation) throws {
    var authors: [String: Author] = [:]
    var weeks: [Int: [Int]] = [:]
    var (author, monday) = ("", 0)
    let log = try SmallRepository.git(
      ["log", "--use-mailmap", "--numstat", "-M", "--format=%x01%aN%x01%ct"], in: folder)
    for line in log.split(separator: "\n") {
      var change = [0, 0, 0]
      if line.first == "\u{1}" {
        let parts = line.split(separator: "\u{1}")
        let day = Int((Double(parts[1]) ?? 0) / 86_400)
        // January 1, 1970, was a Thursday.
        (author, monday, change[0]) = (String(parts[0]), day - (day + 3) % 7, 1)
      } else {
        let parts = line.split(separator: "\t")
        (change[1], change[2]) = (Int(parts[0]) ?? 0, Int(parts[1]) ?? 0)
      }
      let earlier = authors[author]
      authors[author] = Author(
        name: author, commits: (earlier?.commits ?? 0) + change[0],
        added: (earlier?.added ?? 0) + change[1], deleted: (earlier?.deleted ?? 0) + change[2])
      weeks[monday] = zip(weeks[monday] ?? [0, 0, 0], change).map { $0 + $1 }
    }
    // Strings take both ways of writing é for the same, here as there.
    let own = Dictionary(grouping: self.authors, by: \.name).mapValues { same in
      Author(
        name: same[0].name, commits: same.reduce(0) { $0 + $1.commits },
        added: same.reduce(0) { $0 + $1.added }, deleted: same.reduce(0) { $0 + $1.deleted })
    }
    #expect(own == authors, sourceLocation: location)
    let ownWeeks = self.weeks.map { [$0.commits, $0.added, $0.deleted] }
    let gitsWeeks = weeks.sorted { $0.key < $1.key }.map(\.value)
    #expect(ownWeeks == gitsWeeks, sourceLocation: location)
    let paths = try SmallRepository.git(
      ["log", "-z", "--name-only", "--no-renames", "--format="], in: folder)
    let pathCount = Set(paths.split(separator: "\0").map { Array($0.utf8) }).count
    #expect(totals.paths == pathCount, sourceLocation: location)
  }

  /// Expects the numbers to be those that Git itself gives.
  func expectGitsNumbers(
    of folder: URL, _ options: [String] = [], revision: String = "HEAD", paths: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    func git(_ arguments: String...) throws -> [Substring] {
      try SmallRepository.git(arguments + options + [revision, "--"] + paths, in: folder)
        .split(separator: "\n")
    }
    let commits = try git("shortlog", "--summary", "--numbered")
      .map { $0.split(separator: "\t", maxSplits: 1).map { $0.trimmingPrefix { $0 == " " } } }
    let ours = authors.map { "\($0.commits) \($0.name)" }
    #expect(Set(ours) == Set(commits.map { $0.joined(separator: " ") }), sourceLocation: location)
    var lines = (added: 0, deleted: 0, binary: 0)
    for line in try git("log", "--numstat", "--format=") {
      let parts = line.split(separator: "\t", maxSplits: 2)
      lines.added += Int(parts[0]) ?? 0
      lines.deleted += Int(parts[1]) ?? 0
      lines.binary += parts[0] == "-" ? 1 : 0
    }
    #expect(totals.added == lines.added, sourceLocation: location)
    #expect(totals.deleted == lines.deleted, sourceLocation: location)
    #expect(totals.binaryChanges == lines.binary, sourceLocation: location)
    let renamed = try SmallRepository.git(
      ["log", "-z", "--diff-filter=R", "-M", "--name-only", "--format="] + options
        + [revision, "--"] + paths, in: folder)
    #expect(totals.renames == renamed.split(separator: "\0").count, sourceLocation: location)
    let counts = try [git("rev-list", "--count"), git("rev-list", "--count", "--merges")]
    #expect(counts == [["\(totals.commits)"], ["\(totals.merges)"]], sourceLocation: location)
    for commits in [authors.map(\.commits), weeks.map(\.commits), days.map(\.commits), hours] {
      #expect(commits.reduce(0, +) == totals.commits, sourceLocation: location)
    }
    for added in [authors.map(\.added), files.map(\.added), directories.map(\.added)] {
      #expect(added.reduce(0, +) == totals.added, sourceLocation: location)
    }
  }
}
