/// A line for each row with a dot for each contender and form, on a logarithmic axis.
///
/// Dots rather than bars, because the length of a bar says nothing where the axis has no zero.
struct RowsPanel {
  let title: String
  let unit: String
  let lines: [Line]

  /// One row.
  struct Line {
    let name: String
    let title: String
    var batch: Double?
    var call: Double?
    var naive: Double?

    var values: [Double] { [batch, call, naive].compactMap { $0 } }
  }

  static let lineHeight = 24.0
  private static let head = 46.0
  private static let plotStart = 424.0

  var height: Double { RowsPanel.head + Double(lines.count) * RowsPanel.lineHeight + 30 }

  func draw(on canvas: inout SVGCanvas, x: Double, y: Double, width: Double) {
    let scale = LogarithmicScale(
      decadesAround: lines.flatMap(\.values), from: x + RowsPanel.plotStart, to: x + width - 60)
    canvas.text(title, x: x, y: y + 18, .init(size: 15, weight: 600))
    let top = y + RowsPanel.head
    let bottom = top + Double(lines.count) * RowsPanel.lineHeight
    for index in lines.indices where index % 2 == 0 {
      canvas.box(
        x: x - 8, y: top + Double(index) * RowsPanel.lineHeight, width: width + 16,
        height: RowsPanel.lineHeight, color: Palette.band, radius: 3)
    }
    for tick in scale.ticks {
      let position = scale.position(tick)
      canvas.line(from: (position, top - 4), to: (position, bottom), color: Palette.grid)
      canvas.text(
        RowsPanel.tickText(tick), x: position, y: top - 9,
        .init(size: 10, color: Palette.quiet, anchor: .middle))
    }
    canvas.text(
      unit, x: x + width, y: top - 9, .init(size: 10, color: Palette.quiet, anchor: .end))
    for (index, line) in lines.enumerated() {
      draw(line, on: &canvas, x: x, y: top + (Double(index) + 0.5) * RowsPanel.lineHeight, scale)
    }
  }

  private func draw(
    _ line: Line, on canvas: inout SVGCanvas, x: Double, y: Double, _ scale: LogarithmicScale
  ) {
    canvas.text(line.name, x: x, y: y + 4, .init(size: 11.5, weight: 600))
    canvas.text(line.title, x: x + 106, y: y + 4, .init(size: 10, color: Palette.quiet))
    guard let smallest = line.values.min(), let largest = line.values.max() else { return }
    canvas.line(
      from: (scale.position(smallest), y), to: (scale.position(largest), y),
      color: Palette.connection, width: 2)
    if let naive = line.naive {
      canvas.dot(x: scale.position(naive), y: y, radius: 4.5, color: Palette.naive)
      let best = [line.batch, line.call].compactMap { $0 }.min()
      let ratio = best.map { naive / $0 >= 1 ? " (\(Figure.ratio(naive / $0)))" : "" } ?? ""
      let text = Figure.value(naive) + ratio
      canvas.text(
        text, x: scale.position(naive) + 9, y: y + 3.5, .init(size: 10, color: Palette.naive))
    }
    if let call = line.call {
      canvas.dot(x: scale.position(call), y: y, radius: 4.5, color: Palette.call)
    }
    if let batch = line.batch {
      canvas.dot(x: scale.position(batch), y: y, radius: 4.5, color: Palette.batch)
    }
    if let best = [line.batch, line.call].compactMap({ $0 }).min() {
      canvas.text(
        Figure.value(best), x: scale.position(best) - 9, y: y + 3.5,
        .init(size: 10, color: Palette.batch, anchor: .end))
    }
  }

  private static func tickText(_ value: Double) -> String {
    switch value {
    case 1_000_000...: "\(Int((value / 1_000_000).rounded()))M"
    case 1000...: "\(Int((value / 1000).rounded()))k"
    case 0.999...: "\(Int(value.rounded()))"
    default: "\((value * 1000).rounded() / 1000)"
    }
  }
}
