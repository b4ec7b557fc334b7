import ECS

/// Something that a program could observe: a notification, or the result of a call.
struct Event: Equatable {
  enum Name {
    case added
    case updated
    case removed
    case destroyed
    case madeGroup
    case madeIndex
    case visited
    case read
    case drained
    case refused
    case failed
    case impossible
  }

  var name: Name

  /// The observer that was notified, or the number of what was asked.
  var source = -1
  var entity = -1

  /// The component that the change or the call was about.
  var kind = -1

  /// Values, -1 where there is none, or entities.
  var numbers: [Int] = []

  /// The old and new numbers of the component that a change was about, or of all components.
  static func numbers(_ cause: Int?, _ values: (Int) -> (old: Int?, new: Int?)) -> [Int] {
    let kinds = cause.map { $0...$0 } ?? 0...Kind.key
    return kinds.flatMap { kind in
      let (old, new) = values(kind)
      return [old ?? -1, new ?? -1]
    }
  }
}

extension Event: CustomStringConvertible {
  var description: String {
    let type = kind < 0 ? "" : " \(Kind.types[kind])"
    return "\(source): \(name) #\(entity)\(type) \(numbers)"
  }
}

extension ChangeKinds {
  func contains(_ name: Event.Name) -> Bool {
    switch name {
    case .added: contains(ChangeKinds.added)
    case .updated: contains(ChangeKinds.updated)
    default: contains(ChangeKinds.removed)
    }
  }
}

/// The orders in which a context went through entities, oldest first.
final class Orders {
  var orders: [[Int]] = []

  /// Makes place for the order of something that begins now.
  func begin() -> Int {
    orders.append([])
    return orders.count - 1
  }

  private var taken = 0

  /// The order of what began next.
  func next() -> [Int] {
    guard taken < orders.count else { return [] }
    taken += 1
    return orders[taken - 1]
  }

  func forget() {
    orders = []
    taken = 0
  }
}
