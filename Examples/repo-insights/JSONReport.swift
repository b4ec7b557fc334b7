import ExampleSupport
import JSONValues

/// The report as JSON, complete but for the largest commits.
///
/// README.md explains the keys.
struct JSONReport {
  let report: Report

  func write(to file: OutputFile) throws(Failure) {
    try file.write("{\n")
    try file.write("\"repository\": \(repository.json()),\n")
    try file.write("\"totals\": \(totals.json()),\n")
    try file.write("\"filter\": \(filter.json()),\n")
    try file.write(
      "\"hours\": [\(report.totals.hours.map(String.init).joined(separator: ", "))],\n")
    try write("authors", report.authors, to: file) { author in
      .object(
        [("name", .string(author.name.string))] + numbers(author.tally) + [
          ("first", .string(Day(seconds: author.period.first).text)),
          ("last", .string(Day(seconds: author.period.last).text)),
        ])
    }
    try write("files", report.files, to: file) { file in
      .object(
        [("path", .string(file.path.string))] + numbers(file.tally) + [
          ("gone", .bool(file.isGone)),
          ("formerPaths", .array(file.formerPaths.map { .string($0.string) })),
        ])
    }
    try write("directories", report.directories, to: file) { directory in
      .object([("path", .string(directory.name.string))] + numbers(directory.tally))
    }
    try write("weeks", report.weeks, to: file) { week in
      .object([("monday", .string(week.day.text))] + numbers(week.tally))
    }
    try write("days", report.days, to: file) { day in
      .object([("day", .string(day.day.text))] + numbers(day.tally))
    }
    try write("namesakes", report.namesakes, to: file) { namesake in
      .object([
        ("address", .string(namesake.address.string)),
        ("names", .array(namesake.names.map { .string($0.string) })),
      ])
    }
    try write("pairs", report.pairs, to: file) { pair in
      .object([
        ("first", .string(pair.first.string)), ("second", .string(pair.second.string)),
        ("commits", .number(pair.commits)), ("degree", .number(pair.degree)),
      ])
    }
    try write("largestCommits", report.largestCommits, to: file, isLast: true, commit)
    try file.write("}\n")
  }

  private var repository: JSONValue {
    .object([
      ("name", .string(report.repository.name)),
      ("path", .string(report.repository.path)),
      ("head", report.repository.head.map(JSONValue.string) ?? .null),
      ("shallow", .bool(report.repository.isShallow)),
      ("cutOff", .number(report.totals.cutOff)),
    ])
  }

  private var filter: JSONValue {
    let (filter, selection) = (report.filter, report.filter.selection)
    func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
    return .object([
      ("since", text(filter.since.map(Filter.text))),
      ("until", text(filter.until.map(Filter.text))),
      ("author", text(selection.author)), ("branch", text(selection.branch)),
      ("paths", .array(selection.paths.map(JSONValue.string))),
    ])
  }

  private var totals: JSONValue {
    let totals = report.totals
    return .object(
      numbers(totals.tally) + [
        ("merges", .number(totals.merges)),
        ("authors", .number(report.authors.count)),
        ("files", .number(report.presentFiles.count)),
        ("paths", .number(report.pathCount)),
        ("renames", .number(totals.renames)),
        ("binaryChanges", .number(totals.binaryChanges)),
        ("first", totals.firstDate.map { .string(Day(seconds: $0).text) } ?? .null),
        ("last", totals.lastDate.map { .string(Day(seconds: $0).text) } ?? .null),
      ])
  }

  private func commit(_ commit: Report.Commit) -> JSONValue {
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

  private func numbers(_ tally: Tally) -> [(String, JSONValue)] {
    [
      ("commits", .number(tally.commits)), ("added", .number(tally.added)),
      ("deleted", .number(tally.deleted)),
    ]
  }

  /// Writes a list with a line for each element.
  private func write<Element>(
    _ key: String, _ elements: [Element], to file: OutputFile, isLast: Bool = false,
    _ value: (Element) -> JSONValue
  ) throws(Failure) {
    try file.write("\"\(key)\": [")
    for (index, element) in elements.enumerated() {
      try file.write((index == 0 ? "\n  " : ",\n  ") + value(element).json())
    }
    try file.write(elements.isEmpty ? "]" : "\n]")
    try file.write(isLast ? "\n" : ",\n")
  }
}

extension JSONValue {
  fileprivate static func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }

  fileprivate static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(uniqueKeysWithValues: members))
  }
}
