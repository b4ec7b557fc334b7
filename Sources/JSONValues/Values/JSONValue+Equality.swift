extension JSONValue: Hashable {
  /// Whether both are of the same kind and have equal contents; the order of keys does not matter.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the size of the values.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    // The containers that are still to be compared: values of any depth fit the stack.
    var pending: [(JSONValue, JSONValue)] = []
    guard areEqual(left, right, but: &pending) else { return false }
    while let (left, right) = pending.popLast() {
      guard haveEqualValues(left, right, but: &pending) else { return false }
    }
    return true
  }

  /// Compares scalars; puts containers off.
  private static func areEqual(
    _ left: JSONValue, _ right: JSONValue, but pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return left == right
    case (.array(let one), .array(let other)):
      if one.isIdentical(to: other) { return true }
      guard one.count == other.count else { return false }
    case (.object(let one), .object(let other)):
      if one.isIdentical(to: other) { return true }
      guard one.count == other.count else { return false }
    default: return false
    }
    pending.append((left, right))
    return true
  }

  /// Compares what is in two containers of one kind and size.
  private static func haveEqualValues(
    _ left: JSONValue, _ right: JSONValue, but pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)):
      for position in left.indices {
        guard areEqual(left[position], right[position], but: &pending) else { return false }
      }
    case (.object(let left), .object(let right)):
      let (left, right) = (left.entries, right.entries)
      for (position, entry) in left.list.enumerated() {
        // Mostly the order is the same as well.
        guard let other = right.value(of: entry.key, near: position),
          areEqual(entry.value, other, but: &pending)
        else { return false }
      }
    default: break
    }
    return true
  }

  /// Feeds the value to a hasher, so that the order of keys does not matter.
  ///
  /// What is nested very deeply is not hashed.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 16) }

  private func hash(into hasher: inout Hasher, levels: Int) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let elements):
      hasher.combine(elements.count)
      guard levels > 0 else { break }
      for element in elements { element.hash(into: &hasher, levels: levels - 1) }
    case .object(let object):
      hasher.combine(object.count)
      guard levels > 0 else { break }
      var sum = 0
      for entry in object.entries.list {
        var hasher = Hasher()
        hasher.combine(entry.key)
        entry.value.hash(into: &hasher, levels: levels - 1)
        sum &+= hasher.finalize()
      }
      hasher.combine(sum)
    }
  }
}
