import ECS
import ECSRecipes
import ECSSnapshots

// A shape is an entity with a number, a frame, a figure and an ink; a layer is one with a name.

/// What commands call a shape.
struct Number: Component, Equatable { var value = 0 }

/// Where a shape is, in columns and rows from the upper left corner, and how large.
struct Frame: Component, Equatable {
  var x: Int32 = 0
  var y: Int32 = 0
  var width: Int32 = 1
  var height: Int32 = 1

  // A file may say anything: these are never empty, and no sum is too large.
  var columns: Range<Int> { Int(x)..<Int(x) + max(1, Int(width)) }
  var rows: Range<Int> { Int(y)..<Int(y) + max(1, Int(height)) }
}

/// What is drawn in the frame.
struct Figure: Component, Equatable {
  enum Kind: String { case box, oval, text }
  var kind = Kind.box
  var text = ""
}

struct Ink: Component, Equatable { var color = "black" }

struct Layer: Component, Equatable { var name = "" }

/// From a shape to its layer, with which it goes.
enum InLayer: ToOneRelation { static let deleteRule = DeleteRule.cascade }

/// How far the shapes reach: it follows from them, so that no history and no file needs it.
struct Extent: UniqueComponent, Equatable {
  var columns = 0
  var rows = 0
}

/// What files keep, and what it is called there.
enum SketchFile {
  static func schema() throws -> Schema {
    try Schema("sketch") {
      Stored(of: Number(), as: "number") { Field(\.value, at: "value") }
      Stored(of: Frame(), as: "frame") {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
        Field(\.width, at: "width")
        Field(\.height, at: "height")
      }
      Stored(of: Figure(), as: "figure") {
        Field(\.kind, at: "kind", as: .rawValue)
        Field(\.text, at: "text")
      }
      Stored(of: Ink(), as: "ink") { Field(\.color, at: "color") }
      Stored(of: Layer(), as: "layer") { Field(\.name, at: "name") }
      Excluded(Extent.self)
      Links(InLayer.self, as: "inLayer")
    }
  }
}
