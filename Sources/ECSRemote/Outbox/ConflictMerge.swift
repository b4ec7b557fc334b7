import ECSRecipes

/// Merges what a server says with edits, field by field; lists are fields as wholes.
struct ConflictMerge {
  enum Outcome {
    case local
    case server
    case value(JSONValue)
  }

  /// Says what becomes of a field that both have changed, from the path, the base, and the values.
  let settle: (JSONPath, _ base: JSONValue?, _ local: JSONValue, _ server: JSONValue) -> Outcome

  // What of the server's data is to be applied: all but what was edited here. `written` is the data
  // in the form in which the entity is written, to be compared with `base`, which is nil if it is
  // not known.
  func merged(
    _ data: JSONValue, written: JSONValue, edits: JSONValue?, base: JSONValue?,
    at path: JSONPath = .root
  ) -> JSONValue {
    guard case .object(let edited)? = edits, case .object(var fields) = data else { return data }
    for edit in edited {
      guard let value = fields[edit.key] else { continue }
      let here = path.appending(key: edit.key)
      let server = written[edit.key] ?? value
      let old = base?[edit.key]
      if case .object = value, case .object = edit.value, case .object = server {
        fields[edit.key] = merged(
          value, written: server, edits: edit.value, base: old, at: here)
        continue
      }
      if server == old || server == edit.value {
        fields[edit.key] = nil
        continue
      }
      switch settle(here, old, edit.value, server) {
      case .local: fields[edit.key] = nil
      case .server: continue
      case .value(let value): fields[edit.key] = value
      }
    }
    return .object(fields)
  }
}

extension JSONValue {
  /// The value with its leaves as another one has them.
  func written(as other: JSONValue?) -> JSONValue {
    guard let other else { return self }
    guard case .object(var fields) = self, case .object(let others) = other else { return other }
    for entry in fields {
      if let value = others[entry.key] { fields[entry.key] = entry.value.written(as: value) }
    }
    return .object(fields)
  }
}

extension Recipe {
  /// What data says, in the form in which the recipe would write it, as far as that is known.
  func rewritten(_ data: JSONValue) -> JSONValue {
    guard let components = try? components(from: data),
      let written = try? self.data(of: components)
    else { return data }
    return data.written(as: written)
  }
}
