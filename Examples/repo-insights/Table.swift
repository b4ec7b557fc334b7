import ExampleSupport

/// Rows of a name, what is known of it, and a bar, well set for a terminal.
struct Table {
  let title: String
  let columns: [(title: String, style: Terminal.Style?)]
  var rows: [Row] = []

  /// Whether the end of a name that is too long is kept, as for paths.
  var keepsEnd = false

  struct Row {
    let name: String

    /// As many as there are columns, or none.
    let cells: [String]

    /// What the bar shows.
    var value = 0
  }

  private static let barWidth = 16

  /// The lines of the table, as wide as there is room at most.
  func lines(_ terminal: Terminal, width: Int) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = columns.indices.map { column in
      rows.reduce(columnWidth(columns[column].title)) {
        max($0, columnWidth($1.cells.dropFirst(column).first ?? ""))
      }
    }
    let longest = rows.map { columnWidth(printable($0.name)) }.max() ?? 0
    let room = width - widths.reduce(0) { $0 + $1 + 2 }
    // A bar is for what is left when names can be read.
    let barWidth = min(Table.barWidth, room - min(longest, 24) - 2)
    let hasBar = barWidth >= 4
    let nameRoom = max(8, room - (hasBar ? barWidth + 2 : 0))
    let names = rows.map {
      shortened(printable($0.name), to: nameRoom, mark: terminal.ellipsis, keepsEnd: keepsEnd)
    }
    let nameWidth = max(
      min(columnWidth(title), nameRoom), names.map { columnWidth($0) }.max() ?? 0)
    let head = zip(columns, widths).map { "  " + padded($0.title, $1, right: true) }.joined()
    let most = Double(rows.map(\.value).max() ?? 0)
    var lines = [
      terminal.styled(padded(shortened(title, to: nameWidth), nameWidth), .title)
        + terminal.styled(head, .dim)
    ]
    for (index, row) in rows.enumerated() {
      var line = padded(names[index], nameWidth)
      for (column, cell) in row.cells.enumerated() {
        let text = "  " + padded(cell, widths[column], right: true)
        line += columns[column].style.map { terminal.styled(text, $0) } ?? text
      }
      let bar = terminal.bar(most > 0 ? Double(row.value) / most : 0, width: barWidth)
      lines.append(bar.isEmpty || !hasBar ? line : line + "  " + terminal.styled(bar, .bar))
    }
    return lines
  }

  private func columnWidth(_ text: String) -> Int { ExampleSupport.columns(text) }
}
