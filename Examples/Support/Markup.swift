/// Text that cannot be taken for markup, in XML and HTML, which have no form at all for control characters.
package func escapedForMarkup(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += " "
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
