import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite struct JSONValueTests {
  @Test func `Fractions are the shortest decimal numbers that give them back`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let digits = Double(Int.random(in: -2_000_000_000...2_000_000_000, using: &generator))
      let value =
        digits
        / [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9, 3][Int.random(in: 0..<10, using: &generator)]
      expectEqual(JSONNumber(value), JSONNumber(text: value.description))
      expectEqual(JSONNumber(value)?.double, value)
    }
    for value in [0.1, -0.05, 1.5, 123_456.789, 0.000001, 1e-7, 999_999_999.999999, 0.1 + 0.2] {
      expectEqual(JSONNumber(value), JSONNumber(text: value.description))
    }
  }

  @Test func `Equal numbers are equal however they are written`() throws {
    let texts = ["1", "1.0", "10e-1", "0.1e1", "1000E-3"]
    try expectEqual(Set(texts.map { try JSONValue(json: $0) }).count, 1)
    try expectEqual(JSONValue(json: "-0.0"), 0)
    try expectEqual(JSONValue(json: "0e999999999999"), 0)
    try expectEqual(JSONValue(json: "1.10"), 1.1)
    try expectNotEqual(JSONValue(json: "1.1"), JSONValue(json: "1.10000000000000000000000001"))
  }

  @Test func `Values are compared by what is in them, whatever the order of keys`() throws {
    let texts = [
      #"{"a":1,"b":[1,{"c":null}],"d":{}}"#, #"{"b":[1,{"c":null}],"d":{},"a":1}"#,
      #"{"a":1,"b":[1,{"c":null}]}"#, #"{"a":1,"b":[1,{"c":null}],"e":{}}"#,
      #"{"a":1,"b":[1,{"c":0}],"d":{}}"#, #"{"a":1,"b":[1,{}],"d":{}}"#,
      #"{"a":1,"b":[1],"d":{}}"#, #"{"a":1,"b":{"c":null},"d":{}}"#,
      #"{"a":1,"b":[1,{"c":null}],"d":[]}"#,
    ]
    let values = try texts.map { try JSONValue(json: $0) }
    for (number, value) in values.enumerated() {
      for (other, second) in values.enumerated() {
        expectEqual((value == second), (number == other || number + other == 1))
      }
    }
  }

  @Test func `An object is iterated as pairs, in the order of its keys`() {
    let object: JSONObject = ["b": 1, "a": [2], "c": .null]
    var lines: [String] = []
    for (key, value) in object { lines.append("\(key)=\(value.json())") }
    expectEqual(lines, ["b=1", "a=[2]", "c=null"])
    expectTrue(object.map { $0.key } == object.keys && object[1].value == [2])
    expectEqual(Dictionary(uniqueKeysWithValues: object.map { ($0, $1) })["b"], 1)
  }

  @Test func `Decimal numbers keep every digit`() throws {
    let number = try #require(try JSONValue(json: "0.1234567890123456789012345678").number)
    expectEqual(number.description, "0.1234567890123456789012345678")
    expectEqual(number.decimal, Decimal(string: "0.1234567890123456789012345678"))
    let long = try #require(JSONNumber(text: "1." + String(repeating: "7", count: 60)))
    expectEqual(long.description, "1." + String(repeating: "7", count: 60))
    expectNil(long.decimal)
  }

  @Test func `Numbers beyond a Double are kept but have no double`() {
    expectNil(JSONNumber(text: "1e400")?.double)
    expectEqual(JSONNumber(text: "1e400")?.description, "1e400")
    expectEqual(JSONNumber(text: "1e-400")?.double, 0)
  }

  @Test func `Floating-point values come back exactly`() {
    let values: [Double] = [
      0.1, 1e16, 1e22, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, -2.5, 1e-7,
    ]
    for value in values { expectEqual(JSONNumber(value)?.double, value) }
    expectEqual(JSONNumber(Float(0.1))?.float, 0.1)
    expectNil(JSONNumber(Double.infinity))
    expectNil(JSONNumber(Double.nan))
    expectNil(JSONNumber(Decimal.nan))
  }

  @Test func `Integers convert only if they fit`() {
    expectNil(JSONNumber(300).integer(UInt8.self))
    expectEqual(JSONNumber(text: "1e2")?.integer(UInt8.self), 100)
    expectNil(JSONNumber(text: "1.5")?.int)
    expectEqual(JSONNumber(Int128.max).integer(Int128.self), .max)
  }

  @Test func `Literals of each kind make values`() {
    let value: JSONValue = [
      "n": .null, "b": true, "i": 18_446_744_073_709_551_615, "d": 0.5, "s": "x",
    ]
    expectEqual(value["i"]?.number?.uint64, .max)
    expectEqual(value["d"]?.number?.double, 0.5)
    expectEqual(value.json(), #"{"n":null,"b":true,"i":18446744073709551615,"d":0.5,"s":"x"}"#)
    expectEqual(value.kind, .object)
  }

  @Test func `Objects are equal whatever the order of their keys`() {
    let (left, right): (JSONValue, JSONValue) = (["a": 1, "b": 2], ["b": 2, "a": 1])
    expectEqual(left, right)
    expectEqual(left.hashValue, right.hashValue)
    expectNotEqual(left, ["a": 1, "b": 3])
    expectNotEqual(left, ["a": 1, "c": 2])
  }

  @Test func `An object keeps the places of its keys when values change or go`() {
    var object = JSONObject()
    for number in 0..<30 { object["k\(number)"] = .number(JSONNumber(number)) }
    object["k3"] = "three"
    object["k5"] = nil
    object["k40"] = "new"
    object["none"] = nil
    expectEqual(object.keys, (0..<30).filter { $0 != 5 }.map { "k\($0)" } + ["k40"])
    expectEqual(object["k3"], "three")
    expectEqual(object["k29"], 29)
    expectNil(object["k5"])
  }

  @Test func `Values go through other encoders`() throws {
    let value: JSONValue = [
      "a": [1, .null, true, "x", 18_446_744_073_709_551_615, 0.25], "b": [:],
    ]
    let data = try JSONEncoder().encode(value)
    try expectEqual(JSONDecoder().decode(JSONValue.self, from: data), value)
  }

  @Test func `Control characters are written as escapes`() {
    expectEqual(JSONValue("\u{1}\"\\\n\r\t").json(), #""\u0001\"\\\n\r\t""#)
  }

  @Test func `Other decoders and numbers beyond decimal ones are decoded too`() throws {
    let list = try PropertyListEncoder().encode(["a": [0.5, 2]])
    try expectEqual(PropertyListDecoder().decode(JSONValue.self, from: list), ["a": [0.5, 2]])
    let digits = "0.1" + String(repeating: "2", count: 50)
    let large = try JSONDecoder().decode(
      JSONValue.self, from: Data("[1e300, -1e-300, \(digits)]".utf8))
    expectEqual(large[0], 1e300)
    expectEqual(large[1], -1e-300)
    expectEqual(large[2]?.number?.double, Double(digits))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(JSONValue.self, from: Data("[1e400]".utf8))
    }
  }
}
