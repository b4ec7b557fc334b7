import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ("a", [.key("a")]),
      ("a.b[0][1].c", [.key("a"), .key("b"), .index(0), .index(1), .key("c")]),
      ("[2].x", [.index(2), .key("x")]),
      (#"a\.b\[0\]"#, [.key("a.b[0]")]),
      (#""a.b"."c\"\\"[0]"#, [.key("a.b"), .key("c\"\\"), .index(0)]),
      (#""""#, [.key("")]),
      ("user name.größe.😀", [.key("user name"), .key("größe"), .key("😀")]),
    ] as [(String, [JSONPath.Step])])
  func `A path is parsed into steps`(text: String, steps: [JSONPath.Step]) throws {
    try expectEqual(JSONPath(text).steps, steps)
  }

  @Test(
    arguments: [
      ("", .empty, 0), ("a[", .openBracket, 1), ("a[1", .openBracket, 1), ("a[-1]", .badIndex, 2),
      ("a[]", .badIndex, 2), ("a[x]", .badIndex, 2), ("a[99999999999999999999]", .badIndex, 2),
      ("a..b", .missingKey, 2), (".a", .missingKey, 0), ("a.", .missingKey, 2),
      ("a[0]b", .unexpected, 4), ("a]", .unexpected, 1), ("a.[0]", .missingKey, 2),
      ("\"a", .openQuote, 0), ("a\\", .openEscape, 1), ("\"a\"b", .unexpected, 3),
    ] as [(String, JSONPathError.Reason, Int)])
  func `A bad path is an error with a position`(
    text: String, reason: JSONPathError.Reason, position: Int
  ) {
    #expect(throws: JSONPathError(reason: reason, text: text, position: position)) {
      try JSONPath(text)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `The description of a path is parsed to the same path`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let steps = (0...Int.random(in: 0..<4, using: &generator)).map { _ -> JSONPath.Step in
        if Bool.random(using: &generator) {
          return .index(Int.random(in: 0..<9, using: &generator))
        }
        return .key(.random(using: &generator))
      }
      let path = JSONPath(steps: steps)
      try expectEqual(JSONPath(path.description), path)
    }
  }

  @Test func `A value is read at a path`() throws {
    let value: JSONValue = ["a": ["b": [["x", "y"], .null]]]
    expectEqual(value[try JSONPath("a.b[0][1]")], "y")
    expectEqual(value[try JSONPath("a.b[1]")], .null)
    expectNil(value[try JSONPath("a.b[2]")])
    expectNil(value[try JSONPath("a.c")])
    expectNil(value[try JSONPath("a[0]")])
    expectEqual(value[.root], value)
  }

  @Test func `An error says what is wrong, and where`() {
    let error = JSONPathError(reason: .missingKey, text: "a..b", position: 2)
    expectEqual(error.description, "'a..b' is not a path: a key is missing, at position 2")
  }
}
