import ECSRecipes

extension JSONObject {
  /// The object with the values of another one, which win; what is new comes last.
  func overlaid(by other: JSONObject) -> JSONObject {
    var result = self
    for entry in other { result[entry.key] = entry.value }
    return result
  }
}

extension JSONObject {
  fileprivate func hasOnlyKeys(of other: JSONObject) -> Bool {
    let (entries, others) = (entries, other.entries)
    // PERFORMANCE: Mostly the order is the same as well (H2).
    let (ours, theirs) = (entries.list.span, others.list.span)
    for position in ours.indices {
      if position < theirs.count, ours[position].key == theirs[position].key { continue }
      guard others.position(of: ours[position].key) != nil else { return false }
    }
    return true
  }
}

extension JSONValue {
  /// What makes this of an older value, as RFC 7396 merges; nil if there is nothing to do.
  ///
  /// Fields that differ, null for those that are gone. Lists are replaced as wholes.
  func changes(since old: JSONValue) -> JSONValue? {
    if self == old { return nil }
    guard case .object(let new) = self, case .object(let old) = old else { return self }
    var changes = JSONObject()
    for entry in new {
      if let before = old[entry.key] {
        if let change = entry.value.changes(since: before) { changes[entry.key] = change }
      } else {
        changes[entry.key] = entry.value
      }
    }
    for entry in old where new[entry.key] == nil { changes[entry.key] = .null }
    return changes.isEmpty ? nil : .object(changes)
  }

  /// Whether it says something of each field of another value.
  func covers(_ other: JSONValue) -> Bool {
    guard case .object(let fields) = self, case .object(let others) = other else { return true }
    return others.allSatisfy { fields[$0.key]?.covers($0.value) ?? false }
  }

  /// Whether it says something else than an older value, of what that or a third one has.
  func differs(from old: JSONValue?, in other: JSONValue?) -> Bool {
    guard case .object(let fields) = self, old?.object != nil || old == nil && other?.object != nil
    else { return self != old }
    return fields.contains { field in
      let (before, present) = (old?[field.key], other?[field.key])
      return (before ?? present) != nil && field.value.differs(from: before, in: present)
    }
  }

  /// What changes make of it, as RFC 7396 merges, but for null, which is a value here.
  func applying(_ changes: JSONValue) -> JSONValue {
    guard case .object(let changes) = changes, case .object(var fields) = self else {
      return changes
    }
    for change in changes {
      fields[change.key] = fields[change.key]?.applying(change.value) ?? change.value
    }
    return .object(fields)
  }

  /// The value without what some changes are about.
  func leavingOut(_ changes: JSONValue?) -> JSONValue {
    guard let changes, case .object(let changed) = changes, case .object(var fields) = self else {
      return self
    }
    for entry in changed {
      guard let value = fields[entry.key] else { continue }
      if case .object = value, case .object = entry.value {
        fields[entry.key] = value.leavingOut(entry.value)
      } else {
        fields[entry.key] = nil
      }
    }
    return .object(fields)
  }

  /// The value without the fields of objects that are null; nil if it is null.
  func omittingNull() -> JSONValue? {
    guard case .object(let fields) = self else { return self == .null ? nil : self }
    var present = JSONObject()
    for field in fields { present[field.key] = field.value.omittingNull() }
    return .object(present)
  }

  /// The value without what is at a path of keys, nor objects that are empty then.
  func removing(_ path: JSONPath) -> JSONValue {
    guard case .key(let key) = path.steps.first, case .object(var fields) = self,
      let value = fields[key]
    else { return self }
    let rest = JSONPath(steps: Array(path.steps.dropFirst()))
    let left = rest.steps.isEmpty ? nil : value.removing(rest)
    fields[key] = left == .object([:]) ? nil : left
    return .object(fields)
  }

  /// The value at a path of keys, and nothing else.
  func wrapped(at path: JSONPath) -> JSONValue {
    path.steps.reversed().reduce(self) { value, step in
      switch step {
      case .key(let key): .object([key: value])
      case .index(let index): .array(Array(repeating: .null, count: index) + [value])
      }
    }
  }

  // What a server has of an entity after this answer, written as the entity's data: `base` is
  // what it had before, `after` the entity's data when the answer was applied, `edits` what was
  // edited meanwhile and kept.
  func known(over base: JSONValue?, after: JSONValue?, edits: JSONValue?) -> JSONValue {
    guard case .object(let answer) = self, case .object(let written) = after else {
      return edits == nil ? after ?? self : self
    }
    var known = base?.object ?? [:]
    // PERFORMANCE: It is mostly all there is (H1).
    if edits == nil, answer.isIdentical(to: written), known.hasOnlyKeys(of: answer) { return self }
    for entry in answer {
      let edit = edits?[entry.key]
      if written[entry.key] == nil, edit == nil {
        known[entry.key] = nil
      } else {
        known[entry.key] = entry.value.known(
          over: known[entry.key], after: written[entry.key], edits: edit)
      }
    }
    return .object(known)
  }
}
