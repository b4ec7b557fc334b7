#if Inspector
  import ECS
  import ECSRecipes
  import ECSSnapshots

  struct Position: Component, Equatable { var x = 0.0, y = 0.0 }
  struct Name: Component, Equatable { var text: String }
  struct Target: Component, Equatable { var entity: Entity? }
  struct Inventory: Component { var items: [String], worth: [String: Int], best: Int? }
  struct Box<Value: Sendable>: Component { var value: Value }
  struct Settings: UniqueComponent { var volume = 5 }
  enum Mode: Component {
    case idle
    case running(speed: Int)
  }
  enum OwnedBy: ToOneRelation {}

  /// What runs are recorded in.
  func recordedSchema() throws -> Schema {
    try Schema("test") {
      Stored(of: Position(), as: "position") {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
      }
      Stored(of: Name(text: ""), as: "name") { Field(\.text, at: "text") }
      Links(OwnedBy.self, as: "ownedBy")
    }
  }

  /// An object that refers to itself.
  final class Circle: Component {
    let name = "circle"
    weak let other: Circle?
    let box: Box<Int>
    init(other: Circle? = nil) { (self.other, box) = (other, Box(value: 1)) }
  }
#endif
