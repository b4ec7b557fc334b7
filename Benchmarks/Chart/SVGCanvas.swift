/// A drawing in the making.
struct SVGCanvas {
  private(set) var elements: [String] = []

  /// Where text stands at its point.
  enum Anchor: String {
    case start
    case middle
    case end
  }

  struct TextStyle {
    var size = 12.0
    var color = Palette.text
    var weight = 400
    var anchor = Anchor.start
  }

  mutating func text(_ text: String, x: Double, y: Double, _ style: TextStyle = TextStyle()) {
    elements.append(
      """
      <text x="\(number(x))" y="\(number(y))" font-size="\(number(style.size))" \
      fill="\(style.color)" font-weight="\(style.weight)" \
      text-anchor="\(style.anchor.rawValue)">\(SVGCanvas.escaped(text))</text>
      """)
  }

  mutating func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double),
    color: String, width: Double = 1, dash: String? = nil
  ) {
    let dashes = dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
    elements.append(
      """
      <line x1="\(number(start.x))" y1="\(number(start.y))" x2="\(number(end.x))" \
      y2="\(number(end.y))" stroke="\(color)" stroke-width="\(number(width))"\(dashes)/>
      """)
  }

  mutating func path(_ points: [(x: Double, y: Double)], color: String, width: Double = 2) {
    let data = points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
    }
    elements.append(
      """
      <path d="\(data.joined())" fill="none" stroke="\(color)" stroke-width="\(number(width))" \
      stroke-linejoin="round" stroke-linecap="round"/>
      """)
  }

  mutating func dot(x: Double, y: Double, radius: Double, color: String) {
    elements.append(
      """
      <circle cx="\(number(x))" cy="\(number(y))" r="\(number(radius))" fill="\(color)" \
      stroke="\(Palette.background)" stroke-width="1"/>
      """)
  }

  mutating func box(
    x: Double, y: Double, width: Double, height: Double, color: String, radius: Double = 0
  ) {
    elements.append(
      """
      <rect x="\(number(x))" y="\(number(y))" width="\(number(width))" height="\(number(height))" \
      rx="\(number(radius))" fill="\(color)"/>
      """)
  }

  /// The whole document.
  func document(width: Double, height: Double, title: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \
    viewBox="0 0 \(number(width)) \(number(height))" role="img" \
    font-family="-apple-system, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif">
    <title>\(SVGCanvas.escaped(title))</title>
    <rect width="100%" height="100%" fill="\(Palette.background)"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  /// Text that cannot be taken for markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  private func number(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

/// The colors of charts.
enum Palette {
  static let background = "#ffffff"
  static let text = "#1f2933"
  static let quiet = "#7b8794"
  static let grid = "#e4e7eb"
  static let band = "#f5f7fa"
  static let connection = "#cbd2d9"
  static let batch = "#0b69a3"
  static let call = "#40c3f7"
  static let naive = "#e66a19"
}
