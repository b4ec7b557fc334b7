#if SQLite
  /// A piece of SQL, as far as declarations of tables have to be taken apart.
  struct SQLToken {
    enum Kind {
      case space, comment, word, quoted, other
    }

    let kind: Kind

    /// As it stands in the SQL.
    let text: String

    /// How many brackets are open around it.
    let depth: Int

    var isSpace: Bool { kind == .space || kind == .comment }

    /// A word in upper case; empty for all else.
    var word: String { kind == .word ? text.uppercased() : "" }

    func isWord(_ word: String) -> Bool { self.word == word }

    /// What it names, without quotes.
    var name: String {
      guard kind == .quoted, let quote = text.first else { return text }
      let inner = String(text.dropFirst().dropLast())
      return quote == "[" ? inner : inner.replacing("\(quote)\(quote)", with: String(quote))
    }

    static func tokens(of sql: String) -> [SQLToken] {
      var rest = Substring(sql)
      var tokens: [SQLToken] = []
      var depth = 0
      while let first = rest.first {
        let (kind, length) = SQLToken.next(first, rest)
        if first == ")", kind == .other { depth -= 1 }
        tokens.append(SQLToken(kind: kind, text: String(rest.prefix(length)), depth: depth))
        if first == "(", kind == .other { depth += 1 }
        rest = rest.dropFirst(length)
      }
      return tokens
    }

    private static func next(_ first: Character, _ rest: Substring) -> (Kind, Int) {
      func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
      }
      if first.isWhitespace { return (.space, rest.prefix(while: \.isWhitespace).count) }
      if rest.hasPrefix("--") { return (.comment, rest.prefix { !$0.isNewline }.count) }
      if rest.hasPrefix("/*") {
        let end = rest.dropFirst(2).firstRange(of: "*/")?.upperBound ?? rest.endIndex
        return (.comment, rest[..<end].count)
      }
      if "'\"`[".contains(first) { return (.quoted, quoted(first == "[" ? "]" : first, rest)) }
      if isPart(first) { return (.word, rest.prefix(while: isPart).count) }
      return (.other, 1)
    }

    /// How long a text in quotes is, in which two of them stand for one.
    private static func quoted(_ end: Character, _ rest: Substring) -> Int {
      var length = 1
      var isOpen = false
      for character in rest.dropFirst() {
        if isOpen, character != end { return length }
        length += 1
        if character == end {
          if end == "]" { return length }
          isOpen.toggle()
        }
      }
      return length
    }
  }
#endif
