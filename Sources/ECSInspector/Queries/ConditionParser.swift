#if Inspector
  import ECS

  /// Reads conditions: `Position.x > 3 and Name.text contains "ada"`.
  struct ConditionParser {
    private let characters: [Character]
    private var position = 0
    private let names: ComponentNames

    init(_ text: String, _ names: ComponentNames) {
      characters = Array(text)
      self.names = names
    }

    mutating func conditions() throws(Failure) -> [Condition] {
      var found: [Condition] = []
      skipSpace()
      if position == characters.count { return [] }
      while true {
        found.append(try condition())
        skipSpace()
        if position == characters.count { return found }
        let start = position
        guard word().lowercased() == "and" else { throw wrong("'and' is expected", at: start) }
        skipSpace()
      }
    }

    /// Reads what entities are sorted by: `Position.x`, or `-Position.x` for the largest first.
    mutating func order() throws(Failure) -> (path: FieldPath, isDescending: Bool)? {
      skipSpace()
      if position == characters.count { return nil }
      let isDescending = take("-")
      let path = try path()
      skipSpace()
      if position < characters.count { throw wrong("the end is expected", at: position) }
      return (path, isDescending)
    }

    private mutating func condition() throws(Failure) -> Condition {
      let path = try path()
      skipSpace()
      let start = position
      for comparison in Condition.Comparison.allCases where take(comparison.rawValue) {
        skipSpace()
        let start = position
        let literal = try literal()
        return Condition(
          path: path, comparison: comparison, literal: literal,
          literalText: String(characters[start..<position]))
      }
      throw wrong("one of = != < <= > >= contains is expected", at: start)
    }

    private mutating func path() throws(Failure) -> FieldPath {
      skipSpace()
      let start = position
      let name = componentName()
      guard !name.isEmpty else { throw wrong("a component is expected", at: start) }
      guard let component = names[name] else {
        throw wrong("no entity has had a component \(name.prefix(100))", at: start)
      }
      var fields: [String] = []
      let fieldsStart = position + 1
      while take(".") {
        let start = position
        let field = word()
        guard !field.isEmpty else { throw wrong("a field is expected", at: start) }
        fields.append(field)
      }
      return FieldPath(
        component: component, fields: fields, position: count(before: fieldsStart))
    }

    private mutating func literal() throws(Failure) -> Scalar {
      let start = position
      guard position < characters.count else { throw wrong("a value is expected", at: start) }
      if characters[position] == "\"" { return .text(try quoted()) }
      let isNegative = take("-")
      let text = (isNegative ? "-" : "") + number()
      if let first = text.last, first.isNumber {
        if let whole = Int128(text) { return .whole(whole) }
        if let real = Double(text) { return .real(real) }
        // Entities are called so.
        return .text(text)
      }
      let name = isNegative ? "" : word()
      switch name {
      case "": throw wrong("a value is expected", at: start)
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "nil": return Scalar.none
      default: return .text(name)
      }
    }

    private mutating func quoted() throws(Failure) -> String {
      let start = position
      position += 1
      var text = ""
      while position < characters.count {
        let character = characters[position]
        position += 1
        if character == "\"" { return text }
        if character == "\\", position < characters.count {
          text.append(characters[position])
          position += 1
        } else {
          text.append(character)
        }
      }
      throw wrong("the text does not end", at: start)
    }

    // MARK: Characters

    private mutating func componentName() -> String {
      var name = word()
      guard position < characters.count, characters[position] == "<" else { return name }
      // Of a generic type, the arguments belong to the name, if they end.
      var (end, depth) = (position, 0)
      while end < characters.count {
        if characters[end] == "<" { depth += 1 }
        if characters[end] == ">" { depth -= 1 }
        end += 1
        if depth == 0 {
          let whole = name + String(characters[position..<end])
          guard names[whole] != nil else { break }
          (name, position) = (whole, end)
          break
        }
      }
      return name
    }

    private mutating func word() -> String {
      let start = position
      while position < characters.count,
        characters[position].isLetter || characters[position].isNumber
          || characters[position] == "_"
      {
        position += 1
      }
      return String(characters[start..<position])
    }

    private mutating func number() -> String {
      let start = position
      while position < characters.count {
        let character = characters[position]
        let isSign =
          (character == "-" || character == "+") && position > start
          && characters[position - 1] == "e"
        let isExponent = character == "e" && position > start
        guard character.isNumber || character == "." || isSign || isExponent else { break }
        position += 1
      }
      return String(characters[start..<position])
    }

    private mutating func take(_ text: String) -> Bool {
      guard characters[position...].starts(with: text) else { return false }
      position += text.count
      return true
    }

    private mutating func skipSpace() {
      while position < characters.count, characters[position].isWhitespace { position += 1 }
    }

    private func wrong(_ text: String, at position: Int) -> Failure {
      Failure(400, text, at: count(before: position))
    }

    private func count(before position: Int) -> Int {
      characters.prefix(position).reduce(0) { $0 + $1.utf16.count }
    }
  }
#endif
