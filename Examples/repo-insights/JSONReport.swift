import ExampleSupport

/// The report as JSON, complete but for the largest commits.
///
/// README.md explains the keys.
struct JSONReport {
  let report: Report

  func write(to file: OutputFile) throws(Failure) {
    try file.write("{\n")
    try file.write("\"repository\": \(repository.text),\n")
    try file.write("\"totals\": \(totals.text),\n")
    try write("authors", report.authors, to: file) { row($0, "name") }
    try write("files", report.files, to: file) { row($0, "path") }
    try write("directories", report.directories, to: file) { row($0, "path") }
    try write("weeks", report.weeks, to: file) { week in
      .object([("monday", .string(week.monday.text))] + numbers(week.tally))
    }
    try write("pairs", report.pairs, to: file) { pair in
      .object([
        ("first", .string(pair.first.string)), ("second", .string(pair.second.string)),
        ("commits", .number(pair.commits)),
      ])
    }
    try write("largestCommits", report.largestCommits, to: file, isLast: true, commit)
    try file.write("}\n")
  }

  private var repository: JSON {
    .object([
      ("name", .string(report.repository.name)),
      ("path", .string(report.repository.path)),
      ("head", report.repository.head.map(JSON.string) ?? .null),
      ("since", report.since.map(JSON.string) ?? .null),
      ("shallow", .bool(report.repository.isShallow)),
      ("cutOff", .number(report.totals.cutOff)),
    ])
  }

  private var totals: JSON {
    let totals = report.totals
    return .object(
      numbers(totals.tally) + [
        ("merges", .number(totals.merges)),
        ("authors", .number(report.authors.count)),
        ("files", .number(report.files.count)),
        ("renames", .number(totals.renames)),
        ("binaryChanges", .number(totals.binaryChanges)),
        ("first", totals.firstDate.map { .string(Day(seconds: $0).text) } ?? .null),
        ("last", totals.lastDate.map { .string(Day(seconds: $0).text) } ?? .null),
      ])
  }

  private func row(_ row: Report.Row, _ key: String) -> JSON {
    .object([(key, .string(row.name.string))] + numbers(row.tally))
  }

  private func commit(_ commit: Report.Commit) -> JSON {
    .object([
      ("id", .string(commit.id)),
      ("author", .string(commit.author.string)),
      ("date", .string(Day(seconds: commit.summary.date).text)),
      ("subject", .string(commit.summary.subject.string)),
      ("files", .number(commit.summary.files)),
      ("added", .number(commit.summary.added)),
      ("deleted", .number(commit.summary.deleted)),
    ])
  }

  private func numbers(_ tally: Tally) -> [(String, JSON)] {
    [
      ("commits", .number(tally.commits)), ("added", .number(tally.added)),
      ("deleted", .number(tally.deleted)),
    ]
  }

  /// Writes a list with a line for each element.
  private func write<Element>(
    _ key: String, _ elements: [Element], to file: OutputFile, isLast: Bool = false,
    _ value: (Element) -> JSON
  ) throws(Failure) {
    try file.write("\"\(key)\": [")
    for (index, element) in elements.enumerated() {
      try file.write((index == 0 ? "\n  " : ",\n  ") + value(element).text)
    }
    try file.write(elements.isEmpty ? "]" : "\n]")
    try file.write(isLast ? "\n" : ",\n")
  }
}
