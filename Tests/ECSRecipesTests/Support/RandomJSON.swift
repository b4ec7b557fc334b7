import ECSRecipes

extension JSONValue {
  /// A random value of at most some depth.
  static func random(depth: Int = 4, using generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(JSONNumber(Int64(bitPattern: generator.next())))
    case 3: return .number(JSONNumber(generator.next()))
    case 4:
      return JSONNumber(Double(bitPattern: generator.next())).map(JSONValue.number) ?? .null
    case 5: return .string(.random(using: &generator))
    case 6, 7:
      let count = Int.random(in: 0..<5, using: &generator)
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<20, using: &generator) {
        object[.random(using: &generator)] = random(depth: depth - 1, using: &generator)
      }
      return .object(object)
    }
  }
}

extension String {
  static func random(using generator: inout SeededGenerator) -> String {
    let characters: [Character] = [
      "a", "b", ".", "[", "]", "\"", "\\", "\n", "\u{1}", "é", "😀", "$",
    ]
    let count = Int.random(in: 0..<5, using: &generator)
    return String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "a" })
  }
}
