import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite(.longRunning) struct JSONParserTests {
  private func failure(_ json: String) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
      _ = try JSONValue(json: json)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Every kind of value is parsed`() throws {
    let value = try JSONValue(
      json: #" {"a": [null, true, false, -1.5, "x\n\u00e9\ud83d\ude00"], "b": {}, "c": []} "#)
    expectEqual(value, ["a": [.null, true, false, -1.5, "x\né😀"], "b": [:], "c": []])
    expectEqual(value.object?.keys, ["a", "b", "c"])
  }

  @Test func `Integers of 64 bits are exact`() throws {
    let value = try JSONValue(
      json: "[9223372036854775807, -9223372036854775808, 18446744073709551615, 9007199254740993]")
    expectEqual(value[0]?.number?.int64, .max)
    expectEqual(value[1]?.number?.int64, .min)
    expectEqual(value[2]?.number?.uint64, .max)
    expectNil(value[2]?.number?.int64)
    expectEqual(value[3]?.number?.int64, 9_007_199_254_740_993)
    expectEqual(
      value.json(),
      "[9223372036854775807,-9223372036854775808,18446744073709551615,9007199254740993]")
  }

  @Test func `Keys keep their order`() throws {
    let json = #"{"z":1,"a":2,"m":{"y":1,"b":2}}"#
    try expectEqual(JSONValue(json: json).json(), json)
    let many = "{" + (0..<100).map { "\"k\(($0 * 37) % 100)\":\($0)" }.joined(separator: ",") + "}"
    try expectEqual(JSONValue(json: many).json(), many)
  }

  @Test func `A key that comes twice is an error with its place`() {
    let error = failure("{\n \"a\": 1, \"a\": 2}")
    expectEqual(error?.reason, .duplicateKey("a"))
    expectEqual(error?.line, 2)
    let many = "{" + (0..<50).map { "\"k\($0)\":0," }.joined() + "\"k7\":1}"
    expectEqual(failure(many)?.reason, .duplicateKey("k7"))
  }

  @Test(arguments: [
    "", " ", "[", "{", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"", "\"\\",
    "\"\\u12", "tru", "-", "[[]", "nul",
  ])
  func `Data that ends early is an error`(json: String) {
    let error = failure(json)
    expectTrue(error?.reason == .endOfData || error?.reason == .badNumber)
  }

  @Test(arguments: [
    "01", "1.", ".5", "+1", "1e", "1e+", "--1", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "1 2",
    "'a'", "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "nulL",
    "[1}", "{\"a\" 1}", "NaN", "Infinity", "1e99999999999", "\u{feff}\u{feff}1",
  ])
  func `Anything that isn't JSON is an error`(json: String) {
    expectNotNil(failure(json))
  }

  @Test func `An error has line, column and offset in bytes`() {
    let error = failure("{\n  \"ü\": 1,\n  !\n}")
    expectEqual(error?.line, 3)
    expectEqual(error?.column, 3)
    expectEqual(error?.offset, 15)
    expectEqual(error?.description, "line 3, column 3: expected a key in quotes, found '!'")
  }

  @Test func `A byte order mark is skipped`() throws {
    try expectEqual(JSONValue(json: "\u{feff}[1]"), [1])
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `A bomb of 100000 brackets is an error`(bracket: String) {
    expectEqual(failure(String(repeating: bracket, count: 100_000))?.reason, .tooDeep)
  }

  @Test func `Containers may be nested up to the limit`() throws {
    let depth = JSONValue.maximumDepth
    let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let value = try JSONValue(json: json)
    expectEqual(value.json(), json)
    expectEqual(failure("[" + json + "]")?.reason, .tooDeep)
  }

  @Test func `A string of many megabytes is a value`() throws {
    let count = 100 * Effort.chainLength
    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count + 2)
    bytes[0] = UInt8(ascii: "\"")
    bytes[count + 1] = UInt8(ascii: "\"")
    try expectEqual(JSONValue(data: Data(bytes)).string?.utf8.count, count)
  }

  @Test func `A string that is not UTF-8 is an error`() {
    for bytes: [UInt8] in [
      [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22],
    ] {
      #expect(throws: JSONSyntaxError(reason: .notUTF8, offset: 1, line: 1, column: 2)) {
        try JSONValue(data: Data(bytes))
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Any bytes give a value or a typed error`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("{}[]\",:\\u0123456789eE+-. tfn\n".utf8) + [0, 0xc3, 0xa9, 0xff]
    for _ in 0..<500 {
      let count = Int.random(in: 0..<40, using: &generator)
      var bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      if Bool.random(using: &generator) {
        bytes = [UInt8](JSONValue.random(using: &generator).data())
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      do throws(JSONSyntaxError) {
        let value = try JSONValue(data: Data(bytes))
        try expectEqual(JSONValue(data: value.data()), value)
      } catch {
        expectTrue((0...bytes.count).contains(error.offset))
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Written values are parsed back to the same values`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let value = JSONValue.random(using: &generator)
      try expectEqual(JSONValue(data: value.data()), value)
      try expectEqual(JSONValue(data: value.data(pretty: true)), value)
      try expectEqual(JSONValue(json: value.json()).json(), value.json())
    }
  }
}
