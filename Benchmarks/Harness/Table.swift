/// Text in columns that line up.
struct Table {
  /// Where the text of a column stands.
  enum Alignment {
    case left
    case right
  }

  private let headings: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// Makes a table with so many columns.
  init(_ columns: [(heading: String, alignment: Alignment)]) {
    headings = columns.map(\.heading)
    alignments = columns.map(\.alignment)
  }

  /// Adds a row with a text for each column.
  mutating func append(_ row: [String]) {
    precondition(
      row.count == headings.count, "\(row.count) texts for \(headings.count) columns: \(row)")
    rows.append(row)
  }

  /// All lines, without trailing spaces.
  var text: String {
    let widths = headings.indices.map { column in
      ([headings] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([headings] + rows).map { line($0, widths) }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.indices.map { column in
      let padding = String(repeating: " ", count: widths[column] - row[column].count)
      return alignments[column] == .left ? row[column] + padding : padding + row[column]
    }
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
