import ECSRecipes

extension JSONValue {
  /// Puts a value at a path, in containers that are made if there are none.
  mutating func put(_ new: JSONValue, at steps: ArraySlice<JSONPath.Step>) {
    switch steps.first {
    case nil: self = new
    case .key(let key):
      var object = object ?? [:]
      var inner = object[key] ?? .null
      inner.put(new, at: steps.dropFirst())
      object[key] = inner
      self = .object(object)
    case .index(let index):
      var array = array ?? []
      while array.count <= index { array.append(.null) }
      array[index].put(new, at: steps.dropFirst())
      self = .array(array)
    }
  }
}
