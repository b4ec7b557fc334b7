/// A small line chart: how the cost of one row grows with the number of entities.
struct SeriesPanel {
  let row: String
  let title: String
  let unit: String
  let series: [Results.Series]

  static let height = 190.0

  func draw(on canvas: inout SVGCanvas, x: Double, y: Double, width: Double) {
    let points = series.flatMap(\.points)
    guard let smallest = points.map(\.n).min(), let largest = points.map(\.n).max() else { return }
    let top = y + 44
    let bottom = y + SeriesPanel.height - 24
    let horizontal = LogarithmicScale(
      Double(smallest), Double(largest), from: x + 34, to: x + width - 14)
    let step = SeriesPanel.step(for: points.map(\.minimum).max() ?? 1)
    let limit = step * ((points.map(\.minimum).max() ?? 1) / step).rounded(.up)
    func vertical(_ value: Double) -> Double { bottom - (bottom - top) * value / limit }

    canvas.text(row, x: x, y: y + 16, .init(size: 13, weight: 600))
    canvas.text(title, x: x, y: y + 31, .init(size: 9.5, color: Palette.quiet))
    canvas.text(
      unit, x: x + width - 14, y: y + 16, .init(size: 9.5, color: Palette.quiet, anchor: .end))
    for tick in stride(from: 0, through: limit * 1.001, by: step) {
      canvas.line(
        from: (x + 34, vertical(tick)), to: (x + width - 14, vertical(tick)), color: Palette.grid)
      canvas.text(
        SeriesPanel.text(tick, step), x: x + 28, y: vertical(tick) + 3.5,
        .init(size: 9.5, color: Palette.quiet, anchor: .end))
    }
    for n in [1000, 10_000, 100_000, 1_000_000] where n >= smallest && n <= largest {
      canvas.text(
        Trial.short(n), x: horizontal.position(Double(n)), y: bottom + 15,
        .init(size: 9.5, color: Palette.quiet, anchor: .middle))
    }
    for series in series.reversed() {
      let color = series.form == .batch ? Palette.batch : Palette.call
      let places = series.points.map { (horizontal.position(Double($0.n)), vertical($0.minimum)) }
      canvas.path(places, color: color)
      for place in places { canvas.dot(x: place.0, y: place.1, radius: 3, color: color) }
    }
  }

  /// A round distance of lines, of which there are between two and five.
  private static func step(for limit: Double) -> Double {
    var step = 0.01
    let factors = [2.0, 2.5, 2.0]
    var index = 0
    while limit / step > 4 {
      step *= factors[index % factors.count]
      index += 1
    }
    return step
  }

  private static func text(_ value: Double, _ step: Double) -> String {
    if step >= 1 { return "\(Int(value.rounded()))" }
    return value == 0 ? "0" : "\((value * 100).rounded() / 100)"
  }
}
