import ExampleSupport

/// What the command line asks for.
struct Options {
  /// Nil means the repository that the program was started in.
  var path: String?
  var selection = Selection()

  /// The number of rows of each table; nil for as many as fit.
  var top: Int?

  /// What to report; nil for what fits on a screen.
  var sections: [Section]?

  /// Where to write what, as `--json report.json`.
  var files: [(format: Format, path: String)] = []
  var isLive = false
  var isInspected = false
  var showsHelp = false

  enum Format: String, CaseIterable {
    case json, csv, markdown, html, svg
  }

  static let help = """
    Usage: repo-insights [path] [options]

    Reads the history of a Git repository and reports who and what changed in it.

      path             a folder inside the repository; the current folder by default

    Which commits count; by default, all that lead to the current one:
      --since DATE     only those after this date, in any form that Git understands
      --until DATE     only those before this date
      --author NAME    only those by matching authors, as for git log
      --branch NAME    those that lead to this branch, tag or commit
      --in PATH        only what was changed in this file or folder; may be repeated

    What is reported; by default, as much as fits on a screen:
      --all            everything
      --only LIST      some of \(Section.allCases.map(\.rawValue).joined(separator: ", "))
      --top N          the first N rows of each table

      --live           a dashboard that fills while the history is read, stays, and shows
                       each new commit; keys choose an author, typing filters paths

    Files, or '-' for standard output in place of the report:
      --inspect        shows what was read in a browser (in builds with '--traits Inspector')
      --json FILE      everything, for programs
      --csv FILE       authors, files, directories, pairs and days, for spreadsheets
      --markdown FILE  the tables, for a wiki or an issue
      --html FILE      a page with charts, for a browser
      --svg FILE       a picture of the activity, the top authors and the hottest files

      --help           show this

    """

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var rest = Array(arguments)[...]
    var takesOptions = true
    while let argument = rest.popFirst() {
      if takesOptions, argument == "--" {
        takesOptions = false
      } else if takesOptions, argument.hasPrefix("-"), argument != "-" {
        try takeOption(argument, &rest)
      } else if path == nil {
        // Git would take it for the current folder.
        guard !argument.isEmpty else { throw .usage("The path is empty.") }
        path = argument
      } else {
        throw .usage("There can be only one path, and '\(argument)' is a second one.")
      }
    }
    if isLive, !files.isEmpty || sections != nil || top != nil {
      throw .usage("--live shows and writes nothing else.")
    }
    if isInspected, isLive || !files.isEmpty || sections != nil || top != nil {
      throw .usage("--inspect shows and writes nothing else.")
    }
    let shown = files.filter { $0.path == "-" }
    if shown.count > 1 {
      throw .usage(
        "Only one of --\(shown[0].format) and --\(shown[1].format) can go to standard output.")
    }
  }

  private mutating func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if let format = Format(rawValue: String(name.dropFirst(2))), name.hasPrefix("--") {
      files.append((format, try Options.value(of: name, attached, &rest)))
      return
    }
    switch name {
    case "--since": selection.since = try Options.value(of: name, attached, &rest)
    case "--until": selection.until = try Options.value(of: name, attached, &rest)
    case "--author": selection.author = try Options.value(of: name, attached, &rest)
    case "--branch": selection.branch = try Options.value(of: name, attached, &rest)
    case "--in": selection.paths.append(try Options.value(of: name, attached, &rest))
    case "--top": top = try Options.count(of: name, attached, &rest)
    case "--only": sections = try Options.sections(Options.value(of: name, attached, &rest))
    case "--all" where attached == nil: sections = Section.allCases
    case "--live" where attached == nil: isLive = true
    case "--inspect" where attached == nil: isInspected = true
    case "--help" where attached == nil, "-h" where attached == nil: showsHelp = true
    default: throw .usage("There is no option '\(argument)'.")
    }
  }

  private static func value(
    of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw .usage("\(name) needs a value.")
    }
    return value
  }

  private static func count(
    of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> Int {
    let text = try value(of: name, attached, &rest)
    guard let count = Int(text), count > 0 else {
      throw .usage("\(name) needs a whole number above 0, not '\(text)'.")
    }
    return count
  }

  private static func sections(_ text: String) throws(Failure) -> [Section] {
    var sections: [Section] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let section = Section(rawValue: String(name)) else {
        let known = Section.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("--only knows \(known), not '\(name)'.")
      }
      sections.append(section)
    }
    return sections
  }
}
