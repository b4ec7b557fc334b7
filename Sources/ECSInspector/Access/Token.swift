#if Inspector
  /// A secret of 128 random bits.
  struct Token: Sendable {
    let text: String

    init() { text = Token.randomHex() }

    /// 128 bits of the system's generator, in hexadecimal digits.
    static func randomHex() -> String {
      let digits = String(UInt128.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Whether another text is the same, in a time that only depends on the length of the other.
    func matches(_ other: some StringProtocol) -> Bool {
      let own = Array(text.utf8)
      var difference = 0
      var count = 0
      for byte in other.utf8 {
        difference |= Int(byte ^ own[count % own.count])
        count += 1
      }
      return difference | (count ^ own.count) == 0
    }
  }
#endif
