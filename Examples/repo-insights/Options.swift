import ExampleSupport

/// What the command line asks for.
struct Options {
  /// Nil means the repository that the program was started in.
  var path: String?
  var since: String?
  var top = 10
  var json: String?
  var svg: String?
  var showsHelp = false

  static let help = """
    Usage: repo-insights [path] [--since DATE] [--top N] [--json FILE] [--svg FILE]

    Reads the history of a Git repository and reports who and what changed in it.

      path          a folder inside of the repository; the current folder if left out
      --since DATE  only commits after this date, in any form that Git understands
      --top N       the number of rows of each table and chart (default: 10)
      --json FILE   also write everything as JSON; '-' writes it instead of the report
      --svg FILE    also draw the activity, the top authors and the hottest files
      --help        show this

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
    if json == "-", svg == "-" {
      throw .usage("Only one of --json and --svg can go to standard output.")
    }
  }

  private mutating func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count > 1 ? String(parts[1]) : nil
    switch name {
    case "--since": since = try Options.value(of: name, attached, &rest)
    case "--top": top = try Options.count(of: name, attached, &rest)
    case "--json": json = try Options.value(of: name, attached, &rest)
    case "--svg": svg = try Options.value(of: name, attached, &rest)
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
}
