import ECS
import ECSRecipes
import Foundation

let usage = """
  Usage: catalog-import [FILE | -] [--output FILE] [--memory]

  Imports a catalog of articles with their users and tags, as a JSON list or one JSON object in each
  line, from a file or, with -, from standard input; without either, a small sample. Tells what was
  made, updated, left unchanged and refused, writes the catalog back as JSON, and reads that again,
  which changes nothing. With --memory, tells in the end how much memory it used at most: that depends
  on the catalog, not on the length of the input.

  """

func fail(_ message: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(status)
}

func print(_ text: String) {
  do {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  } catch {
    fail("catalog-import: Standard output can't be written to: \(reason(error)).")
  }
}

/// What the system says of an error, without a full stop.
func reason(_ error: any Error) -> String {
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  if cause.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(cause.code))) }
  let text = error.localizedFailureReason ?? error.localizedDescription
  return text.last == "." ? String(text.dropLast()) : text
}

/// Does something with a file, and ends the program with a message if that fails.
func use<Result>(_ path: String, _ body: () throws -> Result) -> Result {
  do { return try body() } catch { fail("catalog-import: \(path): \(reason(error))") }
}

/// Tells how far a long import has come, to people only.
func showProgress(_ progress: ImportProgress) -> Bool {
  guard isatty(2) == 1, let total = progress.totalBytes, total > 1 << 24 else { return true }
  let percent = 100 * progress.bytes / total
  let ending = progress.bytes < total ? "\r" : "\n"
  let text = "\(percent) %, \(progress.report.count) records\(ending)"
  FileHandle.standardError.write(Data(text.utf8))
  return true
}

func run(input: String?, output: String?) throws {
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
  if let output { use(output) { try data.write(to: URL(fileURLWithPath: output)) } }

  let again = try mapper.importList(JSONValue(data: data).array ?? [], with: articles)
  print(printer.summary("Reading it back", again) + printer.refusals(again))
  if again.unchanged != again.count { fail("Reading the catalog back has changed it.") }
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
// A reader that goes away is an error to be told, not the end of the process.
signal(SIGPIPE, SIG_IGN)
do {
  try run(input: input, output: output)
  if showsMemory {
    print("Memory: \(peakMemory().map { "\($0 >> 10) KB" } ?? "unknown") at most\n")
  }
} catch {
  fail("catalog-import: \(error)")
}
