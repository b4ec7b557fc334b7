import ECS

/// Components as tests compare and show them.
enum ComponentText {
  /// Whether two components of a type are the same: by `==` if they have it, else by all that
  /// `dump` shows of them.
  static func areSame(_ one: any Component, _ other: any Component) -> Bool {
    if let one = one as? any Equatable { return isEqual(one, other) }
    return dumped(one) == dumped(other)
  }

  private static func isEqual<Value: Equatable>(_ one: Value, _ other: any Component) -> Bool {
    (other as? Value) == one
  }

  /// A component in words.
  static func text(_ component: any Component) -> String { "\(component)" }

  /// How two components differ, in words.
  static func texts(_ one: any Component, _ other: any Component) -> (String, String) {
    let short = (text(one), text(other))
    return short.0 != short.1 || areSame(one, other) ? short : (dumped(one), dumped(other))
  }

  private static func dumped(_ component: any Component) -> String {
    var text = ""
    dump(component, to: &text)
    return text.split(separator: "\n").joined(separator: " ")
  }
}
