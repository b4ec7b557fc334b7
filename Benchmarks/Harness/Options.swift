/// What was asked for on the command line.
struct Options: Sendable {
  var isHelp = false
  var isList = false
  var isSmoke = false
  var isScaling = false

  /// Whether nothing but the scaling series is run.
  var isScalingAlone = false

  var isIsolated = true
  var contenders = Contender.allCases
  var forms = Form.allCases
  var filter: String?
  var sampleCount: Int?
  var size: Int?
  var jsonFile: String?
  var baselineFile: String?
  var svgFile: String?

  /// Makes all checksums wrong, for the test that this fails the run.
  var isSabotaged = false

  /// What a worker process measures; nil in the process that was started by hand.
  var worker: String?

  static let help = """
    Usage: swift run -c release benchmarks [options]

      --list            show the rows and exit
      --filter REGEX    only rows whose name contains a match, such as '^(A|R)'
      --form FORM       only 'batch' (all calls inside one perform) or only 'call'
      --no-naive        leave out the naive contender
      --n N             run each row with N entities instead of its usual number
      --scale           also run the scaling series: from 1,000 to 4,000,000 entities
      --scale-only      run the scaling series alone
      --samples N       take exactly N samples (default: 7 to 201, for about a second)
      --smoke           few entities and one sample, to see that everything runs
      --json FILE       save the results
      --baseline FILE   compare with saved results
      --svg FILE        draw a chart of the results, and of the series if they are run
      --in-process      measure in this process, for profilers (default: one process per row)
      --help            show this

    All figures are nanoseconds or bytes per unit of work. 'min' is what the work costs when
    nothing disturbs it and the figure to compare; 'spread' is the distance between the quartiles
    as a fraction of the median.
    """

  /// Reads arguments, without the program's own name.
  init(_ arguments: [String]) throws(BenchmarkError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      // Both '--n 5' and '--n=5' will do.
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(parts[0])
      if parts.count == 2 { rest = [String(parts[1])] + rest }
      let restCount = rest.count
      try read(option, &rest)
      if parts.count == 2, rest.count == restCount {
        throw .superfluousValue(option: option)
      }
    }
    if let jsonFile, let svgFile, TextFile.areSame(jsonFile, svgFile) {
      throw .badValue(option: "--svg", value: svgFile, wanted: "another file than --json")
    }
  }

  private mutating func read(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(BenchmarkError) {
    switch option {
    case "--help", "-h": isHelp = true
    case "--list": isList = true
    case "--smoke": isSmoke = true
    case "--scale": isScaling = true
    case "--scale-only": (isScaling, isScalingAlone) = (true, true)
    case "--in-process": isIsolated = false
    case "--no-naive": contenders = [.ecs]
    case "--form": forms = [try Options.form(option, &rest)]
    case "--filter": filter = try Options.pattern(option, &rest)
    case "--samples": sampleCount = try Options.number(option, &rest, upTo: 100_000)
    case "--n": size = try Options.number(option, &rest, upTo: 100_000_000)
    case "--json": jsonFile = try Options.value(option, &rest)
    case "--baseline": baselineFile = try Options.value(option, &rest)
    case "--svg": svgFile = try Options.value(option, &rest)
    case "--sabotage": isSabotaged = true
    case "--worker": worker = try Options.value(option, &rest)
    default: throw .unknownOption(option)
    }
  }

  private static func value(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(BenchmarkError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw .missingValue(option: option)
    }
    return value
  }

  private static func number(
    _ option: String, _ rest: inout ArraySlice<String>, upTo limit: Int
  ) throws(BenchmarkError) -> Int {
    let text = try value(option, &rest)
    guard let number = Int(text), (1...limit).contains(number) else {
      throw .badValue(option: option, value: text, wanted: "a number from 1 to \(limit)")
    }
    return number
  }

  private static func form(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(BenchmarkError) -> Form {
    let text = try value(option, &rest)
    guard let form = Form(rawValue: text) else {
      throw .badValue(option: option, value: text, wanted: "'batch' or 'call'")
    }
    return form
  }

  private static func pattern(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(BenchmarkError) -> String {
    let text = try value(option, &rest)
    do {
      _ = try Regex(text)
    } catch {
      throw .badValue(option: option, value: text, wanted: "a regular expression")
    }
    return text
  }
}
