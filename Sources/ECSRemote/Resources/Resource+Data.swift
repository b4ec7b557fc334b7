import ECSRecipes
import Foundation

extension Resource {
  /// The data of one entity in an answer.
  func data(in body: Data) throws(RemoteError) -> JSONValue {
    try prepared(try value(at: path, in: try parsed(body)))
  }

  /// The data of an entity in an answer to a change; nil if it says nothing.
  func content(of response: HTTPResponse) throws(RemoteError) -> JSONValue? {
    response.status == 204 || response.body.isEmpty ? nil : try data(in: response.body)
  }

  // What has a server refuse to change what it has made newer. A weak tag never matches.
  func condition(ofChanging etag: String?) -> HTTPHeaders {
    guard conflicts.winner != nil, let etag, !etag.hasPrefix("W/") else { return [:] }
    return ["If-Match": etag]
  }

  /// What has a server refuse to delete what it has made newer: not if it is deleted anyway.
  func condition(ofDeleting etag: String?) -> HTTPHeaders {
    switch conflicts.winner {
    case nil, .local: [:]
    case .server, .ask: condition(ofChanging: etag)
    }
  }

  /// The data of each entity in an answer with a list.
  func list(in answer: JSONValue) throws(RemoteError) -> [JSONValue] {
    let found = try value(at: listPath, in: answer)
    guard case .array(let elements) = found else {
      throw .decoding(
        RecipeError(
          recipe: recipe.name, path: listPath,
          reason: .typeMismatch(expected: "array", found: found.kind)))
    }
    if prepareReading == nil { return elements.elements }
    var records: [JSONValue] = []
    records.reserveCapacity(elements.count)
    for element in elements { records.append(try prepared(element)) }
    return records
  }

  /// What of an entity's data was changed since the server was known to have something; nil for
  /// nothing.
  ///
  /// Of what the server has not said, only what entities are not made with counts as changed.
  func edits(in data: JSONValue, since base: JSONValue) -> JSONValue? {
    data.changes(since: base.covers(data) ? base : completed(base))
  }

  /// What entities are that are made of data.
  private func completed(_ base: JSONValue) -> JSONValue {
    var whole = base
    if let components = try? recipe.components(from: base),
      let made = try? recipe.data(of: components)
    {
      whole = made.applying(base)
    }
    for relation in hasRelations ? recipe.relations : [] where whole[relation.path] == nil {
      let nothing: JSONValue = relation.isMany ? .array([]) : .null
      whole = whole.applying(nothing.wrapped(at: relation.path))
    }
    return whole
  }

  /// The key among the parameters of a call, and the others.
  func takingKey(from parameters: JSONObject) -> (key: JSONValue?, others: JSONObject) {
    let all = JSONValue.object(parameters)
    guard !parameters.isEmpty, let path = key?.path, let key = all[path], key != .null,
      let others = all.removing(path).object
    else { return (nil, parameters) }
    return (key, others)
  }

  /// Data with a key, if it says none.
  func with(_ key: JSONValue, in data: JSONValue) -> JSONValue {
    guard let path = self.key?.path, data[path] ?? .null == .null, case .object = data else {
      return data
    }
    return data.applying(key.wrapped(at: path))
  }

  /// An error about the data of an answer, with the place in the answer.
  func error(_ error: RecipeError, below path: JSONPath) -> RemoteError {
    .decoding(
      RecipeError(
        recipe: error.recipe, path: path.appending(error.path), reason: error.reason))
  }

  /// What is sent of an entity's data: without the key, and as the server wants it.
  func written(
    _ data: JSONValue, _ parameters: JSONObject = [:], over defaults: JSONObject,
    by method: HTTPMethod
  ) throws(RemoteError) -> JSONValue {
    var body = data
    if let path = key?.path { body = body.removing(path) }
    do {
      body = try prepareWriting(body)
    } catch {
      throw .hook("what is written of \(name): \(error)")
    }
    guard case .object(let fields) = body else {
      if defaults.isEmpty, parameters.isEmpty { return body }
      throw .encoding(
        RecipeError(
          recipe: recipe.name, path: .root,
          reason: .typeMismatch(expected: "object, for parameters", found: body.kind)))
    }
    var all = defaults.overlaid(by: fields)
    if omitsNull, method != .patch {
      for field in fields { all[field.key] = field.value.omittingNull() }
    }
    return .object(all.overlaid(by: parameters))
  }

  /// The body of an answer as JSON.
  func parsed(_ body: Data) throws(RemoteError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(data: body)
    } catch {
      throw .syntax(error)
    }
  }

  private func value(at path: JSONPath, in answer: JSONValue) throws(RemoteError) -> JSONValue {
    if let value = answer[path] { return value }
    throw .decoding(RecipeError(recipe: recipe.name, path: path, reason: .missing))
  }

  private func prepared(_ data: JSONValue) throws(RemoteError) -> JSONValue {
    guard let prepareReading else { return data }
    do {
      return try prepareReading(data)
    } catch {
      throw .hook("what is read of \(name): \(error)")
    }
  }
}
