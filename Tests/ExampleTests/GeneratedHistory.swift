import Foundation

/// A history that has all that histories may have: names of any kind, authors with several
/// addresses, renames, merges of several branches, clocks that are wrong.
struct GeneratedHistory {
  /// A history as `git fast-import` reads it.
  private(set) var stream = ""

  /// What joins the names of authors.
  static let mailmap = """
    Ada Lovelace <ada@example.org> <ada@old.example.org>
    Ada Lovelace <ada@example.org> Ada <countess@example.org>

    """

  private static let authors = [
    "Ada Lovelace <ada@example.org>", "A. L. <ada@old.example.org>", "Ada <countess@example.org>",
    "Bo <bo@example.org>", "Jose\u{301} <jose@example.org>", "Jos\u{E9} <jose@example.org>",
    "李雷 <lilei@example.org>", "O'Brien; echo \"$HOME\" <ob@example.org>", "🦊 <fox@example.org>",
    "-- <dashes@example.org>", "A\tTab <tab@example.org>", "Root <>",
  ]
  private static let folders = [
    "", "src/", "src/deep/er/", "with space/", "Grüße/日本語/", "e\u{301}/", "\u{E9}/", "-/",
    "{a => b}/",
  ]
  private static let zones = ["+0000", "+1400", "-1130", "+0545", "-0000", "+0200"]

  private var random: UInt64
  private var mark = 0
  private var date = 1_199_145_600

  /// The paths that are there.
  private var paths: [String] = []
  private var pathCount = 0

  init(commits count: Int, seed: UInt64 = 1) {
    random = seed
    while mark < count {
      let head = mark
      if head > 0, mark.isMultiple(of: 40), mark + 5 < count {
        addMerge(of: 2 + below(3), to: head)
      } else {
        addCommit(to: head)
      }
    }
  }

  /// Puts the history and its mailmap into a repository.
  func load(into repository: SmallRepository) throws {
    try repository.load(stream)
    try repository.write(".mailmap", GeneratedHistory.mailmap)
  }

  private mutating func below(_ limit: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((random >> 33) % UInt64(limit))
  }

  private mutating func begin(_ branch: String, from parent: Int, merging others: [Int] = []) {
    mark += 1
    date += below(20_000)
    // Some clocks stand still, are centuries ahead, or run backwards.
    let moment =
      switch below(60) {
      case 0: below(3)
      case 1: 7_258_118_400 + below(100_000)
      case 2: date - 40_000_000
      default: date
      }
    let zone = GeneratedHistory.zones[below(GeneratedHistory.zones.count)]
    // A few of them write most of it.
    let author = GeneratedHistory.authors[
      min(below(GeneratedHistory.authors.count), below(GeneratedHistory.authors.count))]
    let message = ["", "Change \(mark)", "Grüße\n\nMore of it\n", "\t-\u{1}"][below(4)]
    stream += "commit refs/heads/\(branch)\nmark :\(mark)\nauthor \(author) \(moment) \(zone)\n"
    stream += "committer \(author) \(moment) +0000\ndata \(message.utf8.count)\n\(message)\n"
    if parent > 0 { stream += "from :\(parent)\n" }
    for other in others { stream += "merge :\(other)\n" }
  }

  /// A commit to the main branch, which makes, changes, moves and removes files.
  private mutating func addCommit(to parent: Int) {
    begin("main", from: parent)
    var touched: Set<String> = []
    for _ in 0..<below(5) {
      let kind = below(40)
      guard kind > 6, paths.count > 10 else {
        if paths.count > 10, kind < 2 { remove(&touched) } else { write(newPath(), &touched) }
        continue
      }
      if kind < 9 { move(&touched) } else { write(paths[below(paths.count)], &touched) }
    }
    stream += "\n"
  }

  /// Branches that leave the main one and come back together.
  private mutating func addMerge(of count: Int, to parent: Int) {
    var sides: [Int] = []
    for number in 0..<count {
      begin("side-\(number)", from: parent)
      stream += "M 644 inline side/\(mark).txt\ndata 2\n\(number)\n\n"
      sides.append(mark)
    }
    begin("main", from: parent, merging: sides)
    stream += "\n"
  }

  private mutating func newPath() -> String {
    pathCount += 1
    let folder = GeneratedHistory.folders[below(GeneratedHistory.folders.count)]
    let names = [
      "\(pathCount).txt", "a \"b\" \(pathCount)", "\(pathCount)\t1\t2", "\n\(pathCount)",
    ]
    let path = folder + names[below(names.count)]
    paths.append(path)
    return path
  }

  private mutating func write(_ path: String, _ touched: inout Set<String>) {
    guard touched.insert(path).inserted else { return }
    var text = (0...below(8)).map { _ in "\(below(100))\n" }.joined()
    if below(30) == 0 { text = "\0\(mark)" }
    stream += "M 644 inline \(quoted(path))\ndata \(text.utf8.count)\n\(text)\n"
  }

  private mutating func remove(_ touched: inout Set<String>) {
    let place = below(paths.count)
    guard touched.insert(paths[place]).inserted else { return }
    stream += "D \(quoted(paths.remove(at: place)))\n"
  }

  private mutating func move(_ touched: inout Set<String>) {
    let path = paths[below(paths.count)]
    guard touched.insert(path).inserted else { return }
    paths.removeAll { $0 == path }
    let new = newPath()
    touched.insert(new)
    stream += "R \(quoted(path)) \(quoted(new))\n"
  }

  private func quoted(_ path: String) -> String {
    let escaped = path.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
