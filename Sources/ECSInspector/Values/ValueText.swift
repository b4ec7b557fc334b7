#if Inspector
  import JSONValues

  /// The text of a value, made up to a limit, whatever is in it.
  ///
  /// It says what `String(describing:)` does, but for the word around optional values, where that is
  /// no matter of the type's own code, and stops where there is enough: of a list with a million
  /// elements it looks at the first ones. An object is its type, so that no circle is followed.
  struct ValueText {
    private(set) var text = ""

    /// Whether something was left out.
    private(set) var isCut = false
    private var left: Int

    /// How many bytes of UTF-8 may follow, since one character may have any number of them.
    private var bytesLeft: Int

    /// How deep values are looked into.
    private static var deepest: Int { 8 }

    /// How many characters a text has, and a fourth of how many bytes.
    static var longest: Int { 1_000 }

    /// The same of one among many: in lists, of names and causes.
    static var shortest: Int { 200 }

    init(_ value: Any, limit: Int = ValueText.longest) {
      (left, bytesLeft) = (limit, 4 * limit)
      append(value, depth: 0)
    }

    private mutating func append(_ value: Any, depth: Int) {
      guard left > 0, depth <= ValueText.deepest else { return cut() }
      if let text = value as? String { return depth == 0 ? append(text) : quote(text) }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .collection, .set: appendList(mirror.children, depth, pairs: false)
      case .dictionary: appendList(mirror.children, depth, pairs: true)
      case .optional:
        mirror.children.first.map { append($0.value, depth: depth + 1) } ?? append("nil")
      default:
        if let described = value as? any CustomStringConvertible {
          append(described.description)
        } else {
          appendParts(value, mirror, depth)
        }
      }
    }

    private mutating func appendParts(_ value: Any, _ mirror: Mirror, _ depth: Int) {
      switch mirror.displayStyle {
      case .struct?:
        append("\(mirror.subjectType)(")
        appendFields(mirror.children, depth, named: true)
        append(")")
      case .tuple?:
        append("(")
        appendFields(mirror.children, depth, named: false)
        append(")")
      case .enum?:
        guard let payload = mirror.children.first else { return append("\(value)") }
        append("\(payload.label ?? "")")
        let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
        if !isTuple { append("(") }
        append(payload.value, depth: depth + 1)
        if !isTuple { append(")") }
      default:
        append("\(mirror.subjectType)")
      }
    }

    private mutating func appendFields(_ fields: Mirror.Children, _ depth: Int, named: Bool) {
      var isFirst = true
      for field in fields {
        guard left > 0 else { return cut() }
        if !isFirst { append(", ") }
        isFirst = false
        if let label = field.label, named || !label.hasPrefix(".") { append("\(label): ") }
        append(field.value, depth: depth + 1)
      }
    }

    private mutating func appendList(_ elements: Mirror.Children, _ depth: Int, pairs: Bool) {
      if pairs, elements.isEmpty { return append("[:]") }
      append("[")
      var isFirst = true
      for element in elements {
        guard left > 0 else { return cut() }
        if !isFirst { append(", ") }
        isFirst = false
        guard pairs else {
          append(element.value, depth: depth + 1)
          continue
        }
        let pair = Array(Mirror(reflecting: element.value).children.prefix(2))
        guard pair.count == 2 else { continue }
        append(pair[0].value, depth: depth + 1)
        append(": ")
        append(pair[1].value, depth: depth + 1)
      }
      append("]")
    }

    private mutating func quote(_ text: String) {
      let part = head(of: text)
      let isWhole = part.endIndex == text.endIndex
      append(String(reflecting: String(part)))
      if !isWhole { cut() }
    }

    private mutating func append(_ part: String) {
      let taken = head(of: part)
      text += taken
      if taken.endIndex < part.endIndex { return cut() }
      left -= taken.count
      bytesLeft -= taken.utf8.count
    }

    /// As much of a text as there is room for.
    private func head(of part: String) -> Substring {
      let bytes = part.utf8.index(
        part.startIndex, offsetBy: bytesLeft, limitedBy: part.endIndex)
      guard let bytes else { return part.prefix(left) }
      // Not within a scalar.
      var end = bytes
      while end > part.startIndex, end.samePosition(in: part.unicodeScalars) == nil {
        end = part.utf8.index(before: end)
      }
      return part[..<end].prefix(left)
    }

    private mutating func cut() { (isCut, left) = (true, 0) }
  }

  extension JSONValue {
    /// A text of the program, such as a name or a cause, as much as there is room for in lists.
    static func short(_ text: String) -> JSONValue {
      .string(ValueText(text, limit: ValueText.shortest).text)
    }
  }
#endif
