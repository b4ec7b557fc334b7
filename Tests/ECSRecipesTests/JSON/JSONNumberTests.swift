import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// Numbers beside a naive model of theirs: digits without zeros at either end, and a power of ten.
@Suite struct JSONNumberTests {
  private struct Model: Hashable {
    var isNegative = false
    var digits = ""
    var exponent = 0

    /// Takes texts that are numbers of JSON.
    init(_ text: String) {
      var rest = text[...]
      if rest.hasPrefix("-") {
        isNegative = true
        rest.removeFirst()
      }
      let parts = rest.lowercased().split(separator: "e")
      let decimals = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      digits = decimals.joined()
      if decimals.count > 1 { exponent -= decimals[1].count }
      while digits.hasSuffix("0") {
        digits.removeLast()
        exponent += 1
      }
      while digits.hasPrefix("0") { digits.removeFirst() }
      if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }
  }

  /// Digits of which many are zeros, so that numbers come in several forms.
  private func digits(_ count: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: count, using: &generator)
    let alphabet = Bool.random(using: &generator) ? "01" : "0123456789"
    return String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
  }

  private func text(_ generator: inout SeededGenerator) -> String {
    let longest = [2, 17, 20, 40].randomElement(using: &generator) ?? 2
    var whole = digits(1...longest, &generator)
    while whole.count > 1, whole.hasPrefix("0") { whole.removeFirst() }
    var text = (Bool.random(using: &generator) ? "-" : "") + whole
    if Bool.random(using: &generator) { text += "." + digits(1...longest, &generator) }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let mark = ["e", "E", "e+", "E-", "e-"].randomElement(using: &generator) ?? "e"
      text += mark + "\(Int.random(in: 0...45, using: &generator))"
    }
    return text
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Numbers with equal values are equal and have the same hash`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var known: [Model: JSONNumber] = [:]
    var numbers: Set<JSONNumber> = []
    for _ in 0..<500 {
      let text = text(&generator)
      let number = try #require(try JSONValue(json: text).number)
      // All that makes numbers makes the same of a value.
      expectEqual(JSONNumber(text: text), number, "\(text)")
      try expectEqual(JSONValue(json: "[\(text) ]")[0]?.number, number, "\(text)")
      expectEqual(JSONNumber(text: number.description), number, "\(text)")
      let model = Model(text)
      expectEqual(Model(number.description), model, "\(text)")
      expectEqual(number, known[model] ?? number, "\(text)")
      known[model] = number
      numbers.insert(number)
      expectEqual(numbers.count, known.count, "\(text)")
      expectEqual(number.double, finite(Double(text)), "\(text)")
      expectEqual(number.float, finite(Float(text)), "\(text)")
      expectEqual(number.integer(Int128.self), integer(model), "\(text)")
      if let decimal = number.decimal { expectEqual(JSONNumber(decimal), number, "\(text)") }
    }
  }

  private func finite<Value: BinaryFloatingPoint>(_ value: Value?) -> Value? {
    value.flatMap { $0.isFinite ? $0 : nil }
  }

  private func integer(_ model: Model) -> Int128? {
    guard model.exponent >= 0 else { return nil }
    let sign = model.isNegative ? "-" : ""
    return Int128(sign + "0" + model.digits + String(repeating: "0", count: model.exponent))
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `Floating-point values, decimals and integers make the number that their text does`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let double = Double(bitPattern: generator.next())
      if double.isFinite, Int64(exactly: double) == nil {
        expectEqual(JSONNumber(double), JSONNumber(text: "\(double)"))
      }
      let shift = Int64.random(in: 0..<62, using: &generator)
      let whole = Double(Int64(bitPattern: generator.next()) >> shift)
      expectEqual(JSONNumber(whole)?.int64, Int64(exactly: whole))
      let integer = Int64(bitPattern: generator.next())
      expectEqual(JSONNumber(integer), JSONNumber(text: "\(integer)"))
      let places = Int.random(in: 0..<25, using: &generator)
      let decimal = Decimal(sign: .plus, exponent: -places, significand: Decimal(integer))
      expectEqual(JSONNumber(decimal), JSONNumber(text: "\(integer)e-\(places)"))
    }
  }
}
