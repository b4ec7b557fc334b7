import Foundation

/// What a terminal shows of what programs write to it: the few sequences that ours use.
struct TerminalScreen: CustomStringConvertible {
  private(set) var rows: [[Character]]

  /// Stands in the second column of what takes two.
  private static let rest: Character = "\0"
  private let columns: Int
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []

  /// Whether the other screen is shown, that of programs that take all of it.
  private(set) var isFull = false

  /// Whether the cursor is shown, and lines go on below where they are too long.
  private(set) var (hasCursor, wraps) = (true, true)

  /// Whether a drawing has begun and is not complete.
  private var isDrawing = false

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  var description: String { text }

  /// All lines.
  var text: String { lines.joined(separator: "\n") }

  /// Whether a text is shown in a drawing that is complete.
  func isSettled(with text: String) -> Bool { !isDrawing && self.text.contains(text) }

  /// The lines, without the spaces at their ends.
  var lines: [String] {
    rows.map { row in
      String(row.filter { $0 != TerminalScreen.rest }.reversed().drop { $0 == " " }.reversed())
    }
  }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let first = pending.first {
      if first == 0x1B {
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
        else { return }
        carryOut(String(decoding: pending[2..<end], as: UTF8.self), pending[end])
        pending.removeFirst(end + 1)
        continue
      }
      let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      guard pending.count >= length else { return }
      put(String(decoding: pending.prefix(length), as: UTF8.self))
      pending.removeFirst(length)
    }
  }

  private mutating func put(_ text: String) {
    switch text {
    case "\r": column = 0
    case "\n": row = min(row + 1, rows.count - 1)
    default:
      guard let scalar = text.unicodeScalars.first, row < rows.count else { return }
      if scalar.properties.generalCategory == .nonspacingMark {
        // It goes with what it is above.
        let place = max(0, column - 1)
        rows[row][place] = Character(String(rows[row][place]) + text)
        return
      }
      rows[row][column] = Character(scalar)
      let isWide = scalar.properties.isEmojiPresentation || (0x2E80...0x9FFF).contains(scalar.value)
      if isWide, column + 1 < columns {
        column += 1
        rows[row][column] = TerminalScreen.rest
      }
      // Lines end where the window does: the last column is written to again and again.
      column = min(column + 1, columns - 1)
    }
  }

  private mutating func carryOut(_ parameter: String, _ final: UInt8) {
    let numbers = parameter.split(separator: ";").compactMap { Int($0) }
    let isOn = final == UInt8(ascii: "h")
    switch (final, parameter) {
    case (_, "?1049"): isFull = isOn
    case (_, "?25"): hasCursor = isOn
    case (_, "?7"): wraps = isOn
    case (_, "?2026"): isDrawing = isOn
    case (UInt8(ascii: "H"), _):
      (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
    case (UInt8(ascii: "K"), _): clear(from: column, in: row)
    case (UInt8(ascii: "J"), "2"): for row in rows.indices { clear(from: 0, in: row) }
    case (UInt8(ascii: "J"), _):
      clear(from: column, in: row)
      for row in rows.indices.dropFirst(row + 1) { clear(from: 0, in: row) }
    default: break
    }
  }

  private mutating func clear(from column: Int, in row: Int) {
    guard rows.indices.contains(row), column < columns else { return }
    for place in column..<columns { rows[row][place] = " " }
  }
}
