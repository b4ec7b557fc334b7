/// Text that can't do anything to a terminal: control characters are shown as escapes, as Git does.
package func printable(_ text: String) -> String {
  // Most texts have nothing of the kind.
  if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case "\r": result += "\\r"
    case _ where isControl(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// How many columns of a terminal a text takes.
package func columns(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.reduce(0) { $0 + columns($1) }
}

/// A text shortened to a number of columns; paths keep their end, which tells more.
package func shortened(
  _ text: String, to width: Int, mark: String = "", keepsEnd: Bool = false
) -> String {
  guard columns(text) > width else { return text }
  let mark = columns(mark) <= width ? mark : ""
  var room = max(0, width - columns(mark))
  let kept = (keepsEnd ? Array(text.reversed()) : Array(text)).prefix { character in
    room -= columns(character)
    return room >= 0
  }
  return keepsEnd ? mark + String(kept.reversed()) : String(kept) + mark
}

/// A text filled with spaces up to a number of columns.
package func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
  let space = String(repeating: " ", count: max(0, width - columns(text)))
  return right ? space + text : text + space
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\u{200D}"
  default: false
  }
}

private func columns(_ character: Character) -> Int {
  guard let scalar = character.unicodeScalars.first else { return 0 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  // Pictures, which are drawn as such by default or on request.
  if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") {
    return 2
  }
  switch scalar.value {
  // East Asian scripts and symbols.
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F200...0x1F265,
    0x20000...0x3FFFD:
    return 2
  default: return 1
  }
}
