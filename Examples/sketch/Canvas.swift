import ECS
import ExampleSupport

/// A drawing as text, as far as it fits.
struct Canvas {
  private static let largest = (columns: 100, rows: 40)
  private var rows: [[Character]]

  init(_ drawing: Drawing) {
    let extent = drawing.context.uniqueComponent(Extent.self) ?? Extent()
    let (columns, rows) = (
      min(extent.columns, Canvas.largest.columns), min(extent.rows, Canvas.largest.rows)
    )
    self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    for shape in drawing.shapes {
      guard let frame = shape.get(Frame.self), let figure = shape.get(Figure.self) else { continue }
      draw(figure, frame)
    }
  }

  /// The rows, without spaces behind the last thing in each.
  var text: String {
    rows.map { row in
      String(row[..<((row.lastIndex { $0 != " " } ?? -1) + 1)])
    }
    .joined(separator: "\n")
  }

  private mutating func draw(_ figure: Figure, _ frame: Frame) {
    switch figure.kind {
    case .box: drawEdges(frame, corners: ["┌", "┐", "└", "┘"])
    case .oval: drawEdges(frame, corners: ["╭", "╮", "╰", "╯"])
    case .text:
      for (offset, character) in printable(figure.text).enumerated() {
        put(character, frame.columns.lowerBound + offset, frame.rows.lowerBound)
      }
    }
  }

  private mutating func drawEdges(_ frame: Frame, corners: [Character]) {
    let (left, right) = (frame.columns.lowerBound, frame.columns.upperBound - 1)
    let (top, bottom) = (frame.rows.lowerBound, frame.rows.upperBound - 1)
    for x in frame.columns.clamped(to: 0..<(rows.first?.count ?? 0)) {
      put("─", x, top)
      put("─", x, bottom)
    }
    for y in frame.rows.clamped(to: 0..<rows.count) {
      put("│", left, y)
      put("│", right, y)
    }
    put(corners[0], left, top)
    put(corners[1], right, top)
    put(corners[2], left, bottom)
    put(corners[3], right, bottom)
  }

  private mutating func put(_ character: Character, _ x: Int, _ y: Int) {
    if rows.indices.contains(y), rows[y].indices.contains(x) { rows[y][x] = character }
  }
}
