/// The containers and places that the paths of a recipe make up together.
indirect enum Shape: Sendable {
  case leaf(Int)
  case object([(key: String, shape: Shape)])
  case array([Int: Shape])

  /// A place that a path leads to.
  struct Leaf: Sendable {
    var path: JSONPath
    /// Whether `null` may stand there for a value that is absent.
    var isOptional: Bool
  }

  /// Puts the paths together, the positions of the leaves being those in the list.
  static func joining(_ leaves: [Leaf]) throws(Conflict) -> Shape? {
    var shape: Shape?
    for (number, leaf) in leaves.enumerated() {
      let isTooLarge = leaf.path.steps.contains { step in
        if case .index(let index) = step { index > JSONPath.maximumIndex } else { false }
      }
      guard !isTooLarge, leaf.path.steps.count <= JSONValue.maximumDepth else {
        throw Conflict(path: leaf.path, reason: .pathTooLarge)
      }
      shape = try inserting(leaf.path, from: 0, number, into: shape, leaves)
    }
    return shape
  }

  struct Conflict: Error {
    var path: JSONPath
    var reason: RecipeDefinitionError.Reason
  }

  private static func inserting(
    _ path: JSONPath, from depth: Int, _ number: Int, into shape: Shape?, _ leaves: [Leaf]
  ) throws(Conflict) -> Shape {
    let here = JSONPath(steps: Array(path.steps[..<depth]))
    guard depth < path.steps.count else {
      guard let shape else { return .leaf(number) }
      let other = leaves[shape.firstLeaf].path
      throw Conflict(
        path: path, reason: other == path ? .pathMappedTwice : .pathIsPrefix(of: other))
    }
    switch (shape, path.steps[depth]) {
    case (.leaf, _): throw Conflict(path: here, reason: .pathIsPrefix(of: path))
    case (nil, .key(let key)):
      return .object([(key, try inserting(path, from: depth + 1, number, into: nil, leaves))])
    case (nil, .index(let index)):
      return .array([index: try inserting(path, from: depth + 1, number, into: nil, leaves)])
    case (.object(var entries)?, .key(let key)):
      let position = entries.firstIndex { $0.key == key }
      let old = position.map { entries[$0].shape }
      let new = try inserting(path, from: depth + 1, number, into: old, leaves)
      if let position { entries[position].shape = new } else { entries.append((key, new)) }
      return .object(entries)
    case (.array(var elements)?, .index(let index)):
      elements[index] = try inserting(path, from: depth + 1, number, into: elements[index], leaves)
      return .array(elements)
    case (.object?, .index), (.array?, .key):
      throw Conflict(path: here, reason: .conflictingContainers)
    }
  }

  private var firstLeaf: Int {
    switch self {
    case .leaf(let number): number
    case .object(let entries): entries.first?.shape.firstLeaf ?? 0
    case .array(let elements): elements.min { $0.key < $1.key }?.value.firstLeaf ?? 0
    }
  }

  /// Puts values at their places, gaps in lists filled with `null`; nil if there are none.
  func filled(with values: [JSONValue?], _ leaves: [Leaf]) throws(TransformFailure) -> JSONValue? {
    switch self {
    case .leaf(let number): return values[number]
    case .object(let entries):
      var object = JSONObject()
      for entry in entries {
        guard let value = try entry.shape.filled(with: values, leaves) else { continue }
        object[entry.key] = value
      }
      return object.isEmpty ? nil : .object(object)
    case .array(let elements):
      var array: [JSONValue?] = Array(repeating: nil, count: 1 + (elements.keys.max() ?? -1))
      for (index, shape) in elements { array[index] = try shape.filled(with: values, leaves) }
      while array.last == .some(nil) { array.removeLast() }
      var result: [JSONValue] = []
      for (index, value) in array.enumerated() {
        if let value {
          result.append(value)
        } else if let shape = elements[index] {
          result.append(try shape.gap(leaves))
        } else {
          result.append(.null)
        }
      }
      return result.isEmpty ? nil : .array(result)
    }
  }

  /// What stands in a list for something that is absent, so that reading it changes nothing.
  private func gap(_ leaves: [Leaf]) throws(TransformFailure) -> JSONValue {
    switch self {
    case .leaf(let number):
      guard leaves[number].isOptional else { throw TransformFailure(.gap, at: leaves[number].path) }
      return .null
    case .object: return .object([:])
    case .array: return .array([])
    }
  }

  /// The way to the first key of a value that no path leads through.
  func firstUnknownKey(in value: JSONValue) -> JSONPath? {
    switch (self, value) {
    case (.object(let entries), .object(let object)):
      for entry in object {
        guard let known = entries.first(where: { $0.key == entry.key }) else {
          return JSONPath(steps: [.key(entry.key)])
        }
        if let rest = known.shape.firstUnknownKey(in: entry.value) {
          return JSONPath(steps: [.key(entry.key)] + rest.steps)
        }
      }
    case (.array(let shapes), .array(let elements)):
      for (index, element) in elements.enumerated() {
        guard let rest = shapes[index]?.firstUnknownKey(in: element) else { continue }
        return JSONPath(steps: [.index(index)] + rest.steps)
      }
    default: break
    }
    return nil
  }
}
