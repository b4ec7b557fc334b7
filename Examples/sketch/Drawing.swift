import ECS
import ECSHistory
import ECSSnapshots

/// A drawing, and what has been done to it.
final class Drawing {
  let context = Context(name: "Sketch")
  let history: UndoHistory

  /// The shapes, the first one drawn first.
  let shapes: LiveView

  private let byNumber: PrimaryIndex<Number, Int>
  private let layers: PrimaryIndex<Layer, String>

  /// The layer that new shapes belong to.
  private var layerName = "Layer 1"

  /// Makes a drawing: of a snapshot, or an empty one.
  init(_ snapshot: Snapshot? = nil, _ schema: Schema) throws {
    try snapshot?.restore(into: context, schema)
    byNumber = context.primaryIndex { (number: Number) in number.value }
    layers = context.primaryIndex { (layer: Layer) in layer.name }
    shapes = context.group(Number.matcher).sorted(by: \Number.value)
    shapes.start()
    // What is there already can't be taken back.
    history = UndoHistory(
      context, of: Number.self, Frame.self, Figure.self, Ink.self, Layer.self,
      relations: [InLayer.self])
    if let first = layerNames.first { layerName = first }
  }

  func shape(_ number: Int) -> Entity? { byNumber[number] }

  var layerNames: [String] {
    context.group(Layer.matcher).sortedByCreation().compactMap { $0.get(Layer.self)?.name }
  }

  // MARK: Changing

  func useLayer(_ name: String) { layerName = name }

  /// Draws a shape, and its layer if that is not there yet: one step.
  func draw(_ figure: Figure, _ frame: Frame, _ ink: Ink) -> Int {
    history.group("Draw \(figure.kind)") {
      let number = (shapes.last?.get(Number.self)?.value ?? 0) + 1
      let layer = layers[layerName] ?? context.createEntity(with: Layer(name: layerName))
      context.createEntity(with: Number(value: number), frame, figure, ink)
        .relate(InLayer.self, to: layer)
      return number
    }
  }

  /// Moves a shape; moves that follow each other fast are one step, as when it is dragged.
  func move(_ shape: Entity, x: Int32, y: Int32) {
    history.coalesce("Move \(shape.label)", within: .seconds(10)) {
      shape.update(Frame.self) { frame in
        // As far as the paper reaches.
        frame.x = min(max(-1000, frame.x.addingReportingOverflow(x).partialValue), 1000)
        frame.y = min(max(-1000, frame.y.addingReportingOverflow(y).partialValue), 1000)
      }
    }
  }

  func paint(_ shape: Entity, _ color: String) {
    history.group("Paint \(shape.label)") { _ = shape.set(Ink(color: color)) }
  }

  func delete(_ shape: Entity) {
    history.group("Delete \(shape.label)") { shape.destroy() }
  }

  /// Deletes a layer, with which its shapes go; false if there is none such.
  func deleteLayer(_ name: String) -> Bool {
    guard let layer = layers[name] else { return false }
    history.group("Delete \(name)") { layer.destroy() }
    return true
  }
}

extension Entity {
  /// What people call a shape.
  var label: String {
    "\(get(Figure.self)?.kind.rawValue ?? "shape") \(get(Number.self)?.value ?? 0)"
  }
}
