import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

private struct Document: Component {
  var content: JSONValue = .null
}

/// Values that are nested far deeper than any data that can be parsed.
@Suite(.longRunning) struct DeepValueTests {
  private static let depth = Effort.chainLength / 10

  enum Nesting: CaseIterable {
    case arrays, objects, both

    /// Something with a leaf in its middle.
    func value(_ depth: Int = DeepValueTests.depth, around leaf: JSONValue = 1) -> JSONValue {
      var value = leaf
      for level in 0..<depth {
        let isArray = self == .arrays || (self == .both && level % 2 == 0)
        value = isArray ? [value, .null] : ["a": value, "b": [:]]
      }
      return value
    }
  }

  @Test(arguments: Nesting.allCases)
  func `Deep values are compared, hashed and released`(nesting: Nesting) throws {
    try onSmallStack {
      let (value, same, other) = (nesting.value(), nesting.value(), nesting.value(around: 2))
      expectEqual(value, same)
      expectNotEqual(value, other)
      expectEqual(Set([value, same]).count, 1)
      // Another owner of the middle outlives the rest.
      var middle = value
      for _ in 0..<1000 { middle = middle[0] ?? middle["a"] ?? .null }
      let copy = middle
      middle = .null
      expectNotEqual(copy, other)
    }
  }

  @Test(arguments: Nesting.allCases)
  func `Deep values are written`(nesting: Nesting) throws {
    try onSmallStack {
      let value = nesting.value()
      expectEqual(value.json().utf8.count, value.data().count)
      expectGreaterThan(value.description.utf8.count, 2 * Self.depth)
      expectTrue("\(value)".hasPrefix(nesting == .arrays ? "[[" : "{\"a\":"))
      let reflected = String(reflecting: value)
      expectGreaterThan(reflected.utf8.count, 2 * Self.depth)
    }
  }

  @Test(arguments: Nesting.allCases)
  func `Deep values can be fields, like any other`(nesting: Nesting) throws {
    try onSmallStack {
      let mapper = Mapper(Context())
      let documents = try Recipe("document", unknownKeys: .refuse) {
        Fields(of: Document()) { Field(\.content, at: "content") }
      }
      let data: JSONValue = ["content": nesting.value()]
      let document = try mapper.make(documents, from: data)
      try expectEqual(mapper.update(document, with: documents, from: data), .unchanged)
      try expectEqual(mapper.decompose(document, with: documents), data)
      let changed: JSONValue = ["content": nesting.value(around: "x")]
      try expectTrue(mapper.wouldChange(document, with: documents, from: changed))
      let difference = try mapper.differences(document, with: documents, from: changed).first
      expectEqual(difference?.old, data["content"])
      expectEqual(difference?.new, changed["content"])
      #expect(throws: RecipeError.self) {
        try mapper.update(document, with: documents, from: nesting.value())
      }
    }
  }

  @Test(arguments: Nesting.allCases)
  func `Values can be changed at any depth, and their copies stay`(nesting: Nesting) throws {
    try onSmallStack {
      let value = nesting.value()
      var copy = value
      switch copy {
      case .array(var elements):
        elements.append("new")
        copy = .array(elements)
      case .object(var object):
        object["new"] = true
        copy = .object(object)
      default: break
      }
      expectNotEqual(copy, value)
      expectEqual(value, nesting.value())
    }
  }

  @Test(arguments: Nesting.allCases)
  func `The deepest data allowed is parsed, encoded and decoded`(nesting: Nesting) throws {
    try onSmallStack {
      let value = nesting.value(JSONValue.maximumDepth - 2, around: [:])
      try expectEqual(JSONValue(data: value.data()), value)
      try expectEqual(JSONDecoder().decode(JSONValue.self, from: value.data()), value)
      let encoded = try JSONEncoder().encode(value)
      try expectEqual(JSONDecoder().decode(JSONValue.self, from: encoded), value)
    }
  }

  @Test(arguments: Nesting.allCases)
  func `Deeper values are a typed error for encoders`(nesting: Nesting) throws {
    try onSmallStack {
      let value = nesting.value()
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(["in": [value]]) }
      let slightly = nesting.value(JSONValue.maximumDepth + 1)
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(slightly) }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(JSONValue.self, from: slightly.data())
      }
    }
  }
}
