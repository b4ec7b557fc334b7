import ExampleSupport

/// Rows of a name, numbers and a bar, well set for a terminal.
struct Table {
  let title: String
  let numbers: [(title: String, style: Terminal.Style?)]
  var rows: [Row] = []

  /// Whether the end of a name that is too long is kept, as for paths.
  var keepsEnd = false

  struct Row {
    let name: String

    /// As many as there are titles, or none.
    let numbers: [Int]
  }

  private static let barWidth = 16

  /// The lines of the table; the bars show the first number.
  func lines(_ terminal: Terminal) -> [String] {
    guard !rows.isEmpty else { return [] }
    let cells = rows.map { $0.numbers.map(grouped) }
    let widths = numbers.indices.map { column in
      max(
        columns(numbers[column].title),
        cells.compactMap { $0.dropFirst(column).first?.count }.max() ?? 0)
    }
    let room = terminal.columns - widths.reduce(0) { $0 + $1 + 2 } - Table.barWidth - 2
    let names = rows.map {
      shortened(printable($0.name), to: max(12, room), mark: terminal.ellipsis, keepsEnd: keepsEnd)
    }
    let nameWidth = max(columns(title), names.map { columns($0) }.max() ?? 0)
    let head = zip(numbers, widths).map { "  " + padded($0.title, $1, right: true) }.joined()
    let most = Double(rows.compactMap(\.numbers.first).max() ?? 0)
    var lines = [
      terminal.styled(padded(title, nameWidth), .title) + terminal.styled(head, .dim)
    ]
    for (index, row) in rows.enumerated() {
      var line = padded(names[index], nameWidth)
      for (column, cell) in cells[index].enumerated() {
        let text = "  " + padded(cell, widths[column], right: true)
        line += numbers[column].style.map { terminal.styled(text, $0) } ?? text
      }
      let share = most > 0 ? Double(row.numbers.first ?? 0) / most : 0
      let bar = terminal.bar(share, width: Table.barWidth)
      lines.append(bar.isEmpty ? line : line + "  " + terminal.styled(bar, .bar))
    }
    return lines
  }
}
