import ExampleSupport

/// The report as a picture: activity over time, top authors, hottest files.
struct SVGReport {
  let report: Report
  let top: Int

  private static let width = 960.0
  private static let margin = 40.0
  private static let chartTop = 190.0
  private static let chartHeight = 180.0

  func write(to file: OutputFile) throws(Failure) {
    let hasCommits = report.totals.tally.commits > 0
    let listTop = SVGReport.chartTop + SVGReport.chartHeight + 90
    let rows = Double(max(1, min(top, max(report.authors.count, report.presentFiles.count))))
    let height = hasCommits ? listTop + rows * BarList.rowHeight + 30 : 160
    var drawing = SVGDrawing(width: SVGReport.width, height: height)
    drawHead(&drawing)
    if hasCommits {
      drawActivity(&drawing)
      let half = (SVGReport.width - 3 * SVGReport.margin) / 2
      let authors = report.authors.prefix(top).map { author in
        (author.name.bytes.isEmpty ? "(no name)" : author.name.string, author.tally.commits)
      }
      let files = report.presentFiles.prefix(top).map { ($0.path.string, $0.tally.commits) }
      BarList(title: "Top authors", rows: authors, color: "#7c5cd6")
        .draw(in: &drawing, x: SVGReport.margin, y: listTop, width: half)
      drawDirectories(&drawing, below: authors.count, y: listTop, width: half)
      BarList(title: "Hottest files", rows: files, color: "#e0793a", keepsEnd: true)
        .draw(in: &drawing, x: 2 * SVGReport.margin + half, y: listTop, width: half)
    }
    try file.write(drawing.text)
  }

  /// Fills the room that few authors leave beside the files.
  private func drawDirectories(
    _ drawing: inout SVGDrawing, below authors: Int, y: Double, width: Double
  ) {
    let room = min(top, report.presentFiles.count) - authors - 2
    guard room >= 2, report.directories.count > 1 else { return }
    let rows = report.directories.prefix(room).map { row in
      (row.name.bytes.isEmpty ? "(top level)" : row.name.string, row.tally.commits)
    }
    BarList(title: "Hottest directories", rows: rows, color: "#2f9e6e", keepsEnd: true)
      .draw(
        in: &drawing, x: SVGReport.margin, y: y + Double(authors + 1) * BarList.rowHeight + 16,
        width: width)
  }

  private func drawHead(_ drawing: inout SVGDrawing) {
    let (totals, tally, left) = (report.totals, report.totals.tally, SVGReport.margin)
    let name = SVGDrawing.fitted(
      report.repository.name, width: SVGReport.width - 2 * left, size: 28)
    drawing.text(name, x: left, y: 62, .title)
    let dates = [totals.firstDate, totals.lastDate].compactMap { $0.map { Day(seconds: $0).text } }
    let period = dates.isEmpty ? "No commits" : dates.joined(separator: " to ")
    let details = [
      period, report.repository.isShallow ? "Shallow clone." : nil, report.filter.description,
    ].compactMap(\.self).joined(separator: "   ")
    drawing.text(
      SVGDrawing.fitted(details, width: SVGReport.width - 2 * left, size: 13), x: left, y: 86,
      .quiet)
    let facts = [
      ("commits", grouped(tally.commits)), ("authors", grouped(report.authors.count)),
      ("files", grouped(report.presentFiles.count)), ("lines added", "+" + grouped(tally.added)),
      ("lines deleted", "−" + grouped(tally.deleted)),
    ]
    let step = (SVGReport.width - 2 * left) / Double(facts.count)
    for (index, fact) in facts.enumerated() {
      let x = left + Double(index) * step
      drawing.text(fact.1, x: x, y: 126, .number)
      drawing.text(fact.0, x: x, y: 145, .quiet)
    }
  }

  private func drawActivity(_ drawing: inout SVGDrawing) {
    let (left, top) = (SVGReport.margin + 40, SVGReport.chartTop + 20)
    let (width, height) = (SVGReport.width - 2 * SVGReport.margin - 40, SVGReport.chartHeight)
    guard let bins = Bins(report, atMost: 160) else { return }
    drawing.text("Commits per \(bins.unit)", x: SVGReport.margin, y: top - 22, .heading)
    let step = roundStep(Double(bins.tallies.map(\.commits).max() ?? 1) / 4)
    let most = bins.tallies.map(\.commits).max() ?? 1
    let ceiling = (most + step - 1) / step * step
    for value in stride(from: 0, through: ceiling, by: step) {
      let y = top + height - Double(value) / Double(ceiling) * height
      drawing.line(x: left, y: y, width: width)
      drawing.text(grouped(value), x: left - 8, y: y + 4, .label, anchor: "end")
    }
    let slot = width / Double(bins.tallies.count)
    let thickness = min(slot * 0.8, 60)
    for (index, tally) in bins.tallies.enumerated() where tally.commits > 0 {
      let bar = max(1, Double(tally.commits) / Double(ceiling) * height)
      drawing.bar(
        x: left + (Double(index) + 0.5) * slot - thickness / 2, y: top + height - bar,
        width: thickness, height: bar, color: "#2f81c9",
        tip: "\(bins.day(index).text): \(counted(tally.commits, "commit"))")
    }
    drawDates(&drawing, bins, left: left, slot: slot, y: top + height + 20)
  }

  /// Marks years, months, weeks or days below the chart.
  private func drawDates(
    _ drawing: inout SVGDrawing, _ bins: Bins, left: Double, slot: Double, y: Double
  ) {
    let width = slot * Double(bins.tallies.count)
    let last = Day(number: bins.day(bins.tallies.count).number - 1)
    let advance = 7.5
    let axis = DateAxis(from: bins.start, to: last, width: width, advance: advance)
    for mark in axis.marks {
      let x = left + Double(mark.day.number - bins.start.number) / Double(bins.daysPerBin) * slot
      // By days, a mark is about a whole column.
      let middle = bins.daysPerBin == 1 ? x + slot / 2 : x
      drawing.tick(x: middle, y: y - 18, height: 5)
      let half = Double(mark.text.count) * advance / 2
      guard middle + half <= SVGReport.width - SVGReport.margin / 2 else { continue }
      drawing.text(mark.text, x: middle, y: y, .label, anchor: "middle")
    }
  }

  /// The next number of the kind 1, 2, 5, 10, 20, 50 and so on.
  private func roundStep(_ value: Double) -> Int {
    var power = 1
    while true {
      for factor in [1, 2, 5] where Double(power * factor) >= value { return power * factor }
      power *= 10
    }
  }
}

/// A list of names with bars.
private struct BarList {
  let title: String
  let rows: [(name: String, count: Int)]
  let color: String
  var keepsEnd = false

  static let rowHeight = 34.0

  func draw(in drawing: inout SVGDrawing, x: Double, y: Double, width: Double) {
    drawing.text(title, x: x, y: y - 16, .heading)
    let most = Double(rows.map(\.count).max() ?? 1)
    for (index, row) in rows.enumerated() {
      let top = y + Double(index) * BarList.rowHeight
      let name = row.name.unicodeScalars.map { $0.value < 32 ? " " : String($0) }.joined()
      drawing.text(
        SVGDrawing.fitted(name, width: width - 60, size: 12, keepsEnd: keepsEnd), x: x,
        y: top + 12, .label)
      drawing.text(grouped(row.count), x: x + width, y: top + 12, .count, anchor: "end")
      drawing.bar(x: x, y: top + 17, width: width, height: 7, color: "#eef1f5")
      drawing.bar(
        x: x, y: top + 17, width: max(2, Double(row.count) / most * width), height: 7, color: color)
    }
  }
}
