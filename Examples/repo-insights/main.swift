import Dispatch
import ECS
import ExampleSupport
import Foundation

/// Reads the history of a repository and writes the reports that are asked for.
func run(_ options: Options) throws {
  let repository = try Repository(git: Git(path: options.path), branch: options.selection.branch)
  let filter = try repository.filter(options.selection)
  if options.isLive { try LiveProgram.run(repository, options.selection) }
  if options.isInspected { return try Inspection.run(repository, filter) }
  for (place, file) in options.files.enumerated() {
    for other in options.files[..<place] where OutputFile.areSame(file.path, other.path) {
      throw Failure.usage("--\(other.format) and --\(file.format) can't both go to '\(file.path)'.")
    }
  }
  let files = try options.files.map { (format: $0.format, output: try OutputFile($0.path)) }
  let report = try read(repository, filter, options)
  for (format, output) in files {
    switch format {
    case .json: try JSONReport(report: report).write(to: output)
    case .csv: try CSVReport(report: report).write(to: output)
    case .markdown: try MarkdownReport(report: report, options: options).write(to: output)
    case .html: try HTMLReport(report: report, top: options.top ?? 20).write(to: output)
    case .svg: try SVGReport(report: report, top: options.top ?? 10).write(to: output)
    }
    try output.close()
  }
  if !options.files.contains(where: { $0.path == "-" }) {
    let terminal = Terminal(STDOUT_FILENO)
    try OutputFile.show(TerminalReport(report: report, options: options, terminal: terminal).text)
  }
}

/// Has the pipeline read the history, if there is any, and shows how far it is.
func read(_ repository: Repository, _ filter: Filter, _ options: Options) throws -> Report {
  let pipeline = Pipeline(boundary: repository.boundary)
  let context = pipeline.context
  if repository.head != nil {
    let progress = ProgressDisplay(context, repository, filter.selection)
    defer { progress?.end() }
    try pipeline.run(GitLog(repository, filter.selection.arguments))
  }
  return try Report(context, repository: repository, filter: filter, top: options.top ?? 10)
}

/// Ends the program with a message.
func fail(_ message: String, _ exitCode: Int32) -> Never {
  Cleanup.runAll()
  // Messages quote arguments, and what Git says of them.
  let lines = message.split(separator: "\n").map { printable(String($0)) }
  let text = "repo-insights: \(lines.joined(separator: "\n"))\n"
  try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  exit(exitCode)
}

/// Occupies the standard descriptors that are closed: the next pipe or file would get their numbers,
/// and what is for standard output or for Git would go there.
func occupyStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    // Standard output is not made writable: that it is closed is to be reported.
    _ = unsafe open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
  }
}

// A reader that goes away ends the program when it is written to; see `OutputFile`.
signal(SIGPIPE, SIG_IGN)
occupyStandardDescriptors()

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.showsHelp { try OutputFile.show(Options.help) } else { try run(options) }
} catch let failure as Failure {
  fail(failure.message, failure.exitCode)
} catch {
  fail("\(reason(of: error)).", 1)
}
