import ExampleSupport

/// The tables as comma-separated values, as RFC 4180 has them, one kind of rows after the other.
struct CSVReport {
  let report: Report

  private static let columns = [
    "kind", "name", "other", "commits", "share", "added", "deleted", "first", "last",
  ]

  func write(to file: OutputFile) throws(Failure) {
    try write(CSVReport.columns, to: file)
    for author in report.authors {
      let period = [author.period.first, author.period.last].map { Day(seconds: $0).text }
      try write(
        ["author", author.name.string, ""] + numbers(author.tally) + period, to: file)
    }
    for row in report.files {
      try write(
        [
          row.isGone ? "file, gone" : "file", row.path.string,
          row.formerPaths.map(\.string).joined(separator: "; "),
        ] + numbers(row.tally) + ["", ""], to: file)
    }
    for row in report.directories {
      try write(["directory", row.name.string, ""] + numbers(row.tally) + ["", ""], to: file)
    }
    for pair in report.pairs {
      try write(
        [
          "pair", pair.first.string, pair.second.string, "\(pair.commits)", "\(pair.degree)", "",
          "",
          "", "",
        ], to: file)
    }
    for day in report.days {
      try write(["day", day.day.text, ""] + numbers(day.tally) + ["", ""], to: file)
    }
  }

  /// The share in percent, so that programs read it as a number.
  private func numbers(_ tally: Tally) -> [String] {
    let share = Double(tally.commits * 1000 / max(1, report.totals.tally.commits)) / 10
    return ["\(tally.commits)", "\(share)", "\(tally.added)", "\(tally.deleted)"]
  }

  private func write(_ cells: [String], to file: OutputFile) throws(Failure) {
    try file.write(cells.map(quoted).joined(separator: ",") + "\r\n")
  }

  private func quoted(_ cell: String) -> String {
    // Spreadsheets would run what looks like a formula.
    let isFormula = cell.first.map { "=+@\t\r".contains($0) } ?? false
    let text = isFormula ? "'" + cell : cell
    let isPlain = !text.utf8.contains { [0x2C, 0x22, 0x0A, 0x0D].contains($0) }
    return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
