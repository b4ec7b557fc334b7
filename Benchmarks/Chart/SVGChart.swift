/// A picture of results: the rows, and the scaling series if it was run.
struct SVGChart {
  private let results: Results
  private let benchmarks: [String: Benchmark]

  private static let width = 1040.0
  private static let margin = 36.0
  private static let contentWidth = width - 2 * margin
  private static let seriesColumns = 3

  init(_ results: Results) {
    self.results = results
    benchmarks = Dictionary(Benchmark.all.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Draws the results into a file.
  func write(to file: String) throws(BenchmarkError) {
    try TextFile.write(text, to: file)
  }

  private var text: String {
    var canvas = SVGCanvas()
    var y = drawHead(on: &canvas)
    for panel in panels {
      panel.draw(on: &canvas, x: SVGChart.margin, y: y, width: SVGChart.contentWidth)
      y += panel.height
    }
    if !results.series.isEmpty { y = drawSeries(on: &canvas, y: y) }
    return canvas.document(width: SVGChart.width, height: y + 12, title: "swift-ecs benchmarks")
  }

  private func drawHead(on canvas: inout SVGCanvas) -> Double {
    let x = SVGChart.margin
    canvas.text("swift-ecs benchmarks", x: x, y: 44, .init(size: 22, weight: 700))
    canvas.text(
      "Minimum of the samples. \(Machine().description).", x: x, y: 65,
      .init(color: Palette.quiet))
    var position = x
    var entries = [
      (Palette.batch, "batch: inside one perform"), (Palette.call, "call: plain calls"),
    ]
    if results.samples.contains(where: { $0.trial.contender == .naive }) {
      entries.append((Palette.naive, "naive contender (times as much)"))
    }
    for (color, label) in entries {
      canvas.dot(x: position + 5, y: 86, radius: 5, color: color)
      canvas.text(label, x: position + 16, y: 90)
      position += 38 + Double(label.count) * 6.6
    }
    return 108
  }

  private var panels: [RowsPanel] {
    let panels = Benchmark.families.map { family in
      panel(family.name, "ns", family.benchmarks.filter(\.unit.isTime).map(\.id))
    }
    let memory = Benchmark.all.filter { !$0.unit.isTime }.map(\.id)
    return (panels + [panel("Memory", "bytes", memory)]).filter { !$0.lines.isEmpty }
  }

  private func panel(_ title: String, _ unit: String, _ rows: [String]) -> RowsPanel {
    var lines: [RowsPanel.Line] = []
    var places: [String: Int] = [:]
    for sample in results.samples where rows.contains(sample.trial.row) {
      let name = sample.trial.name
      if places[name] == nil {
        places[name] = lines.count
        lines.append(.init(name: name, title: lineTitle(sample)))
      }
      guard let place = places[name] else { continue }
      switch (sample.trial.contender, sample.trial.form) {
      case (.naive, _): lines[place].naive = sample.minimum
      case (.ecs, .batch): lines[place].batch = sample.minimum
      case (.ecs, .call): lines[place].call = sample.minimum
      }
    }
    return RowsPanel(title: title, unit: unit, lines: lines)
  }

  private func lineTitle(_ sample: Sample) -> String {
    let title = benchmarks[sample.trial.row]?.title ?? ""
    return title.count <= 56 ? title : title.prefix(55) + "…"
  }

  private func drawSeries(on canvas: inout SVGCanvas, y: Double) -> Double {
    canvas.text(
      "Cost of a unit of work by number of entities", x: SVGChart.margin, y: y + 18,
      .init(size: 15, weight: 600))
    let panels = seriesPanels
    let columnWidth = SVGChart.contentWidth / Double(SVGChart.seriesColumns)
    for (index, panel) in panels.enumerated() {
      let column = Double(index % SVGChart.seriesColumns)
      let line = Double(index / SVGChart.seriesColumns)
      panel.draw(
        on: &canvas, x: SVGChart.margin + column * columnWidth,
        y: y + 34 + line * (SeriesPanel.height + 14), width: columnWidth - 8)
    }
    let lines = (panels.count + SVGChart.seriesColumns - 1) / SVGChart.seriesColumns
    return y + 34 + Double(lines) * (SeriesPanel.height + 14)
  }

  private var seriesPanels: [SeriesPanel] {
    Benchmark.all.compactMap { benchmark in
      let series = results.series.filter { $0.row == benchmark.id }
      if series.isEmpty { return nil }
      let title = benchmark.title
      return SeriesPanel(
        row: benchmark.id, title: title.count <= 54 ? title : title.prefix(53) + "…",
        unit: benchmark.unit.text, series: series)
    }
  }
}
