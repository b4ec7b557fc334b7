import ExampleSupport

/// Writes an SVG file, element by element.
struct SVGDrawing {
  private var elements: [String] = []
  private let width: Double
  private let height: Double

  enum Style: String {
    case title, heading, number, quiet, label, count
  }

  private static let styleSheet = """
    text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    .title { font-size: 28px; font-weight: 700; fill: #1c2733; }
    .heading { font-size: 15px; font-weight: 600; fill: #1c2733; }
    .number { font-size: 20px; font-weight: 600; fill: #1c2733; }
    .quiet { font-size: 13px; fill: #66727f; }
    .label { font-size: 12px; fill: #3d4a57; }
    .count { font-size: 12px; font-weight: 600; fill: #1c2733; }
    """

  init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// The whole file.
  var text: String {
    let size = "width=\"\(rounded(width))\" height=\"\(rounded(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \
      viewBox="0 0 \(rounded(width)) \(rounded(height))">
      <style>
      \(SVGDrawing.styleSheet)
      </style>
      <rect width="100%" height="100%" rx="10" fill="#ffffff"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  mutating func text(
    _ text: String, x: Double, y: Double, _ style: Style, anchor: String = "start"
  ) {
    let place = "x=\"\(rounded(x))\" y=\"\(rounded(y))\" text-anchor=\"\(anchor)\""
    elements.append("<text class=\"\(style.rawValue)\" \(place)>\(escapedForMarkup(text))</text>")
  }

  mutating func line(x: Double, y: Double, width: Double) {
    let place = "x1=\"\(rounded(x))\" x2=\"\(rounded(x + width))\""
    let height = "y1=\"\(rounded(y))\" y2=\"\(rounded(y))\""
    elements.append("<line \(place) \(height) stroke=\"#e3e8ee\"/>")
  }

  /// A short line downwards, at which a value of an axis is.
  mutating func tick(x: Double, y: Double, height: Double) {
    let (place, end) = ("x1=\"\(rounded(x))\" x2=\"\(rounded(x))\"", rounded(y + height))
    elements.append("<line \(place) y1=\"\(rounded(y))\" y2=\"\(end)\" stroke=\"#66727f\"/>")
  }

  mutating func bar(
    x: Double, y: Double, width: Double, height: Double, color: String, tip: String? = nil
  ) {
    let place = "x=\"\(rounded(x))\" y=\"\(rounded(y))\""
    let size = "width=\"\(rounded(width))\" height=\"\(rounded(height))\""
    let radius = rounded(min(2, width / 3, height / 2))
    let title = tip.map { "<title>\(escapedForMarkup($0))</title>" } ?? ""
    elements.append("<rect \(place) \(size) rx=\"\(radius)\" fill=\"\(color)\">\(title)</rect>")
  }

  /// A text shortened to a width, by what letters take in the fonts that are asked for, at least.
  static func fitted(
    _ text: String, width: Double, size: Double, keepsEnd: Bool = false
  ) -> String {
    guard text.reduce(0, { $0 + advance(of: $1) * size }) > width else { return text }
    var room = width - advance(of: "…") * size
    let kept = (keepsEnd ? Array(text.reversed()) : Array(text)).prefix { character in
      room -= advance(of: character) * size
      return room >= 0
    }
    return keepsEnd ? "…" + String(kept.reversed()) : String(kept) + "…"
  }

  /// The width of a character in a wide font without serifs, whose size is 1.
  private static func advance(of character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", " ": 0.35
    case "f", "t", "r", "(", ")", "[", "]", "/", "-", "!": 0.42
    case "m", "w", "M", "W", "@", "%", "…": 1
    case "A"..."Z": 0.74
    default: columns(String(character)) == 2 ? 1.05 : 0.63
    }
  }

  private func rounded(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return hundredths.isMultiple(of: 100)
      ? String(hundredths / 100) : String(Double(hundredths) / 100)
  }
}
