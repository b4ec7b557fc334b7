import ECS
import ExampleSupport

/// A drawing as a picture: a column is 10 wide, a row is 20 high.
enum SVGPicture {
  static func text(of drawing: Drawing) -> String {
    let extent = drawing.context.uniqueComponent(Extent.self) ?? Extent()
    let (width, height) = ((extent.columns + 2) * 10, (extent.rows + 1) * 20)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="-10 -10 \(width) \(height)" font-family="monospace" font-size="16">
      <rect x="-10" y="-10" width="\(width)" height="\(height)" fill="white"/>
      """
    ]
    for name in drawing.layerNames {
      lines.append("<g><title>\(escapedForMarkup(name))</title>")
      for shape in drawing.shapes where shape.layerName == name {
        if let line = line(shape) { lines.append(line) }
      }
      lines.append("</g>")
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private static func line(_ shape: Entity) -> String? {
    guard let frame = shape.get(Frame.self), let figure = shape.get(Figure.self),
      let color = shape.get(Ink.self)?.color
    else { return nil }
    let (x, y) = (frame.columns.lowerBound * 10, frame.rows.lowerBound * 20)
    let (width, height) = (frame.columns.count * 10, frame.rows.count * 20)
    let ink = escapedForMarkup(color)
    let stroke = #"fill="none" stroke="\#(ink)" stroke-width="2""#
    switch figure.kind {
    case .box:
      return #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" \#(stroke)/>"#
    case .oval:
      return """
        <ellipse cx="\(x + width / 2)" cy="\(y + height / 2)" rx="\(width / 2)" ry="\(height / 2)" \
        \(stroke)/>
        """
    case .text:
      return
        #"<text x="\#(x)" y="\#(y + 15)" fill="\#(ink)">\#(escapedForMarkup(figure.text))</text>"#
    }
  }
}

extension Entity {
  /// The layer of a shape.
  fileprivate var layerName: String? { target(InLayer.self)?.get(Layer.self)?.name }
}
