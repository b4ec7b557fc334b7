/// Values by name, of which there is mostly one.
// PERFORMANCE: The first one takes no memory of its own: each entity of a list has such values (H1).
struct NamedValues<Value: Sendable>: Sendable {
  private var first: (name: String, value: Value)?

  // INVARIANT: Empty if there is no first one, and without its name.
  private var others: [String: Value] = [:]

  init() {}

  init(_ value: Value, named name: String) { first = (name, value) }

  var isEmpty: Bool { first == nil }

  /// The names, in no order.
  var names: [String] { (first.map { [$0.name] } ?? []) + others.keys }

  subscript(name: String) -> Value? {
    get {
      guard let first else { return nil }
      return first.name == name ? first.value : others[name]
    }
    set {
      guard let known = first, known.name != name else {
        if let newValue {
          first = (name, newValue)
        } else if first != nil {
          let next = others.popFirst()
          first = next.map { ($0.key, $0.value) }
        }
        return
      }
      others[name] = newValue
    }
  }
}

extension NamedValues: Equatable where Value: Equatable {
  static func == (left: NamedValues, right: NamedValues) -> Bool {
    left.first?.name == right.first?.name && left.first?.value == right.first?.value
      && left.others == right.others || left.all == right.all
  }

  private var all: [String: Value] {
    var all = others
    if let first { all[first.name] = first.value }
    return all
  }
}
