import ECS
import ECSRecipes
import ExampleSupport
import Foundation

let usage = """
  Usage: catalog-import [FILE | -] [--output FILE] [--memory]

  Imports a catalog of articles with their users and tags, as a JSON list or one JSON object per line,
  from a file or, with -, from standard input; without either, a small sample. Reports what was made,
  updated, left unchanged and refused, writes the catalog back as JSON, and reads that again, which
  changes nothing. With --memory, reports at the end how much memory it used at most: that depends
  on the catalog, not on the length of the input.

  The exit code is 65 if every record was refused or the input ends too early, 64 if the options are
  not valid, and 1 if a file can't be read or written.

  """

func fail(_ message: String, status: Int32 = 1) -> Never {
  Cleanup.runAll()
  try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
  exit(status)
}

func print(_ text: String) {
  use { () throws(Failure) in try OutputFile.show(text) }
}

/// Does something with a file of results, and ends the program with a message if that fails.
func use<Result>(_ body: () throws(Failure) -> Result) -> Result {
  do { return try body() } catch { fail("catalog-import: \(error.message)") }
}

/// Does something with a file, and ends the program with a message if that fails.
func use<Result>(_ path: String, _ body: () throws -> Result) -> Result {
  do { return try body() } catch { fail("catalog-import: \(path): \(reason(of: error)).") }
}

/// Tells how far a long import has come, to people only.
func showProgress(_ progress: ImportProgress) -> Bool {
  guard isatty(2) == 1, let total = progress.totalBytes, total > 1 << 24 else { return true }
  let percent = 100 * progress.bytes / total
  let ending = progress.bytes < total ? "\r" : "\n"
  let text = "\(percent) %, \(progress.report.count) records\(ending)"
  try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  return true
}

/// Whether an import has anything to show for itself.
func isGood(_ report: ImportReport) -> Bool {
  if report.count > 0, report.count == report.refused { return false }
  // What is not JSON in the middle is one bad line; at the end, the rest is missing.
  guard let last = report.failures.last, last.position == report.count - 1 else { return true }
  if case .syntax = last.error.reason { return false }
  return true
}

func run(input: String?, output: String?) throws {
  // Where the result can't be written to, that is reported before anything is done.
  let file = use { () throws(Failure) in
    try output.map { path throws(Failure) in try OutputFile(path) }
  }
  let context = Context(name: "catalog")
  let mapper = Mapper(context)
  let articles = try CatalogRecipes.articles()

  let report: ImportReport
  switch input {
  case nil:
    var sample: Data? = Data(sampleCatalog.utf8)
    report = mapper.importStream(with: articles) { sample.take() ?? Data() }
  case "-":
    report = use("Standard input") {
      try mapper.importStream(with: articles) {
        try FileHandle.standardInput.read(upToCount: 1 << 16) ?? Data()
      }
    }
  case let path?:
    report = use(path) {
      try mapper.importFile(URL(fileURLWithPath: path), with: articles, progress: showProgress)
    }
  }
  let printer = CatalogReport(context: context)
  print(printer.summary("Import", report) + printer.refusals(report) + printer.contents())

  let written = try context.group(Article.matcher).sorted().map {
    try mapper.decompose($0, with: articles)
  }
  let data = JSONValue.array(written).data(pretty: true)
  if let file {
    use { () throws(Failure) in
      try file.write(data)
      try file.close()
    }
  }

  let again = try mapper.importList(JSONValue(data: data).array ?? [], with: articles)
  print(printer.summary("Reading it back", again) + printer.refusals(again))
  if again.unchanged != again.count { fail("Reading the catalog back has changed it.") }
  if !isGood(report) {
    let isEmpty = report.count == report.refused
    let what = isEmpty ? "Every record was refused" : "The input ends too early"
    fail("catalog-import: \(what).", status: 65)
  }
}

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.contains("--help") {
  print(usage)
  exit(0)
}
var output: String?
if let place = arguments.firstIndex(of: "--output") {
  guard place + 1 < arguments.count else { fail(usage, status: 64) }
  output = arguments[place + 1]
  arguments.removeSubrange(place...(place + 1))
}
var showsMemory = false
if let place = arguments.firstIndex(of: "--memory") {
  arguments.remove(at: place)
  showsMemory = true
}
let input = arguments.first
guard arguments.count <= 1, input == "-" || input?.hasPrefix("-") != true, input != "", output != ""
else { fail(usage, status: 64) }
// A reader that goes away ends the program when it is written to; see `OutputFile`.
signal(SIGPIPE, SIG_IGN)
do {
  try run(input: input, output: output)
  if showsMemory {
    print("Memory: \(peakMemory().map { "\($0 >> 10) KB" } ?? "unknown") at most\n")
  }
} catch {
  fail("catalog-import: \(error)")
}
