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
      BarList(title: "Hottest files", rows: files, color: "#e0793a", keepsEnd: true)
        .draw(in: &drawing, x: 2 * SVGReport.margin + half, y: listTop, width: half)
    }
    try file.write(drawing.text)
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
    let slot = min(width / Double(bins.tallies.count), 60)
    for (index, tally) in bins.tallies.enumerated() where tally.commits > 0 {
      let bar = max(1, Double(tally.commits) / Double(ceiling) * height)
      drawing.bar(
        x: left + Double(index) * slot + slot * 0.1, y: top + height - bar, width: slot * 0.8,
        height: bar, color: "#2f81c9",
        tip: "\(bins.day(index).text): \(counted(tally.commits, "commit"))")
    }
    drawDates(&drawing, bins, left: left, slot: slot, y: top + height + 20)
  }

  /// Writes the first day of some bins below the chart, far enough from each other.
  private func drawDates(
    _ drawing: inout SVGDrawing, _ bins: Bins, left: Double, slot: Double, y: Double
  ) {
    let distance = max(1, Int((110 / slot).rounded(.up)))
    let lastPlace = SVGReport.width - SVGReport.margin - 70
    for index in stride(from: 0, to: bins.tallies.count, by: distance)
    where left + Double(index) * slot < lastPlace {
      drawing.text(bins.day(index).text, x: left + Double(index) * slot, y: y, .label)
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
