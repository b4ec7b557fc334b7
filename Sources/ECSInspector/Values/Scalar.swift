#if Inspector
  import ECS
  import Foundation

  /// A value that can be compared with what a query says.
  enum Scalar: Hashable {
    case none
    case bool(Bool)
    case whole(Int128)
    case real(Double)
    case text(String)

    /// An entity, as it is called.
    case entity(String)

    init(_ value: Any) {
      // Those that are frequent first: asking whether a type is some kind of number takes long.
      switch value {
      case let value as Double: self = .real(value)
      case let value as Int: self = .whole(Int128(value))
      case let value as String: self = .text(value)
      case let value as Bool: self = .bool(value)
      case let value as any BinaryInteger:
        self = Int128(exactly: value).map { .whole($0) } ?? .text("\(value)")
      case let value as any BinaryFloatingPoint: self = .real(Double(value))
      case let value as Entity: self = .entity(value.label)
      default: self = .text(ValueText(value).text)
      }
    }

    /// A field of a value, down a path; nil if there is none of these names.
    ///
    /// Of optional values, those that are there count; of lists, `count` is how many elements there
    /// are.
    static func at(_ path: [String], of value: Any) -> Scalar? {
      var value = value
      for name in path {
        let mirror = unwrapped(Mirror(reflecting: value))
        guard let mirror else { return Scalar.none }
        if let child = mirror.children.first(where: { $0.label == name || $0.label == "." + name })
        {
          value = child.value
        } else if name == "count", mirror.isList {
          value = mirror.children.count
        } else {
          return nil
        }
      }
      if value is Double || value is Int || value is String { return Scalar(value) }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return Scalar(value) }
      return mirror.children.first.map { at([], of: $0.value) } ?? Scalar.none
    }

    /// Whether there is a field down a path, or may be one in another value of the same types.
    static func mayHave(_ path: [String], _ value: Any) -> Bool {
      var value = value
      for name in path {
        guard let mirror = unwrapped(Mirror(reflecting: value)) else { return true }
        guard
          let child = mirror.children.first(where: { $0.label == name || $0.label == "." + name })
        else {
          return mirror.displayStyle == .enum || (name == "count" && mirror.isList)
        }
        value = child.value
      }
      return true
    }

    private static func unwrapped(_ mirror: Mirror) -> Mirror? {
      guard mirror.displayStyle == .optional else { return mirror }
      return mirror.children.first.map { Mirror(reflecting: $0.value) }
    }

    /// The order of two values; nil if they have none, as texts and numbers.
    func compared(with other: Scalar) -> Int? {
      func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int? {
        left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
      }
      switch (self, other) {
      case (.whole(let left), .whole(let right)): return order(left, right)
      case (.text(let left), .text(let right)), (.entity(let left), .entity(let right)),
        (.entity(let left), .text(let right)), (.text(let left), .entity(let right)):
        return order(left, right)
      case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
      case (.none, .none): return 0
      default:
        guard let left = number, let right = other.number else { return nil }
        return order(left, right)
      }
    }

    private var number: Double? {
      switch self {
      case .whole(let number): Double(number)
      case .real(let number): number
      case .none, .bool, .text, .entity: nil
      }
    }

    /// Whether this comes first in a list: in an order of all values, of whatever types.
    func precedes(_ other: Scalar) -> Bool {
      if let order = compared(with: other) { return order < 0 }
      return rank < other.rank
    }

    private var rank: Int {
      switch self {
      case .bool: 0
      case .whole: 1
      case .real(let number): number.isNaN ? 3 : 1
      case .text, .entity: 2
      case .none: 4
      }
    }
  }

  extension Mirror {
    fileprivate var isList: Bool {
      displayStyle == .collection || displayStyle == .set || displayStyle == .dictionary
    }
  }
#endif
