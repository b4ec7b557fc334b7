/// The combination of the values under one key, or of those under all keys.
@usableFromInline
protocol AggregateCell {
  associatedtype Value
  associatedtype Result

  /// Whether a value can be taken away without a look at the others.
  static var isInvertible: Bool { get }

  /// Takes a value in; returns its position, by which it is found again.
  mutating func add(_ value: Value, of owner: Int) -> Int

  mutating func replace(_ old: Value, with new: Value, at position: Int)

  /// Takes a value out; returns whose value has its position from now on, if there is one.
  mutating func remove(_ value: Value, at position: Int) -> Int?

  /// All values in one; nil if there are none, or none can be given.
  var combined: Value? { get }

  func result(count: Int) -> Result?
}

/// Sums of which values can be taken away.
@usableFromInline
protocol InvertibleCell: AggregateCell {
  mutating func add(_ value: Value)
  mutating func subtract(_ value: Value)
}

extension InvertibleCell {
  @inlinable static var isInvertible: Bool { true }

  @inlinable
  mutating func add(_ value: Value, of owner: Int) -> Int {
    add(value)
    return 0
  }

  @inlinable
  mutating func replace(_ old: Value, with new: Value, at position: Int) {
    subtract(old)
    add(new)
  }

  @inlinable
  mutating func remove(_ value: Value, at position: Int) -> Int? {
    subtract(value)
    return nil
  }

  @inlinable var combined: Value? { nil }
}

/// Only how many there are.
@usableFromInline
struct CountCell: InvertibleCell {
  @usableFromInline typealias Value = Bool
  @usableFromInline typealias Result = Int

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ value: Bool) {}

  @inlinable
  mutating func subtract(_ value: Bool) {}

  @inlinable
  func result(count: Int) -> Int? { count }
}

/// A sum of integers, with more digits than any of them.
@usableFromInline
struct IntegerSumCell: InvertibleCell {
  @usableFromInline typealias Value = Int
  @usableFromInline typealias Result = Int

  private var low: UInt64 = 0
  private var high: Int64 = 0

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func add(_ value: Int) {
    let (sum, carries) = low.addingReportingOverflow(UInt64(truncatingIfNeeded: value))
    low = sum
    high &+= (value < 0 ? -1 : 0) &+ (carries ? 1 : 0)
  }

  @usableFromInline
  mutating func subtract(_ value: Int) {
    let (sum, borrows) = low.subtractingReportingOverflow(UInt64(truncatingIfNeeded: value))
    low = sum
    high &-= (value < 0 ? -1 : 0) &+ (borrows ? 1 : 0)
  }

  @usableFromInline
  func result(count: Int) -> Int? {
    let value = Int64(bitPattern: low)
    if high == value >> 63 { return Int(clamping: value) }
    return high < 0 ? .min : .max
  }
}

/// The result of an exact sum.
@usableFromInline
protocol ExactSumCell: InvertibleCell where Value == Double {
  var sum: ExactSum { get set }
}

extension ExactSumCell {
  @inlinable
  mutating func add(_ value: Double) { sum.add(value) }

  @inlinable
  mutating func subtract(_ value: Double) { sum.subtract(value) }
}

@usableFromInline
struct SumCell: ExactSumCell {
  @usableFromInline var sum = ExactSum()

  @inlinable
  init() {}

  @inlinable
  func result(count: Int) -> Double? { sum.value }
}

@usableFromInline
struct AverageCell: ExactSumCell {
  @usableFromInline var sum = ExactSum()

  @inlinable
  init() {}

  @inlinable
  func result(count: Int) -> Double? { sum.value / Double(count) }
}

/// Values that are combined in pairs, and these again, up to one: so each change combines few of
/// them anew.
@usableFromInline
struct CombiningCell<Value>: AggregateCell {
  @usableFromInline let combine: @Sendable (Value, Value) -> Value

  /// Whose value is at a position.
  @usableFromInline var owners: ContiguousArray<Int> = []

  // INVARIANT: the node at `i` combines those at `2i` and `2i + 1`. The second half has the values,
  // by position.
  @usableFromInline var nodes: ContiguousArray<Value?> = [nil, nil]

  @inlinable
  init(_ combine: @escaping @Sendable (Value, Value) -> Value) { self.combine = combine }

  @inlinable static var isInvertible: Bool { false }

  @inlinable var capacity: Int { nodes.count / 2 }

  @inlinable
  mutating func add(_ value: Value, of owner: Int) -> Int {
    let position = owners.count
    if position == capacity { resize(to: capacity * 2) }
    owners.append(owner)
    put(value, at: position)
    return position
  }

  @inlinable
  mutating func replace(_ old: Value, with new: Value, at position: Int) {
    put(new, at: position)
  }

  @inlinable
  mutating func remove(_ value: Value, at position: Int) -> Int? {
    let last = owners.count - 1
    let moved = owners.removeLast()
    if position < last {
      owners[position] = moved
      put(nodes[capacity + last], at: position)
    }
    put(nil, at: last)
    if capacity > 8, owners.count < capacity / 4 { resize(to: capacity / 2) }
    return position < last ? moved : nil
  }

  @inlinable var combined: Value? { nodes[1] }

  @inlinable
  func result(count: Int) -> Value? { nodes[1] }

  @inlinable
  mutating func put(_ value: Value?, at position: Int) {
    var node = capacity + position
    nodes[node] = value
    while node > 1 {
      node /= 2
      join(node)
    }
  }

  @inlinable
  mutating func join(_ node: Int) {
    guard let left = nodes[2 * node] else {
      // Values fill positions from the first one on.
      nodes[node] = nil
      return
    }
    nodes[node] = nodes[2 * node + 1].map { combine(left, $0) } ?? left
  }

  @inlinable
  mutating func resize(to newCapacity: Int) {
    let values = nodes[capacity..<capacity + owners.count]
    var resized = ContiguousArray<Value?>(repeating: nil, count: 2 * newCapacity)
    for (position, value) in values.enumerated() { resized[newCapacity + position] = value }
    nodes = resized
    for node in stride(from: newCapacity - 1, through: 1, by: -1) { join(node) }
  }
}
