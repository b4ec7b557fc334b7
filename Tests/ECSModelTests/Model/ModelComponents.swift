import ECS

/// A component that is known by a number, so that programs can treat all types alike.
protocol ModelComponent: Component, Equatable {
  init(_ number: Int)
  var number: Int { get }
}

protocol ModelUniqueComponent: ModelComponent, UniqueComponent {}

struct Count: ModelComponent {
  var number: Int
  init(_ number: Int) { self.number = number }
}

struct Small: ModelComponent {
  let byte: UInt8
  init(_ number: Int) { byte = UInt8(number) }
  var number: Int { Int(byte) }
}

struct Label: ModelComponent {
  let text: String
  init(_ number: Int) { text = "a text too long to be stored inline: \(number)" }
  var number: Int { text.last?.wholeNumberValue ?? -1 }
}

struct Items: ModelComponent {
  let items: [Int]
  init(_ number: Int) { items = Array(repeating: number, count: number + 1) }
  var number: Int { items.count - 1 }
}

enum Choice: ModelComponent {
  case none
  case few(Int)
  case many([Int])

  init(_ number: Int) {
    self = number == 0 ? .none : number < 4 ? .few(number) : .many([number])
  }

  var number: Int {
    switch self {
    case .none: 0
    case .few(let number): number
    case .many(let numbers): numbers[0]
    }
  }
}

final class Box: ModelComponent {
  let number: Int
  init(_ number: Int) { self.number = number }
  static func == (left: Box, right: Box) -> Bool { left.number == right.number }
}

/// Moving a weak reference takes more than copying its bytes.
struct Link: ModelComponent {
  // The runtime hides what belongs to weak references from leak checkers, as long as the object
  // lives and no weak reference is left. So one is.
  private struct Node {
    let box: Box
    weak var reference: Box?

    init(_ number: Int) {
      box = Box(number)
      reference = box
    }
  }

  private static let nodes = (0..<8).map(Node.init)
  private weak var node: Box?
  init(_ number: Int) { node = Link.nodes[number].box }
  var number: Int { node?.number ?? -1 }
  static func == (left: Link, right: Link) -> Bool { left.number == right.number }
}

struct Large: ModelComponent {
  let words: InlineArray<128, Int>
  init(_ number: Int) { words = InlineArray(repeating: number) }
  var number: Int { words[0] == words[127] ? words[0] : -1 }
  static func == (left: Large, right: Large) -> Bool { left.number == right.number }
}

struct Wide: ModelComponent {
  let lanes: SIMD8<Double>
  init(_ number: Int) { lanes = SIMD8(repeating: Double(number)) }
  var number: Int { Int(lanes[7]) }
}

struct Selected: ModelComponent {
  init(_ number: Int) {}
  var number: Int { 0 }
}

struct Frozen: ModelComponent {
  init(_ number: Int) {}
  var number: Int { 0 }
}

struct Camera: ModelUniqueComponent {
  let number: Int
  init(_ number: Int) { self.number = number }
}

struct Service: ModelUniqueComponent {
  let node: Box
  init(_ number: Int) { node = Box(number) }
  var number: Int { node.number }
}

/// The primary key of an entity: set through the primary index only.
struct Key: ModelComponent {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Component types by number.
enum Kind {
  static let types: [any ModelComponent.Type] = [
    Count.self, Small.self, Label.self, Items.self, Choice.self, Box.self, Link.self, Large.self,
    Wide.self, Selected.self, Frozen.self, Camera.self, Service.self, Key.self,
  ]

  /// The identifiers, in ascending order: asking for them here first makes them so.
  static let ids: [CID] = types.map { $0.cid }

  static let numbers = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))

  static let camera = 11
  static let service = 12
  static let key = 13

  /// What any number of entities may hold.
  static let ordinary = 0..<camera

  static func isUnique(_ kind: Int) -> Bool { kind == camera || kind == service }

  /// Whether copying a value takes nothing but copying its bytes.
  static func isTrivial(_ kind: Int) -> Bool { ![2, 3, 4, 5, 6, service].contains(kind) }

  /// How many different values there are.
  static func range(_ kind: Int) -> Int { kind == 9 || kind == 10 ? 1 : 8 }
}
