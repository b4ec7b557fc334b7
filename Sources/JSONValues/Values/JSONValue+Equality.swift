extension JSONValue: Hashable {
  /// Whether both are of the same kind and have equal contents; the order of keys does not matter.
  ///
  /// Strings are equal if their bytes in UTF-8 are, as they are to programs that store or parse
  /// them: `String` itself also takes those for equal that are canonically equivalent.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the size of the values.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    guard let isEqual = areEqualScalars(left, right) else {
      return areEqualContainers(left, right)
    }
    return isEqual
  }

  /// Whether two values are equal; nil for containers that have to be looked into.
  private static func areEqualScalars(_ left: JSONValue, _ right: JSONValue) -> Bool? {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)):
      left == right && left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left.isIdentical(to: right) ? true : nil
    case (.object(let left), .object(let right)): left.isIdentical(to: right) ? true : nil
    default: false
    }
  }

  /// Compares containers of one kind.
  private static func areEqualContainers(_ left: JSONValue, _ right: JSONValue) -> Bool {
    // Those in them that are still to be compared: values of any depth fit the stack.
    var pending: [(JSONValue, JSONValue)] = []
    guard haveEqualValues(left, right, but: &pending) else { return false }
    while let (left, right) = pending.popLast() {
      guard haveEqualValues(left, right, but: &pending) else { return false }
    }
    return true
  }

  /// Compares what is in two containers of one kind; puts the containers in them off.
  private static func haveEqualValues(
    _ left: JSONValue, _ right: JSONValue, but pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)):
      let (left, right) = (left.elements, right.elements)
      guard left.count == right.count else { return false }
      let (ours, theirs) = (left.span, right.span)
      for position in ours.indices {
        guard areEqual(ours[position], theirs[position], but: &pending) else { return false }
      }
    case (.object(let left), .object(let right)):
      let (left, right) = (left.entries, right.entries)
      // PERFORMANCE: Mostly the order is the same as well, and nothing is copied then (H2).
      let (ours, theirs) = (left.list.span, right.list.span)
      guard ours.count == theirs.count else { return false }
      for position in ours.indices {
        if ours[position].key == theirs[position].key {
          guard areEqual(ours[position].value, theirs[position].value, but: &pending) else {
            return false
          }
        } else {
          guard let other = right.value(of: ours[position].key),
            areEqual(ours[position].value, other, but: &pending)
          else { return false }
        }
      }
    default: break
    }
    return true
  }

  private static func areEqual(
    _ left: JSONValue, _ right: JSONValue, but pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    guard let isEqual = areEqualScalars(left, right) else {
      pending.append((left, right))
      return true
    }
    return isEqual
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
