/// Texts by numbers, for as long as events have them.
struct EventNames {
  private var numbers: [String: UInt32] = [:]
  private var texts: [String] = [""]
  private var uses: [Int] = [1]
  private var free: [UInt32] = []

  /// No text.
  static var none: UInt32 { 0 }

  /// The beginning of a text, as much as is kept of it: at most 1,024 bytes of UTF-8.
  static func cut(_ text: String) -> String {
    guard text.utf8.count > 1_024 else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: 1_024)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end])
  }

  /// How many there are.
  var count: Int { numbers.count }

  /// The number of a text that one more event has.
  mutating func use(_ text: String?) -> UInt32 {
    guard let text = text.map(EventNames.cut) else { return EventNames.none }
    if let number = numbers[text] {
      uses[Int(number)] += 1
      return number
    }
    let number: UInt32
    if let last = free.popLast() {
      number = last
      texts[Int(number)] = text
      uses[Int(number)] = 1
    } else {
      number = UInt32(texts.count)
      texts.append(text)
      uses.append(1)
    }
    numbers[text] = number
    return number
  }

  /// An event is gone that had a text.
  mutating func release(_ number: UInt32) {
    guard number != EventNames.none else { return }
    uses[Int(number)] -= 1
    guard uses[Int(number)] == 0 else { return }
    numbers[texts[Int(number)]] = nil
    texts[Int(number)] = ""
    free.append(number)
  }

  /// The number of a text; nil if no event has it.
  func number(of text: String) -> UInt32? { numbers[EventNames.cut(text)] }

  subscript(number: UInt32) -> String? { number == EventNames.none ? nil : texts[Int(number)] }

  /// Which numbers are those of texts that satisfy a condition.
  func satisfying(_ condition: (String) -> Bool) -> [Bool] {
    texts.enumerated().map { $0 > 0 && uses[$0] > 0 && condition($1) }
  }
}
