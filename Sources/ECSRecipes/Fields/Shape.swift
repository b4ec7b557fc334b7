import JSONValues

/// The containers and places that the paths of a recipe make up together.
indirect enum Shape: Sendable {
  case leaf(Int)
  case object([(key: String, shape: Shape)])
  case array([Int: Shape])

  /// An object that a component comes and goes with; the number is that of its value without the
  /// component.
  case presence(Int, Shape)

  /// A place that a path leads to.
  struct Leaf: Sendable {
    var path: JSONPath
    /// Whether `null` may stand there for a value that is absent.
    var isOptional: Bool
  }

  /// Puts the paths together, the positions of the leaves being those in the list.
  ///
  /// The objects that components come and go with get the positions after those.
  static func joining(_ leaves: [Leaf], presences: [JSONPath] = []) throws(Conflict) -> Shape? {
    var shape: Shape?
    for (position, leaf) in leaves.enumerated() {
      let isTooLarge = leaf.path.steps.contains { step in
        if case .index(let index) = step { index > JSONPath.maximumIndex } else { false }
      }
      guard !isTooLarge, leaf.path.steps.count <= JSONValue.maximumDepth else {
        throw Conflict(path: leaf.path, reason: .pathTooLarge)
      }
      let conflict = insert(leaf.path, from: 0, position, into: &shape, leaves)
      if let conflict { throw conflict }
    }
    for (offset, path) in presences.enumerated() {
      if let conflict = mark(path, from: 0, leaves.count + offset, in: &shape, leaves) {
        throw conflict
      }
    }
    return shape
  }

  /// Marks the object at a path as one that a component comes and goes with.
  private static func mark(
    _ path: JSONPath, from depth: Int, _ number: Int, in shape: inout Shape?, _ leaves: [Leaf]
  ) -> Conflict? {
    guard depth < path.steps.count else {
      switch shape {
      case nil: shape = .presence(number, .object([]))
      case .object(let entries)?: shape = .presence(number, .object(entries))
      case .leaf(let leaf)?:
        return Conflict(path: path, reason: .pathIsPrefix(of: leaves[leaf].path))
      case .array?, .presence?: return Conflict(path: path, reason: .pathMappedTwice)
      }
      return nil
    }
    switch (shape, path.steps[depth]) {
    case (.presence(let outer, let content)?, _):
      var content: Shape? = content
      let conflict = mark(path, from: depth, number, in: &content, leaves)
      if let content { shape = .presence(outer, content) }
      return conflict
    case (.leaf(let leaf)?, _):
      return Conflict(path: path, reason: .pathIsPrefix(of: leaves[leaf].path))
    case (.object?, .index), (.array?, .key):
      return Conflict(path: path, reason: .conflictingContainers)
    case (_, let step):
      return change(&shape, at: step) { mark(path, from: depth + 1, number, in: &$0, leaves) }
    }
  }

  /// Changes what is at a step; returns what is in the way, the shape being as it was.
  private static func change(
    _ shape: inout Shape?, at step: JSONPath.Step, _ body: (inout Shape?) -> Conflict?
  ) -> Conflict? {
    switch step {
    case .key(let key):
      var entries = shape?.entries ?? []
      let position = entries.firstIndex { $0.key == key }
      var inner = position.map { entries[$0].shape }
      let conflict = body(&inner)
      guard conflict == nil, let inner else { return conflict }
      if let position { entries[position].shape = inner } else { entries.append((key, inner)) }
      shape = .object(entries)
    case .index(let index):
      var elements = shape?.elements ?? [:]
      var inner = elements[index]
      let conflict = body(&inner)
      guard conflict == nil, let inner else { return conflict }
      elements[index] = inner
      shape = .array(elements)
    }
    return nil
  }

  /// What data has to be outermost, for messages.
  var expected: String {
    switch self {
    case .leaf: "value"
    case .object, .presence: "object"
    case .array: "array"
    }
  }

  struct Conflict: Error {
    var path: JSONPath
    var reason: RecipeDefinitionError.Reason
  }

  /// Puts a path into a shape; returns what is in its way, the shape being as it was.
  private static func insert(
    _ path: JSONPath, from depth: Int, _ number: Int, into shape: inout Shape?, _ leaves: [Leaf]
  ) -> Conflict? {
    guard depth < path.steps.count else {
      guard let other = shape.map({ leaves[$0.firstLeaf].path }) else {
        shape = .leaf(number)
        return nil
      }
      return Conflict(
        path: path, reason: other == path ? .pathMappedTwice : .pathIsPrefix(of: other))
    }
    let here = JSONPath(steps: Array(path.steps[..<depth]))
    switch (shape, path.steps[depth]) {
    case (.presence?, _): return Conflict(path: here, reason: .pathIsPrefix(of: path))
    case (.leaf?, _): return Conflict(path: here, reason: .pathIsPrefix(of: path))
    case (.object?, .index), (.array?, .key):
      return Conflict(path: here, reason: .conflictingContainers)
    case (_, let step):
      return change(&shape, at: step) { insert(path, from: depth + 1, number, into: &$0, leaves) }
    }
  }

  private var entries: [(key: String, shape: Shape)] {
    if case .object(let entries) = self { entries } else { [] }
  }

  private var elements: [Int: Shape] {
    if case .array(let elements) = self { elements } else { [:] }
  }

  private var firstLeaf: Int {
    switch self {
    case .leaf(let number): number
    case .object(let entries): entries.first?.shape.firstLeaf ?? 0
    case .array(let elements): elements.min { $0.key < $1.key }?.value.firstLeaf ?? 0
    case .presence(_, let content): content.firstLeaf
    }
  }

  /// Puts values at their places, gaps in lists filled with `null`; nil if there are none.
  func filled(with values: [JSONValue?], _ leaves: [Leaf]) throws(TransformFailure) -> JSONValue? {
    switch self {
    case .leaf(let number): return values[number]
    case .object(let entries):
      // PERFORMANCE: No two of these keys are the same (P3).
      var object = JSONEntries(capacity: entries.count)
      for entry in entries {
        guard let value = try entry.shape.filled(with: values, leaves) else { continue }
        object.appendNew(entry.key, value)
      }
      return object.list.isEmpty ? nil : .object(JSONObject(object))
    case .presence(let number, let content):
      return try content.filled(with: values, leaves) ?? values[number]
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
    case .presence(_, let content):
      throw TransformFailure(.gap, at: leaves[content.firstLeaf].path)
    }
  }

  /// The way to the first key of a value that no path leads through.
  func firstUnknownKey(in value: JSONValue) -> JSONPath? {
    switch (self, value) {
    case (.presence(_, let content), _): return content.firstUnknownKey(in: value)
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
