import ExampleSupport

/// The report as a page: one file without anything from elsewhere, light or dark as readers have it.
struct HTMLReport {
  let report: Report
  let top: Int

  private static let styleSheet = """
    :root { color-scheme: light dark; --text: #1c2733; --quiet: #66727f; --ground: #fff;
      --track: #eef1f5; --bar: #2f81c9; --author: #7c5cd6; --file: #e0793a; --plus: #1a7f37;
      --minus: #cf222e; }
    @media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #8b98a5;
      --ground: #11161c; --track: #222b35; --bar: #58a6ff; --author: #a78bfa; --file: #f0995b;
      --plus: #56d364; --minus: #ff7b72; } }
    body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground);
      max-width: 1000px; margin: 2em auto; padding: 0 1em; }
    h1 { margin: 0; } h2 { font-size: 1.1em; margin: 2em 0 .5em; }
    .quiet, th { color: var(--quiet); font-weight: normal; }
    table { border-collapse: collapse; width: 100%; }
    td, th { padding: 2px 0 2px 1em; text-align: right; white-space: nowrap;
      font-variant-numeric: tabular-nums; }
    td:first-child, th:first-child { text-align: left; padding-left: 0; white-space: normal;
      overflow-wrap: anywhere; }
    .track { background: var(--track); border-radius: 3px; height: 6px; }
    .track div { border-radius: 3px; height: 6px; }
    .plus { color: var(--plus); } .minus { color: var(--minus); }
    svg { width: 100%; height: auto; } svg text { fill: var(--quiet); font-size: 11px; }
    """

  func write(to file: OutputFile) throws(Failure) {
    let name = escaped(report.repository.name)
    try file.write(
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>\(name)</title>
      <style>
      \(HTMLReport.styleSheet)
      </style>
      <h1>\(name)</h1>

      """)
    let (totals, tally) = (report.totals, report.totals.tally)
    if let filter = report.filter.description { try file.write("<p>\(escaped(filter))</p>\n") }
    guard tally.commits > 0 else { return try file.write("<p>No commits.</p>\n</html>\n") }
    let dates = [totals.firstDate, totals.lastDate].compactMap { $0.map { Day(seconds: $0).text } }
    try file.write(
      "<p class=\"quiet\">\(dates.joined(separator: " to ")), "
        + "\(counted(tally.commits, "commit")) (\(counted(totals.merges, "merge"))) by "
        + "\(counted(report.authors.count, "author")), "
        + "\(counted(report.presentFiles.count, "file")), "
        + "<span class=\"plus\">+\(grouped(tally.added))</span> "
        + "<span class=\"minus\">−\(grouped(tally.deleted))</span> lines</p>\n")
    try file.write(activity + hours)
    try file.write(table(report.authorTable(top: top, isWhole: true), "author"))
    try file.write(table(report.fileTable(top: top), "file"))
    try file.write(table(report.directoryTable(top: top), "file"))
    try writePairs(to: file)
    try file.write("</html>\n")
  }

  private var activity: String {
    guard let bins = Bins(report, atMost: 160) else { return "" }
    let most = max(1, bins.tallies.map(\.commits).max() ?? 1)
    let step = 960.0 / Double(bins.tallies.count)
    let bars = bins.tallies.enumerated().filter { $1.commits > 0 }.map { place, tally in
      let height = max(1, tally.commits * 160 / most)
      let tip = "\(bins.day(place).text): \(counted(tally.commits, "commit"))"
      return "<rect x=\"\(Int(Double(place) * step * 10) / 10)\" y=\"\(170 - height)\" "
        + "width=\"\(max(1, Int(min(step, 40) * 0.8)))\" height=\"\(height)\" "
        + "fill=\"var(--bar)\"><title>\(tip)</title></rect>\n"
    }
    return """
      <h2>Commits per \(bins.unit), \(grouped(most)) at most</h2>
      <svg viewBox="0 0 960 190" role="img">
      \(bars.joined())<text x="0" y="186">\(bins.start.text)</text>
      <text x="960" y="186" text-anchor="end">\(bins.day(bins.tallies.count - 1).text)</text>
      </svg>

      """
  }

  /// A cell for each hour of the week, by the authors' clocks.
  private var hours: String {
    let most = max(1, report.totals.hours.max() ?? 1)
    var cells = ""
    for (day, name) in Report.weekdays.enumerated() {
      cells += "<text x=\"0\" y=\"\(day * 18 + 13)\">\(name)</text>\n"
      for hour in 0..<24 {
        let commits = report.totals.hours[day * 24 + hour]
        let share = commits == 0 ? 0.06 : 0.2 + 0.8 * Double(commits) / Double(most)
        cells += "<rect x=\"\(40 + hour * 38)\" y=\"\(day * 18)\" width=\"35\" height=\"16\" "
        cells += "rx=\"2\" fill=\"var(--bar)\" fill-opacity=\"\(Int(share * 100))%\">"
        cells += "<title>\(name) \(hour):00: \(counted(commits, "commit"))</title></rect>\n"
      }
    }
    for hour in stride(from: 0, to: 24, by: 6) {
      cells += "<text x=\"\(40 + hour * 38)\" y=\"140\">\(hour):00</text>\n"
    }
    return
      "<h2>Hours of the week</h2>\n<svg viewBox=\"0 0 960 146\" role=\"img\">\n\(cells)</svg>\n"
  }

  private func table(_ table: Table, _ color: String) -> String {
    guard !table.rows.isEmpty else { return "" }
    let most = max(1, table.rows.map(\.value).max() ?? 1)
    let heads = table.columns.map { "<th>\($0.title)</th>" }.joined()
    let rows = table.rows.map { row in
      let cells = row.cells.map { "<td>\($0)</td>" }.joined()
      return "<tr><td>\(escaped(row.name))<div class=\"track\"><div style=\"width:"
        + "\(max(1, row.value * 100 / most))%;background:var(--\(color))\"></div></div></td>"
        + "\(cells)</tr>\n"
    }
    return
      "<h2>\(table.title)</h2>\n<table>\n<tr><th></th>\(heads)</tr>\n\(rows.joined())</table>\n"
  }

  private func writePairs(to file: OutputFile) throws(Failure) {
    let pairs = report.pairs.prefix(top)
    guard !pairs.isEmpty else { return }
    let rows = pairs.map { pair in
      "<tr><td>\(escaped(pair.first.string))<br>\(escaped(pair.second.string))</td>"
        + "<td>\(grouped(pair.commits))</td><td>\(pair.degree) %</td></tr>\n"
    }
    try file.write(
      "<h2>Changed together</h2>\n<table>\n<tr><th></th><th>commits</th><th>degree</th></tr>\n"
        + "\(rows.joined())</table>\n")
  }

  private func escaped(_ text: String) -> String { escapedForMarkup(printable(text)) }
}
