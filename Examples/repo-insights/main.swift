import Dispatch
import ECS
import Foundation

/// Reads the history of a repository and writes the reports that are asked for.
func run(_ options: Options) throws {
  let repository = try Repository(git: Git(path: options.path))
  if let since = options.since { try repository.check(since: since) }
  let json = try options.json.map { try OutputFile($0) }
  let svg = try options.svg.map { try OutputFile($0) }
  do {
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
      try show(TerminalReport(report: report, top: options.top, terminal: terminal).text)
    }
  } catch {
    json?.discard()
    svg?.discard()
    throw error
  }
}

/// Has the pipeline read the history, if there is any, and shows how far it is.
func read(_ repository: Repository, _ options: Options) throws -> Report {
  let pipeline = Pipeline()
  let context = pipeline.context
  if repository.head != nil {
    let progress = ProgressDisplay(context, repository, since: options.since)
    defer { progress?.end() }
    try pipeline.run(GitLog(repository, since: options.since))
  }
  return Report(context, repository: repository, options: options)
}

func show(_ text: String) throws(Failure) {
  let output = try OutputFile("-")
  try output.write(text)
  try output.close()
}

/// Ends the program with a message.
func fail(_ message: String, _ exitCode: Int32) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data("repo-insights: \(message)\n".utf8))
  exit(exitCode)
}

// A reader that goes away is an error to be told, not the end of the process.
signal(SIGPIPE, SIG_IGN)

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.showsHelp { try show(Options.help) } else { try run(options) }
} catch let failure as Failure {
  fail(failure.message, failure.exitCode)
} catch {
  fail(error.localizedDescription, 1)
}
