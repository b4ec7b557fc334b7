/// What a container keeps its values in.
protocol JSONContent: Sendable {
  var containsContainers: Bool { get }

  /// Moves all values to an array.
  mutating func giveAway(to pending: inout [JSONValue])
}

/// The values of a container, shared by its copies.
///
/// Left to itself, the release of a container calls itself for each container in it, and values that
/// are nested deep enough exhaust the stack. Here, whoever is released first takes apart all that
/// nobody else has, one container after the other.
// Written only by the one container that holds it, which `own(_:orMake:)` makes sure of.
final class JSONStorage<Content: JSONContent>: @unchecked Sendable {
  var content: Content

  init(_ content: Content) { self.content = content }

  deinit {
    guard content.containsContainers else { return }
    var pending: [JSONValue] = []
    content.giveAway(to: &pending)
    while var value = pending.popLast() {
      var elements = value.takeArray()
      elements.giveAway(to: &pending)
      var object = value.takeObject()
      object.giveAway(to: &pending)
    }
  }

  func giveAway(to pending: inout [JSONValue]) {
    if content.containsContainers { content.giveAway(to: &pending) }
  }

  /// The storage to write to: a copy, unless there is one that nobody else has.
  static func own(
    _ storage: inout JSONStorage?, orMake content: () -> Content
  ) -> JSONStorage {
    if isKnownUniquelyReferenced(&storage), let present = storage { return present }
    let copy = JSONStorage(storage?.content ?? content())
    storage = copy
    return copy
  }
}

extension JSONValue {
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  // Functions of their own: all copies that are made on the way are gone when they return, so that
  // what they give is the only one.

  /// Moves the list out, if this is one.
  fileprivate mutating func takeArray() -> JSONArray {
    guard case .array(let elements) = self else { return [] }
    self = .null
    return elements
  }

  /// Moves the object out, if this is one.
  fileprivate mutating func takeObject() -> JSONObject {
    guard case .object(let object) = self else { return [:] }
    self = .null
    return object
  }
}

extension [JSONValue]: JSONContent {
  var containsContainers: Bool { contains { $0.isContainer } }

  mutating func giveAway(to pending: inout [JSONValue]) {
    if pending.isEmpty {
      swap(&self, &pending)
    } else {
      pending += self
      self = []
    }
  }
}
