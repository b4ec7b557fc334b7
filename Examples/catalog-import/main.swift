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
  try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
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
    report = try mapper.importStream(with: articles) {
      try FileHandle.standardInput.read(upToCount: 1 << 16) ?? Data()
    }
  case let path?:
    report = try mapper.importFile(
      URL(fileURLWithPath: path), with: articles, progress: showProgress)
  }
  let printer = CatalogReport(context: context)
  print(printer.summary("Import", report) + printer.refusals(report) + printer.contents())

  let written = try context.group(Article.matcher).sorted().map {
    try mapper.decompose($0, with: articles)
  }
  let data = JSONValue.array(written).data(pretty: true)
  if let output { try data.write(to: URL(fileURLWithPath: output)) }

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
guard arguments.count <= 1, arguments.first?.hasPrefix("--") != true else {
  fail(usage, status: 64)
}
do {
  try run(input: arguments.first, output: output)
  if showsMemory {
    print("Memory: \(peakMemory().map { "\($0 >> 10) KB" } ?? "unknown") at most\n")
  }
} catch {
  fail("catalog-import: \(error)")
}
