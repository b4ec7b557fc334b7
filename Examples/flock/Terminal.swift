import ExampleSupport

/// Draws pictures for a terminal, or as plain text where there is none.
enum Terminal {
  /// A picture in colors: a half block shows two pixels, one above the other.
  static func drawing(of picture: Picture, status: String) -> String {
    var text = "\u{1B}[H"
    for y in stride(from: 0, to: picture.height - 1, by: 2) {
      var last: (SIMD3<UInt8>, SIMD3<UInt8>)?
      for x in 0..<picture.width {
        let (upper, lower) = (picture.pixel(x, y), picture.pixel(x, y + 1))
        if last?.0 != upper { text += "\u{1B}[38;2;\(upper.x);\(upper.y);\(upper.z)m" }
        if last?.1 != lower { text += "\u{1B}[48;2;\(lower.x);\(lower.y);\(lower.z)m" }
        text += "▀"
        last = (upper, lower)
      }
      text += "\u{1B}[0m\r\n"
    }
    return text + shortened(status, to: picture.width - 1) + "\u{1B}[K"
  }

  /// A picture in characters, the brighter the denser.
  static func plainText(_ picture: Picture) -> String {
    let characters = Array(" .:-=+*#%@")
    return (0..<picture.height).map { y in
      let line = (0..<picture.width).map { x -> Character in
        let color = picture.pixel(x, y)
        let brightness = (Int(color.x) + Int(color.y) + Int(color.z)) / 3
        return characters[brightness * (characters.count - 1) / 255]
      }
      return String(line)
    }
    .joined(separator: "\n")
  }
}
