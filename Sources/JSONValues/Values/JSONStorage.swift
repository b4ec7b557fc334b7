// PERFORMANCE: Two classes that are much alike, since a generic one would be released by code that
// is not specialized (P0.own).

/// The values of a list, shared by its copies.
// Written only by the one list that holds it, which `own(_:)` makes sure of.
final class JSONArrayStorage: @unchecked Sendable {
  var elements: [JSONValue]

  init(_ elements: [JSONValue]) { self.elements = elements }

  deinit {
    var pending: [JSONValue] = []
    giveAway(to: &pending)
    JSONValue.release(&pending)
  }

  /// Moves the values to an array, if there are containers among them.
  func giveAway(to pending: inout [JSONValue]) {
    guard elements.contains(where: { $0.isContainer }) else { return }
    if pending.isEmpty {
      swap(&elements, &pending)
    } else {
      pending += elements
      elements = []
    }
  }

  /// The storage to write to: a copy, unless there is one with no other reference.
  static func own(_ storage: inout JSONArrayStorage?) -> JSONArrayStorage {
    if isKnownUniquelyReferenced(&storage), let present = storage { return present }
    let copy = JSONArrayStorage(storage?.elements ?? [])
    storage = copy
    return copy
  }
}

/// The keys and values of an object, shared by its copies.
// Written only by the one object that holds it, which `own(_:)` makes sure of.
final class JSONObjectStorage: @unchecked Sendable {
  var entries: JSONEntries

  init(_ entries: JSONEntries) { self.entries = entries }

  deinit {
    var pending: [JSONValue] = []
    giveAway(to: &pending)
    JSONValue.release(&pending)
  }

  /// Moves the values to an array, if there are containers among them.
  func giveAway(to pending: inout [JSONValue]) {
    guard entries.list.contains(where: { $0.value.isContainer }) else { return }
    for entry in entries.list { pending.append(entry.value) }
    entries = JSONEntries()
  }

  /// The storage to write to: a copy, unless there is one with no other reference.
  static func own(_ storage: inout JSONObjectStorage?) -> JSONObjectStorage {
    if isKnownUniquelyReferenced(&storage), let present = storage { return present }
    let copy = JSONObjectStorage(storage?.entries ?? JSONEntries())
    storage = copy
    return copy
  }
}

extension JSONValue {
  /// Takes values apart that have no other reference, one container after the other.
  ///
  /// Left to itself, the release of a container calls itself for each container in it, and values
  /// that are nested deep enough exhaust the stack.
  fileprivate static func release(_ pending: inout [JSONValue]) {
    while var value = pending.popLast() {
      var elements = value.takeArray()
      elements.giveAway(to: &pending)
      var object = value.takeObject()
      object.giveAway(to: &pending)
    }
  }

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
