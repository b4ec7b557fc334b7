/// Reads the text of an ``EventQuery``.
struct EventQueryParser {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  mutating func parse() throws(EventQueryError) -> (
    EventQuery.Subject, [String: [EventQuery.Term]]
  ) {
    skipSpace()
    let start = position
    let name = word()
    guard let subject = EventQuery.Subject(rawValue: name) else {
      throw error(.unknownSubject(name.isEmpty ? rest(from: start) : name), at: start)
    }
    var clauses: [String: [EventQuery.Term]] = [:]
    skipSpace()
    var isFirst = true
    while position < characters.count {
      let start = position
      let name = word()
      if isFirst, name == "where" {
        isFirst = false
        skipSpace()
        if position == characters.count { throw error(.expected("all, any or none"), at: position) }
        continue
      }
      isFirst = false
      guard ["all", "any", "none"].contains(name) else {
        throw error(.unexpected(name.isEmpty ? rest(from: start) : name), at: start)
      }
      if clauses[name] != nil { throw error(.repeated(name), at: start) }
      clauses[name] = try clause(name, at: start)
      skipSpace()
    }
    return (subject, clauses)
  }

  private mutating func clause(
    _ name: String, at start: Int
  ) throws(EventQueryError) -> [EventQuery.Term] {
    skipSpace()
    guard take("(") else {
      guard position < characters.count else { throw error(.expected("'('"), at: position) }
      throw error(.unexpected(String(characters[position])), at: position)
    }
    var terms: [EventQuery.Term] = []
    while true {
      skipSpace()
      if take(")") { break }
      guard position < characters.count else { throw error(.expected("')'"), at: position) }
      terms.append(try term())
    }
    if terms.isEmpty { throw error(.empty(name), at: start) }
    return terms
  }

  private mutating func term() throws(EventQueryError) -> EventQuery.Term {
    let start = position
    let name = word()
    guard !name.isEmpty else {
      throw error(.unexpected(String(characters[position])), at: position)
    }
    guard take(":") else {
      guard let kind = EventKind(rawValue: name) else { throw error(.unknownTerm(name), at: start) }
      return .kind(kind)
    }
    switch name {
    case "component": return .component(try value(name))
    case "system": return .system(try value(name))
    case "observer": return .observer(try value(name))
    case "loop": return .loop(try value(name))
    case "cause": return .cause(try value(name))
    case "key": return .key(try value(name))
    case "info": return .info(try value(name))
    case "context": return .context(try requiredValue(name))
    case "group": return .group(try requiredValue(name))
    case "entity": return try entity()
    case "event": return .event(try range(name))
    case "tick": return .tick(try range(name))
    case "commit": return .commit(try range(name))
    default: throw error(.unknownTerm(name), at: start)
    }
  }

  // MARK: Values

  /// A name or a text; nil for a dash.
  private mutating func value(_ name: String) throws(EventQueryError) -> String? {
    if take("\"") { return try text(from: position - 1) }
    let start = position
    if take("-") {
      guard isAtEndOfWord else { throw error(.unexpected(rest(from: start)), at: start) }
      return nil
    }
    let value = word()
    guard !value.isEmpty else { throw error(.missingValue(name), at: start) }
    return value
  }

  private mutating func requiredValue(_ name: String) throws(EventQueryError) -> String {
    let start = position
    guard let value = try value(name) else { throw error(.missingValue(name), at: start) }
    return value
  }

  private mutating func text(from start: Int) throws(EventQueryError) -> String {
    var text = ""
    while position < characters.count {
      var character = characters[position]
      position += 1
      if character == "\"" { return text }
      if character == "\\" {
        guard position < characters.count else { break }
        character = characters[position]
        position += 1
      }
      text.append(character)
    }
    throw error(.unterminatedText, at: start)
  }

  private mutating func entity() throws(EventQueryError) -> EventQuery.Term {
    let start = position
    guard let text = try value("entity") else { return .noEntity }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.map { number(UInt32.self, $0) }
    guard parts.count <= 2, let slot = numbers.first ?? nil, numbers.allSatisfy({ $0 != nil })
    else { throw error(.invalidNumber(text), at: start) }
    return .entity(slot: slot, generation: numbers.count == 2 ? numbers[1] : nil)
  }

  private mutating func range(_ name: String) throws(EventQueryError) -> ClosedRange<UInt64> {
    let start = position
    let text = word()
    guard !text.isEmpty else { throw error(.missingValue(name), at: start) }
    var bounds = [Substring(text)]
    var hasDots = false
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index] == ".", next < text.endIndex, text[next] == "." {
        bounds = [text[..<index], text[text.index(after: next)...]]
        hasDots = true
        break
      }
      index = next
    }
    func bound(_ text: Substring, _ open: UInt64) throws(EventQueryError) -> UInt64 {
      if text.isEmpty, hasDots { return open }
      guard let number = number(UInt64.self, text) else {
        throw error(.invalidNumber(String(text)), at: start)
      }
      return number
    }
    if hasDots, bounds.allSatisfy(\.isEmpty) { throw error(.invalidNumber(text), at: start) }
    let lower = try bound(bounds[0], 0)
    let upper = hasDots ? try bound(bounds[1], .max) : lower
    guard lower <= upper else { throw error(.invalidRange(text), at: start) }
    return lower...upper
  }

  private func number<Number: FixedWidthInteger>(
    _ type: Number.Type, _ text: Substring
  ) -> Number? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Number(text)
  }

  // MARK: Characters

  private mutating func word() -> String {
    let start = position
    while position < characters.count, EventQueryParser.isPartOfWord(characters[position]) {
      position += 1
    }
    return String(characters[start..<position])
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_.<>#/@$+*".contains(character)
  }

  private var isAtEndOfWord: Bool {
    position == characters.count || characters[position] == ")"
      || characters[position].isWhitespace
  }

  private mutating func take(_ character: Character) -> Bool {
    guard position < characters.count, characters[position] == character else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }

  private func rest(from start: Int) -> String { String(characters[start...].prefix(24)) }

  private func error(_ reason: EventQueryError.Reason, at position: Int) -> EventQueryError {
    EventQueryError(reason: reason, position: position)
  }
}
