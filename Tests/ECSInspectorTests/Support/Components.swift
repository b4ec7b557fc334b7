#if Inspector
  import ECS

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

  /// An object that refers to itself.
  final class Circle: Component {
    let name = "circle"
    weak let other: Circle?
    let box: Box<Int>
    init(other: Circle? = nil) { (self.other, box) = (other, Box(value: 1)) }
  }
#endif
