import ExampleSupport

extension Report {
  /// How many of all commits, in percent.
  func share(_ commits: Int) -> String {
    let all = totals.tally.commits
    guard all > 0 else { return "0 %" }
    let tenths = (commits * 1000 + all / 2) / all
    return tenths >= 100 || tenths == 0
      ? "\((tenths + 5) / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// All that is known of authors, or what there is room for in any case.
  func authorTable(top: Int, isWhole: Bool) -> Table {
    var columns: [(String, Terminal.Style?)] = [("commits", nil), ("share", .dim)]
    columns += [("added", .added), ("deleted", .deleted)]
    if isWhole { columns += [("first", .dim), ("last", .dim)] }
    var table = Table(title: "Authors", columns: columns)
    table.rows = authors.prefix(top).map { author in
      var cells = [grouped(author.tally.commits), share(author.tally.commits)]
      cells += [grouped(author.tally.added), grouped(author.tally.deleted)]
      if isWhole {
        cells += [author.period.first, author.period.last].map { Day(seconds: $0).text }
      }
      return Table.Row(
        name: author.name.bytes.isEmpty ? "(no name)" : author.name.string, cells: cells,
        value: author.tally.commits)
    }
    return table
  }

  /// Those that are there; what is gone can't be looked at.
  func fileTable(top: Int) -> Table {
    table("Hottest files", presentFiles.lazy.prefix(top).map { ($0.path.string, $0.tally) })
  }

  func directoryTable(top: Int) -> Table {
    table(
      "Hottest directories",
      directories.lazy.prefix(top).map {
        ($0.name.bytes.isEmpty ? "(top level)" : $0.name.string, $0.tally)
      })
  }

  private func table(_ title: String, _ rows: some Sequence<(String, Tally)>) -> Table {
    let columns: [(String, Terminal.Style?)] = [
      ("commits", nil), ("share", .dim), ("added", .added), ("deleted", .deleted),
    ]
    var table = Table(title: title, columns: columns, keepsEnd: true)
    table.rows = rows.map { name, tally in
      Table.Row(
        name: name,
        cells: [
          grouped(tally.commits), share(tally.commits), grouped(tally.added),
          grouped(tally.deleted),
        ], value: tally.commits)
    }
    return table
  }

  func pairTable(top: Int) -> Table {
    var table = Table(
      title: "Changed together", columns: [("commits", nil), ("degree", .dim)], keepsEnd: true)
    table.rows = pairs.prefix(top).flatMap { pair in
      [
        Table.Row(
          name: pair.first.string, cells: [grouped(pair.commits), "\(pair.degree) %"],
          value: pair.commits),
        Table.Row(name: "  + " + pair.second.string, cells: []),
      ]
    }
    return table
  }
}
