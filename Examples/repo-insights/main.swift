import Dispatch
import ECS
import ExampleSupport
import Foundation

/// Reads the history of a repository and writes the reports that are asked for.
func run(_ options: Options) throws {
  let repository = try Repository(git: Git(path: options.path))
  if let since = options.since { try repository.check(since: since) }
  if let json = options.json, let svg = options.svg, OutputFile.areSame(json, svg) {
    throw Failure.usage("--json and --svg can't both go to '\(svg)'.")
  }
  let json = try options.json.map { try OutputFile($0) }
  let svg = try options.svg.map { try OutputFile($0) }
  let report = try read(repository, options)
  if let json {
    try JSONReport(report: report).write(to: json)
    try json.close()
  }
  if let svg {
    try SVGReport(report: report, top: options.top).write(to: svg)
    try svg.close()
  }
  if options.json != "-", options.svg != "-" {
    let terminal = Terminal(STDOUT_FILENO)
    try OutputFile.show(TerminalReport(report: report, top: options.top, terminal: terminal).text)
  }
}

/// Has the pipeline read the history, if there is any, and shows how far it is.
func read(_ repository: Repository, _ options: Options) throws -> Report {
  let pipeline = Pipeline(boundary: repository.boundary)
  let context = pipeline.context
  if repository.head != nil {
    let progress = ProgressDisplay(context, repository, since: options.since)
    defer { progress?.end() }
    try pipeline.run(GitLog(repository, since: options.since))
  }
  return Report(context, repository: repository, options: options)
}

/// Ends the program with a message.
func fail(_ message: String, _ exitCode: Int32) -> Never {
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
    // Standard output is not made writable: that it is closed is to be told.
    _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
  }
}

// A reader that goes away is an error to be told, not the end of the process.
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
